import { createError } from "@plinth/core";

const listed = (problems: readonly string[]): string => problems.map((problem) => `\n  - ${problem}`).join("");

/** The plugin's part of config/plugins cannot be used; every problem at once. */
export const InvalidGraphqlConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_GRAPHQL_CONFIG_INVALID",
  500,
  (d) => `The configuration of the plugin graphql is wrong:${listed(d.problems)}`,
  {
    cause: "An option of the plugin graphql in config/plugins is unknown or has a value it cannot have.",
    remedy: "Correct each option that the message names.",
  },
);

/** Extensions name what does not exist, or contradict each other; every problem of all of them at once. */
export const InvalidExtensionsError = createError<{ problems: readonly string[] }>(
  "PLINTH_GRAPHQL_EXTENSIONS_INVALID",
  500,
  (d) => `The extensions of the GraphQL schema cannot be used:${listed(d.problems)}`,
  {
    cause:
      "A call of the extension service names an unknown content-type, field, action, resolver, policy or middleware, or two extensions contradict each other.",
    remedy: "Correct each line of the message; it lists the names that there are.",
  },
);

/** The schema came too late, or something was added after it was made. */
export const LateExtensionError = createError<{ call: string }>(
  "PLINTH_GRAPHQL_EXTENSION_TOO_LATE",
  500,
  (d) => `${d.call} came after the GraphQL schema was made; call it in register().`,
  {
    cause: "The extension service was called in bootstrap or later, when the schema is fixed.",
    remedy: "Move the call into register() of the app or plugin.",
  },
);

/** Types of extensions do not make a schema. */
export const InvalidSchemaError = createError<{ problems: readonly string[] }>(
  "PLINTH_GRAPHQL_SCHEMA_INVALID",
  500,
  (d) => `The GraphQL schema is not valid:${listed(d.problems)}`,
  {
    cause: "The types or typeDefs of an extension break a rule of GraphQL, or name a type that does not exist.",
    remedy: "Correct the extension; the lines of the message are those of the GraphQL parser and validator.",
  },
);

/** Two types, or two fields of one type, would have the same name; every pair at once. */
export const TakenNamesError = createError<{ problems: readonly string[] }>(
  "PLINTH_GRAPHQL_NAMES_TAKEN",
  500,
  (d) => `Names of the GraphQL schema are taken twice:${listed(d.problems)}`,
  {
    cause: "The names of two content-types, components or attributes make the same name in the GraphQL schema.",
    remedy: "Rename one of the two, or leave one out of the schema with shadowCRUD(uid).disable() or its field(name).",
  },
);

/** A list was to be sorted by what is hidden. */
export const HiddenSortError = createError<{ key: string; path: string; source: "query"; param: "sort" }>(
  "PLINTH_GRAPHQL_SORT_HIDDEN",
  400,
  (d) => `Invalid key ${d.key}${d.path === d.key ? "" : ` at ${d.path}`}`,
  {
    cause:
      "A list was asked for in the order of a field that is disabled in the schema, or that cannot be filtered by.",
    remedy: "Sort by another field, or enable the filters of this one.",
  },
);

/** A subscription is not valid, or its query has errors. */
export const SubscriptionRefusedError = createError<{ problems: readonly string[] }>(
  "PLINTH_GRAPHQL_SUBSCRIPTION_REFUSED",
  400,
  (d) => `The subscription cannot be answered: ${d.problems.join("; ")}`,
  {
    cause: "The document of a subscription is not valid, or the query of the same text is answered with errors.",
    remedy: "Correct what the message names; send the query of the same text to see its errors with their places.",
  },
);
