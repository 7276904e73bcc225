import type { ApolloServerOptions, ApolloServerPlugin } from "@apollo/server";
import type { GraphqlContext } from "./contract.js";
import { InvalidGraphqlConfigError } from "./errors.js";

/** What may be said of the landing page; a function decides when the server starts. */
export type LandingPage =
  | boolean
  | ((app: { readonly environment: string }) => boolean | ApolloServerPlugin<GraphqlContext>);

/** The configuration of the plugin, complete. @source content-api.md, "GraphQL plugin configuration" */
export interface GraphqlConfig {
  /** Path of the endpoint; starts with a slash. */
  readonly endpoint: string;
  /** Whether types, queries and mutations are made from the content-types. */
  readonly shadowCRUD: boolean;
  /** Levels of fields in each other that a document may have. */
  readonly depthLimit: number;
  /** Rows that any one list may have, root or nested. */
  readonly amountLimit: number;
  /** Rows of a list that names no size. */
  readonly defaultLimit: number;
  /** The size that a list may ask for; -1: up to amountLimit. */
  readonly maxLimit: number;
  /** Aliases in one document, fragments counted wherever they are spread. */
  readonly aliasLimit: number;
  /** Fields of Query or Mutation in one operation. */
  readonly rootFieldLimit: number;
  /** Directives in one document. */
  readonly directiveLimit: number;
  /** Words and signs in one document, as the parser counts them. */
  readonly tokenLimit: number;
  /** Fields of one operation, fragments counted wherever they are spread. */
  readonly costLimit: number;
  /** Whether clients may ask for the schema; undefined: everywhere but in production. */
  readonly introspection: boolean | undefined;
  /** Whether browsers get a page to try queries on; undefined: everywhere but in production. */
  readonly landingPage: LandingPage | undefined;
  /** The older name of `landingPage: true`. */
  readonly playgroundAlways: boolean;
  /** Goes to Apollo Server as it is. */
  readonly apolloServer: Partial<ApolloServerOptions<GraphqlContext>>;
}

const DEFAULTS: GraphqlConfig = {
  endpoint: "/graphql",
  shadowCRUD: true,
  depthLimit: 10,
  amountLimit: 100,
  defaultLimit: 10,
  maxLimit: -1,
  aliasLimit: 50,
  rootFieldLimit: 20,
  directiveLimit: 50,
  tokenLimit: 5000,
  costLimit: 2000,
  introspection: undefined,
  landingPage: undefined,
  playgroundAlways: false,
  apolloServer: {},
};

type Check = (value: unknown) => string | undefined;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const bool: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const positive: Check = (value) => (Number.isInteger(value) && Number(value) > 0 ? undefined : "a whole number from 1");

const CHECKS: Readonly<Record<keyof GraphqlConfig, Check>> = {
  endpoint: (value) =>
    typeof value === "string" && /^(\/[\w.~-]+)+$/.test(value) ? undefined : "a path such as /graphql",
  shadowCRUD: bool,
  depthLimit: positive,
  amountLimit: positive,
  defaultLimit: positive,
  maxLimit: (value) => (value === -1 ? undefined : positive(value) && "-1 or a whole number from 1"),
  aliasLimit: positive,
  rootFieldLimit: positive,
  directiveLimit: positive,
  tokenLimit: positive,
  costLimit: positive,
  introspection: bool,
  landingPage: (value) => (typeof value === "function" ? undefined : bool(value) && "true, false or a function"),
  playgroundAlways: bool,
  apolloServer: (value) => (isObject(value) ? undefined : "an object"),
};

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_GRAPHQL_CONFIG_INVALID (500) details `{ problems }`
 */
export function parseGraphqlConfig(raw: unknown): GraphqlConfig {
  if (raw === undefined) return DEFAULTS;
  if (!isObject(raw)) throw new InvalidGraphqlConfigError({ problems: ["it must be an object"] });
  const given = Object.entries(raw).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([key, value]) => {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof GraphqlConfig] : undefined;
    if (!check) return [`${key} is not known; known are ${Object.keys(CHECKS).join(", ")}`];
    const expected = check(value);
    return expected === undefined ? [] : [`${key} must be ${expected}, and is ${JSON.stringify(value)}`];
  });
  if (problems.length > 0) throw new InvalidGraphqlConfigError({ problems });
  return { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<GraphqlConfig>) };
}
