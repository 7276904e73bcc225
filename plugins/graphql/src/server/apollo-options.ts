import type { ApolloServerOptions, ApolloServerPlugin } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import type { App } from "@plinth/core";
import { logFault, requestFields, tellRefusal } from "@plinth/core/http";
import type { DocumentNode, GraphQLError, GraphQLFormattedError, GraphQLSchema } from "graphql";
import type { GraphqlConfig } from "../config.js";
import type { GraphqlContext } from "../contract.js";
import { httpOfContext, noteOperation, requestOf } from "../graphql-context.js";
import { createTextAnswers, type ReportError, stringifyAnswer, TextAnswers } from "../operations/text-answers.js";
import { askedBy } from "./asked-by.js";
import { createCostLimit } from "./document-limits.js";
import { failureOf, faultOf, formatError } from "./format-error.js";

/** What Apollo Server is made of. */
export interface ApolloParts {
  readonly options: ApolloServerOptions<GraphqlContext>;
  /** What answers queries by texts, also without Apollo Server; undefined where resolvers always run. */
  readonly answers: TextAnswers | undefined;
}

/** @param page - the plugin of the landing page. */
export function createApolloParts(
  app: App,
  config: GraphqlConfig,
  schema: GraphQLSchema,
  page: ApolloServerPlugin<GraphqlContext>,
): ApolloParts {
  const { apolloServer } = config;
  const isOpen = config.introspection ?? app.environment !== "production";
  const requestIds = new WeakMap<object, string>();
  const { formatError: formatFurther } = apolloServer;
  const format = (formatted: GraphQLFormattedError, error: unknown) => {
    const shown = formatError(formatted, error, requestIds.get(error as object));
    return formatFurther ? formatFurther(shown, error) : shown;
  };
  const note = noteErrors(app, schema, requestIds);
  const report: ReportError = (error, context) => {
    note(error, context);
    return format({ ...error.toJSON(), extensions: { code: "INTERNAL_SERVER_ERROR" } }, error);
  };
  const answers = runsResolvers(config) ? undefined : new TextAnswers({ app, config }, report);
  const accepted = new WeakSet<DocumentNode>();
  const options = {
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
      httpOfContext,
      noteOperation,
      createCostLimit(config.costLimit, accepted),
      createErrorLog(note),
      ...(answers ? [createTextAnswers(answers, (document) => accepted.has(document))] : []),
      ...(apolloServer.plugins ?? []),
    ],
  } as ApolloServerOptions<GraphqlContext>;
  return { options, answers };
}

/** Plugins of the app may observe resolvers, so where there are any, resolvers run. */
function runsResolvers({ apolloServer }: GraphqlConfig): boolean {
  const { plugins = [], stringifyResult } = apolloServer;
  return plugins.length > 0 || stringifyResult !== undefined;
}

type NoteError = (error: GraphQLError, context: GraphqlContext) => void;

/** Logs internal errors under the request's id; clients see only a sentence. Refusals go to the hook `access:onAct`. */
function noteErrors(app: App, schema: GraphQLSchema, requestIds: WeakMap<object, string>): NoteError {
  return (error, context) => {
    requestIds.set(error, context.state.requestId);
    const fault = faultOf(error);
    if (!fault) {
      const failure = failureOf(error);
      context.state.failure ??= failure;
      const asked = askedBy(app, schema, error, context.state.operation);
      tellRefusal(app, requestOf(context).info, { error: error.originalError ?? error, body: failure, asked });
      return;
    }
    const { info } = requestOf(context);
    info.context.set(fault.headers);
    logFault(app.log, error.originalError ?? error, requestFields(info), "A resolver failed");
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
