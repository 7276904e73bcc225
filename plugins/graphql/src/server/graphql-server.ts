import { ApolloServer, type ApolloServerPlugin } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { koaMiddleware } from "@as-integrations/koa";
import { type Actor, type App, type Handler, NotFoundError, serviceRef } from "@plinth/core";
import { type Endpoint, type EndpointAnswer, keyOfRead, readAnswersOf, type RequestInfo } from "@plinth/core/http";
import type { GraphQLSchema } from "graphql";
import type { GraphqlConfig } from "../config.js";
import type { GraphqlContext } from "../contract.js";
import { beginQuery, createContext, requestOf } from "../graphql-context.js";
import { joinReads } from "../operations/joined-reads.js";
import { stringifyAnswer, type TextAnswers } from "../operations/text-answers.js";
import type { Ask } from "./ask.js";
import { createApolloParts } from "./apollo-options.js";
import { isCredentialFree } from "./credential-free.js";
import { DocumentLimits } from "./document-limits.js";
import { failureOf } from "./format-error.js";
import { createGraphiqlPage, GRAPHIQL_POLICY, serveGraphiqlFile } from "./graphiql.js";
import { KnownQueries } from "./known-queries.js";
import { createSubscriptions } from "./subscriptions.js";

/** Answers GraphQL over HTTP. */
export class GraphqlServer {
  #apollo: ApolloServer<GraphqlContext> | undefined;
  #endpoint: Endpoint | undefined;
  #schema: GraphQLSchema | undefined;
  #hasPage = false;

  constructor(
    private readonly app: App,
    private readonly config: GraphqlConfig,
  ) {}

  /** Makes the server of a schema; before it no request is answered. */
  async start(schema: GraphQLSchema): Promise<void> {
    const { app, config } = this;
    this.#schema = schema;
    const page = planLandingPage(config, app);
    this.#hasPage = page.policy !== undefined;
    const { options, answers } = createApolloParts(app, config, schema, page.plugin);
    this.#apollo = new ApolloServer<GraphqlContext>(options);
    await this.#apollo.start();
    const ask = createAsk(this.#apollo);
    const answerKnown = answers ? withKnownQueries(ask, answers, schema) : ask;
    const limits = new DocumentLimits(schema, config);
    const answer = async (request: RequestInfo, context: GraphqlContext): Promise<EndpointAnswer> => {
      const { text, variables } = documentOf(request);
      const refused = text === undefined ? undefined : limits.check(text, variables);
      if (refused) {
        request.state.failure = failureOf(refused);
        return { status: 400, headers: NO_STORE, body: { errors: [refused] } };
      }
      const answer = await answerKnown(request, context);
      return page.policy !== undefined && isPage(answer) ? withPageHeaders(answer, request, page.policy) : answer;
    };
    const get = createGet(app, answer);
    const subscribe = app.has("live") ? createSubscriptions(app, { schema, limits, ask: answer }) : undefined;
    this.#endpoint = async (request) => {
      const stream = subscribe?.(request);
      if (stream) return await stream;
      return request.method === "GET" ? await get(request) : await answer(request, createContext(app, request));
    };
  }

