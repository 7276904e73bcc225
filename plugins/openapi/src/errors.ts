import { createError } from "@plinth/core";

/** The requested role has no grants, or does not exist. */
export const UnknownRoleError = createError<{ role: string; known: readonly string[] }>(
  "PLINTH_OPENAPI_UNKNOWN_ROLE",
  400,
  (d) => `No role of type "${d.role}" has any permission; those that have are ${d.known.join(", ") || "none"}.`,
  {
    cause: "The document was requested for a role that has no grant, in code or in the database.",
    remedy: "Name the type of a role that `plinth permissions` lists.",
  },
);

/** The package of the page is not installed. */
export const PageMissingError = createError<object>(
  "PLINTH_OPENAPI_PAGE_MISSING",
  404,
  () => 'The page needs the package "swagger-ui-dist"; install it with `npm install --save-dev swagger-ui-dist`.',
  {
    cause: "swagger-ui-dist is not among the packages of the app.",
    remedy: "Install it with `npm install --save-dev swagger-ui-dist`; the document itself needs no package.",
  },
);

/** The plugin's part of config/plugins cannot be used. */
export const InvalidOpenApiConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_OPENAPI_CONFIG_INVALID",
  500,
  (d) => `The configuration of "openapi" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);
