import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { koaMiddleware } from "@as-integrations/koa";
import { type App, type Handler, type HttpContext, NotFoundError, serviceRef } from "@plinth/core";
import type { GraphQLError, GraphQLFormattedError, GraphQLSchema } from "graphql";
import type { GraphqlConfig } from "../config.js";
import type { GraphqlContext } from "../contract.js";
import { createTextAnswers, type ReportError, stringifyAnswer } from "../operations/text-answers.js";
import { createCostLimit } from "./cost-limit.js";
import { DocumentLimits } from "./document-limits.js";
import { faultOf, formatError } from "./format-error.js";
import { serveGraphiqlFile } from "./graphiql.js";
import { planLandingPage } from "./landing-page.js";

/** Answers GraphQL over HTTP. */
export class GraphqlServer {
  #apollo: ApolloServer<GraphqlContext> | undefined;
  #answer: Handler | undefined;
  #hasPage = false;

  constructor(
    private readonly app: App,
    private readonly config: GraphqlConfig,
  ) {}

  /** Makes the server of a schema; before it no request is answered. */
  async start(schema: GraphQLSchema): Promise<void> {
    const { app, config } = this;
    const page = planLandingPage(config, app);
    this.#hasPage = page.policy !== undefined;
    this.#apollo = new ApolloServer<GraphqlContext>(createOptions(app, config, schema, page.plugin));
    await this.#apollo.start();
    const answer = koaMiddleware<Record<string, unknown>, object>(this.#apollo as unknown as ApolloServer, {
      context: async ({ ctx }) => createContext(app, ctx as unknown as HttpContext),
    });
    const gate = new DocumentLimits(schema, config);
    this.#answer = async (ctx) => {
      const { text, variables } = documentOf(ctx);
      const refused = text === undefined ? undefined : gate.check(text, variables);
      ctx.set("Cache-Control", "no-store");
      if (refused) {
        ctx.status = 400;
        ctx.body = { errors: [refused] };
        return;
      }
      // The integration answers a missing body with an internal error.
      ctx.request.body ??= {};
      await answer(ctx as unknown as Parameters<typeof answer>[0], async () => undefined);
      if (page.policy !== undefined && ctx.response.is("html")) setPageHeaders(ctx, page.policy);
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
   * @throws PLINTH_ACCESS_UNAUTHENTICATED (401), and what strategies throw
   */
  readonly handle: Handler = async (ctx, next) => {
    ctx.state.actor = await this.app.auth.authenticate(ctx.headers.authorization);
    return this.#answer?.(ctx, next);
  };
}

/** The plugin's own: what its routes lead to. */
export const graphqlServer = serviceRef<GraphqlServer>("plugin::graphql.server");

function setPageHeaders(ctx: HttpContext, policy: string): void {
  ctx.set("Content-Security-Policy", policy);
  // The paths in the page lead elsewhere from there.
  if (ctx.path.endsWith("/")) ctx.redirect(`..${ctx.path.slice(ctx.path.lastIndexOf("/", ctx.path.length - 2), -1)}`);
}

/** What a request sends: the text of a document, and its variables as JSON has them. */
interface SentDocument {
  readonly text: string | undefined;
  readonly variables: unknown;
}

function documentOf({ method, request, querystring }: HttpContext): SentDocument {
  if (method === "POST") {
    const { query, variables } = (request.body ?? {}) as { readonly query?: unknown; readonly variables?: unknown };
    return { text: typeof query === "string" ? query : undefined, variables };
  }
  // Those of a query string are as long as a query string may be.
  return { text: new URLSearchParams(querystring).get("query") ?? undefined, variables: undefined };
}

function createContext(app: App, http: HttpContext): GraphqlContext {
  return { app, http, state: http.state, ability: http.state.actor.ability };
}

function createOptions(
  app: App,
  config: GraphqlConfig,
  schema: GraphQLSchema,
  page: ApolloServerPlugin<GraphqlContext>,
): ApolloServerOptions<GraphqlContext> {
  const { apolloServer } = config;
  const isOpen = config.introspection ?? app.environment !== "production";
  const requestIds = new WeakMap<object, string>();
  const { formatError: formatFurther } = apolloServer;
  const format = (formatted: GraphQLFormattedError, error: unknown) => {
    const shown = formatError(formatted, error, requestIds.get(error as object));
    return formatFurther ? formatFurther(shown, error) : shown;
  };
  const note = noteErrors(app, requestIds);
  const report: ReportError = (error, context) => {
    note(error, context);
    return format({ ...error.toJSON(), extensions: { code: "INTERNAL_SERVER_ERROR" } }, error);
  };
  return {
    cache: "bounded",
    introspection: isOpen,
    hideSchemaDetailsFromClientErrors: !isOpen,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    nodeEnv: app.environment,
    logger: app.log,
    stringifyResult: stringifyAnswer,
    ...apolloServer,
    schema,
    parseOptions: { maxTokens: config.tokenLimit, ...apolloServer.parseOptions },
    formatError: format,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      page,
      createCostLimit(config.costLimit),
      createErrorLog(note),
      ...textAnswers(app, config, report),
      ...(apolloServer.plugins ?? []),
    ],
  } as ApolloServerOptions<GraphqlContext>;
}

/** Plugins of the app may observe resolvers, so where there are any, resolvers run. */
function textAnswers(
  app: App,
  config: GraphqlConfig,
  report: ReportError,
): readonly ApolloServerPlugin<GraphqlContext>[] {
  const { plugins = [], stringifyResult } = config.apolloServer;
  return plugins.length > 0 || stringifyResult ? [] : [createTextAnswers({ app, config }, report)];
}

type NoteError = (error: GraphQLError, context: GraphqlContext) => void;

/** Logs internal errors under the request's id; clients see only a sentence. */
function noteErrors(app: App, requestIds: WeakMap<object, string>): NoteError {
  return (error, { http, state: { requestId } }) => {
    requestIds.set(error, requestId);
    const fault = faultOf(error);
    if (!fault) return;
    http.set(fault.headers);
    app.log.error({ err: error.originalError ?? error, requestId }, "A resolver failed");
  };
}

function createErrorLog(note: NoteError): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: async ({ contextValue }) => ({
      didEncounterErrors: async ({ errors }) => {
        for (const error of errors) note(error, contextValue);
      },
    }),
  };
}