  /** Answers with a file of the page, where that is GraphiQL. @throws PLINTH_HTTP_NOT_FOUND (404) */
  readonly serveFile: Handler = (ctx) => {
    if (!this.#hasPage) throw new NotFoundError({});
    return serveGraphiqlFile(ctx);
  };

  /** Stops the engine. */
  async stop(): Promise<void> {
    await this.#apollo?.stop();
  }

  /**
   * Answers one request; callers are authenticated as in REST.
   *
   * @throws PLINTH_ACCESS_UNAUTHENTICATED (401), and what strategies throw; PLINTH_HTTP_NOT_FOUND (404) before `start`
   */
  readonly answer: Endpoint = async (request) => {
    request.state.actor = await this.#identify(request);
    if (!this.#endpoint) throw new NotFoundError({});
    return this.#endpoint(request);
  };

  /** Expired credentials count as none where new ones are asked for, by `login` for instance. */
  async #identify(request: RequestInfo): Promise<Actor> {
    const { auth } = this.app;
    const { authorization } = request.headers;
    const actor = await auth.tryAuthenticate(authorization);
    return actor ?? (await auth.authenticate(this.#isCredentialFree(request) ? undefined : authorization));
  }

  #isCredentialFree(request: RequestInfo): boolean {
    const { text, operationName } = documentOf(request);
    if (!this.#schema || text === undefined) return false;
    return isCredentialFree(this.#schema, { text, operationName }, this.config.tokenLimit);
  }
}

/** The plugin's own: what its routes lead to. */
export const graphqlServer = serviceRef<GraphqlServer>("plugin::graphql.server");

const NO_STORE = { "cache-control": "no-store" };

/** Asks Apollo Server. */
function createAsk(apollo: ApolloServer<GraphqlContext>): Ask {
  const integration = koaMiddleware<Record<string, unknown>, object>(apollo as unknown as ApolloServer, {
    context: async ({ ctx }) => (ctx as unknown as IntegrationContext).contextValue,
  });
  return async (request, contextValue) => {
    const context = new IntegrationContext(request, contextValue);
    await integration(context as unknown as Parameters<typeof integration>[0], async () => undefined);
    const { status, body, answered } = context;
    const { isRead } = requestOf(contextValue);
    return { status, body, isRead, headers: { ...NO_STORE, ...answered } };
  };
}

/**
 * Answers what is asked by GET, which caches can keep: with an ETag where PostgreSQL wrote the answer, and not again for
 * those who have it. A cache that keeps it has to ask whether it still holds.
 */
function createGet(app: App, ask: Ask): Endpoint {
  const answers = readAnswersOf(app);
  return (request) =>
    answers.answer({
      request,
      key: () => keyOfRead(request, request.actor.ability, `graphql ${request.headers.accept ?? ""}`),
      read: async (withStamp) => {
        const context = createContext(app, request);
        const own = requestOf(context);
        own.allowance.withStamp = withStamp;
        own.allowance.reads = [];
        const answer = await ask(request, context);
        if (!own.isText || answer.status !== 200) return answer;
        return { ...answer, ...joinReads(own.allowance.reads), headers: { ...answer.headers, ...REVALIDATED } };
      },
    });
}

const REVALIDATED = { "cache-control": "private, no-cache" };

/** Asks Apollo Server only for what it has not accepted before, or PostgreSQL cannot answer. */
function withKnownQueries(ask: Ask, answers: TextAnswers, schema: GraphQLSchema): Ask {
  const known = new KnownQueries();
  return async (info, contextValue) => {
    const own = requestOf(contextValue);
    const found = known.find(info);
    if (found) {
      const { document, operation, variables, contentType } = found;
      beginQuery(own);
      const operationName = operation.name?.value ?? null;
      const request = { variables };
      const answer = await answers.answer({ schema, document, operation, operationName, request, contextValue });
      if (answer)
        return {
          ...{ status: 200, isRead: true, body: stringifyAnswer(answer) },
          headers: { ...NO_STORE, "content-type": contentType },
        };
      own.needsResolvers = true;
    }
    const answer = await ask(info, contextValue);
    if (own.accepted && answer.status === 200) known.remember(info, own.accepted, answer.headers?.["content-type"]);
    return answer;
  };
}

const isPage = ({ headers }: EndpointAnswer): boolean => headers?.["content-type"]?.startsWith("text/html") ?? false;

function withPageHeaders(page: EndpointAnswer, { path }: RequestInfo, policy: string): EndpointAnswer {
  const headers = { ...page.headers, "content-security-policy": policy };
  if (!path.endsWith("/")) return { ...page, headers };
  // The paths in the page lead elsewhere from there.
  const location = `..${path.slice(path.lastIndexOf("/", path.length - 2), -1)}`;
  return { status: 302, headers: { ...headers, location }, body: `Redirecting to ${location}.` };
}

/** What a request sends: the text of a document, and its variables as JSON has them. */
interface SentDocument {
  readonly text: string | undefined;
  readonly variables: unknown;
  readonly operationName?: unknown;
}

type SentBody = Omit<SentDocument, "text"> & { readonly query?: unknown };

function documentOf({ method, body, url }: RequestInfo): SentDocument {
  if (method === "POST") {
    const { query, variables, operationName } = (body ?? {}) as SentBody;
    return { text: typeof query === "string" ? query : undefined, variables, operationName };
  }
  // Those of a query string are as long as a query string may be.
  const search = url.slice(url.indexOf("?") + 1);
  return { text: new URLSearchParams(search).get("query") ?? undefined, variables: undefined };
}

/**
 * As much of a koa context as @as-integrations/koa uses: it reads a request from it, and leaves the answer in it. With it
 * a request needs no context of koa's, nor the middlewares that fill one.
 */
class IntegrationContext {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestInfo["headers"];
  readonly request: { readonly method: string; readonly body: unknown };
  /** Of the answer, as the three that follow; 200 unless Apollo Server says otherwise. */
  status = 200;
  body: unknown;
  readonly answered: Record<string, string> = {};

  constructor(
    { method, url, headers, body }: RequestInfo,
    /** The context of resolvers. */
    readonly contextValue: GraphqlContext,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    // The integration answers a missing body with an internal error.
    this.request = { method, body: body ?? {} };
  }

  set(name: string, value: string): void {
    this.answered[name.toLowerCase()] = value;
  }
}

/** The page that browsers get at the endpoint. */
interface LandingPagePlan {
  readonly plugin: ApolloServerPlugin<GraphqlContext>;
  /** The Content-Security-Policy of GraphiQL; undefined where there is another page, or none. */
  readonly policy: string | undefined;
}

/**
 * Decides on the landing page, once.
 *
 * @param app - in its environment `production` there is no page unless the configuration says so.
 * @source plugins/content-api/WIRE.md#graphql-configuration
 */
function planLandingPage(config: GraphqlConfig, app: App): LandingPagePlan {
  const { landingPage, playgroundAlways } = config;
  const configured = typeof landingPage === "function" ? landingPage(app) : landingPage;
  if (typeof configured === "object") return { plugin: configured, policy: undefined };
  const isOn = playgroundAlways || (configured ?? app.environment !== "production");
  return isOn
    ? { plugin: createGraphiqlPage(config.endpoint), policy: GRAPHIQL_POLICY }
    : { plugin: ApolloServerPluginLandingPageDisabled(), policy: undefined };
}
