import type { ApolloServerOptions } from "@apollo/server";
import { allowed, option, options, optionsParser, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { GraphqlContext, LandingPage } from "./contract.js";
import { InvalidGraphqlConfigError } from "./errors.js";

type ApolloOptions = Partial<ApolloServerOptions<GraphqlContext>>;

const isLandingPage = (value: unknown): boolean => typeof value === "boolean" || typeof value === "function";
const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** What `config` of the plugin may hold. */
export const graphqlConfig = options({
  endpoint: option(
    v.pipe(v.string(), v.regex(/^(\/[\w.~-]+)+$/), allowed("a path such as /graphql")),
    "Path of the endpoint; starts with a slash.",
    "/graphql",
  ),
  shadowCRUD: option(v.boolean(), "Whether types, queries and mutations are made from the content-types.", true),
  depthLimit: option(whole(1), "Levels of fields in each other that a document may have.", 10),
  amountLimit: option(whole(1), "Rows that any one list may have, root or nested.", 100),
  defaultLimit: option(whole(1), "Rows of a list that names no size.", 10),
  maxLimit: option(v.union([v.literal(-1), whole(1)]), "The size that a list may ask for; -1: up to amountLimit.", -1),
  aliasLimit: option(whole(1), "Aliases in one document, fragments counted wherever they are spread.", 50),
  rootFieldLimit: option(whole(1), "Fields of Query or Mutation in one operation.", 20),
  directiveLimit: option(whole(1), "Directives in one document.", 50),
  tokenLimit: option(whole(1), "Words and signs in one document, as the parser counts them.", 5000),
  costLimit: option(whole(1), "Fields of one operation, fragments counted wherever they are spread.", 2000),
  mergeLimit: option(
    whole(1),
    "What it costs to compare the fields of one document that have one name in one place: 10 for each two with fields or arguments of their own, 1 for each two others, 10 for each field and fragment of each operation.",
    200_000,
  ),
  introspection: option(
    v.boolean(),
    "Whether clients may ask for the schema; undefined: everywhere but in production.",
  ),
  landingPage: option(
    v.pipe(v.custom<LandingPage>(isLandingPage), allowed("true, false or a function")),
    "Whether browsers get a page to try queries on; undefined: everywhere but in production.",
  ),
  playgroundAlways: option(v.boolean(), "The older name of `landingPage: true`.", false),
  apolloServer: option(
    v.pipe(v.custom<ApolloOptions>(isRecord), allowed("an object")),
    "Goes to Apollo Server as it is.",
    {},
  ),
});

/** The configuration of the plugin, complete. */
export type GraphqlConfig = OptionsOf<typeof graphqlConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    graphql: GraphqlConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_GRAPHQL_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseGraphqlConfig = optionsParser(graphqlConfig, InvalidGraphqlConfigError);
