import type { App } from "@plinth/core";
import {
  type EndpointAnswer,
  eventText,
  keyOfRead,
  readAnswersOf,
  type RequestInfo,
  type StreamForm,
  wantsStream,
} from "@plinth/core/http";
import type { StampWish } from "@plinth/core/reads";
import { getOperationAST, GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import type { GraphqlContext } from "../contract.js";
import { SubscriptionRefusedError } from "../errors.js";
import { createContext, requestOf } from "../graphql-context.js";
import { joinReads } from "../operations/joined-reads.js";
import type { Ask } from "./ask.js";
import type { DocumentLimits } from "./document-limits.js";

/** A request for a subscription, as the query whose answers it is. */
interface Subscription {
  /** All that was sent. */
  readonly text: string;
  readonly query: string;
  readonly variables: unknown;
  readonly operationName: unknown;
}

/** What a request sends, by either method. */
interface Sent {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
}

/** What subscriptions are answered with. */
export interface SubscriptionParts {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  readonly ask: Ask;
}

const KEYWORD = "subscription";

/**
 * Answers subscriptions by server-sent events, in the form of graphql-sse's distinct connections. A subscription is the
 * query of the same text, asked again when something was written that it reads.
 *
 * @returns undefined for a request that is none
 * @source https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode
 */
export function createSubscriptions(app: App, parts: SubscriptionParts) {
  const { ask } = parts;
  const answers = readAnswersOf(app);
  return (request: RequestInfo): Promise<EndpointAnswer> | undefined => {
    const subscription = wantsStream(request) ? findSubscription(parts, sentBy(request)) : undefined;
    if (!subscription) return undefined;
    return answers.answer({
      request,
      form: FORM,
      key: () => keyOfRead({ url: subscription.text }, request.actor.ability, KEYWORD),
      // Where a middleware may change the answer, it would not see those of a stream.
      identify:
        request.identify &&
        (async () => {
          request.state.actor = await app.auth.authenticate(request.headers.authorization);
        }),
      read: (withStamp) => askOnce(app, ask, asQuery(request, subscription), withStamp),
    });
  };
}

/** @throws PLINTH_GRAPHQL_SUBSCRIPTION_REFUSED (400) */
async function askOnce(app: App, ask: Ask, request: RequestInfo, withStamp?: StampWish): Promise<EndpointAnswer> {
  const context: GraphqlContext = createContext(app, request);
  const own = requestOf(context);
  own.allowance.withStamp = withStamp;
  own.allowance.reads = [];
  const answer = await ask(request, context);
  if (own.isText && answer.status === 200) return { ...answer, ...joinReads(own.allowance.reads) };
  const { errors } = JSON.parse(String(answer.body)) as { errors?: readonly { readonly message: string }[] };
  if (!errors) return answer;
  throw new SubscriptionRefusedError({ problems: errors.map(({ message }) => message) });
}

function sentBy({ method, body, url }: RequestInfo): Sent {
  if (method === "POST") return (body ?? {}) as Sent;
  const search = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  return {
    query: search.get("query"),
    variables: explained(() => JSON.parse(search.get("variables") ?? "{}") as unknown),
    operationName: search.get("operationName"),
  };
}

/** @throws PLINTH_GRAPHQL_SUBSCRIPTION_REFUSED (400) for a document that is not valid */
function findSubscription({ schema, limits }: SubscriptionParts, sent: Sent): Subscription | undefined {
  const { query: text, variables, operationName } = sent;
  if (typeof text !== "string" || !text.includes(KEYWORD)) return undefined;
  const refused = limits.check(text, variables);
  if (refused) throw new SubscriptionRefusedError({ problems: [refused.message] });
  const document = explained(() => parse(text));
  const operation = getOperationAST(document, typeof operationName === "string" ? operationName : undefined);
  if (operation?.operation !== KEYWORD || !operation.loc) return undefined;
  const problems = validate(schema, document).map(({ message }) => message);
  if (problems.length > 0) throw new SubscriptionRefusedError({ problems });
  const { start } = operation.loc;
  const query = `${text.slice(0, start)}query${text.slice(start + KEYWORD.length)}`;
  return { text: JSON.stringify([text, variables, operationName]), query, variables, operationName };
}

function explained<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof SyntaxError)
      throw new SubscriptionRefusedError({ problems: [error.message] });
    throw error;
  }
}

/** The request that sends the query by POST. */
function asQuery(request: RequestInfo, { query, variables, operationName }: Subscription): RequestInfo {
  const { path, url, params, headers, state, signal, isAnswered } = request;
  return {
    ...{ path, url, params, state, signal, isAnswered },
    method: "POST",
    headers: { ...headers, accept: "application/json", "content-type": "application/json" },
    body: { query, variables: variables ?? {}, ...(typeof operationName === "string" ? { operationName } : {}) },
    get ip() {
      return request.ip;
    },
    get query() {
      return request.query;
    },
    get actor() {
      return request.actor;
    },
    get from() {
      return request.from;
    },
    get context() {
      return request.context;
    },
  };
}

const FORM: StreamForm = {
  next: (body, id) => eventText({ id, event: "next", data: body.trimEnd() }),
  end: ({ message, code }) => {
    const errors = [{ message, extensions: { code } }];
    return `${eventText({ event: "next", data: JSON.stringify({ errors }) })}${eventText({ event: "complete", data: "" })}`;
  },
};
