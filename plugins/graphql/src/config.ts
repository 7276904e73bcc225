import type { GraphqlConfig } from "./contract.js";
import { InvalidGraphqlConfigError } from "./errors.js";

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
