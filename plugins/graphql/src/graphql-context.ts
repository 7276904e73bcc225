import type { ApolloServerPlugin } from "@apollo/server";
import type { App } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { GraphqlContext } from "./contract.js";
import { RequestAllowance } from "./operations/request-allowance.js";

/** A query that Apollo Server has parsed, and found valid and within the limits. */
export interface AcceptedQuery {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** What the parts of the plugin know of a request; all copies of its context have the same object. */
export interface GraphqlRequest {
  readonly info: RequestInfo;
  readonly allowance: RequestAllowance;
  /** Whether resolvers have to answer: PostgreSQL was asked already, or cannot write this answer. */
  needsResolvers: boolean;
  /** Whether it is known to write nothing. */
  isRead: boolean;
  /** Whether PostgreSQL wrote the answer, without errors. */
  isText?: boolean;
  /** Set where PostgreSQL wrote the answer, and could for other variables as well. */
  accepted?: AcceptedQuery;
}

const REQUEST = Symbol("plinth.graphql.request");

/** Makes the context of a request; `http` is added by `httpOfContext`, before an app's code sees it. */
export function createContext(app: App, info: RequestInfo): GraphqlContext {
  const { state } = info;
  const request: GraphqlRequest = { info, allowance: new RequestAllowance(), needsResolvers: false, isRead: false };
  return { app, state, ability: state.actor.ability, [REQUEST]: request } as object as GraphqlContext;
}

/** The request that a context, or a copy of it, belongs to. */
export function requestOf(context: GraphqlContext): GraphqlRequest {
  return (context as GraphqlContext & { readonly [REQUEST]: GraphqlRequest })[REQUEST];
}

/** A query may be answered by a replica; what a mutation returns has to show what it did. */
export const noteOperation: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async ({ contextValue }) => ({
    didResolveOperation: async ({ operation }) => {
      if (operation?.operation === "query") beginQuery(requestOf(contextValue));
      else contextValue.state.operation = operation?.operation ?? "none";
    },
  }),
};

/** Notes that a request is a query. */
export function beginQuery(request: GraphqlRequest): void {
  request.isRead = true;
  request.info.state.operation = "query";
  request.allowance.from = request.info.from;
}

/**
 * Gives contexts their `http`, which is made when it is first read: most requests never need a koa context. Apollo
 * Server copies the context before plugins see it, and a getter that was there before would be read for that.
 */
export const httpOfContext: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async ({ contextValue }) => {
    const { info } = requestOf(contextValue);
    Object.defineProperty(contextValue, "http", { enumerable: true, configurable: true, get: () => info.context });
  },
};
