import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidHistoryConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_HISTORY_CONFIG_INVALID",
  500,
  (d) => `The configuration of "history" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** `pluginOptions.history` of content-types cannot be used. */
export const InvalidTypeOptionsError = createError<{ problems: readonly string[] }>(
  "PLINTH_HISTORY_OPTIONS_INVALID",
  500,
  (d) => `The history of content-types cannot be kept as they say: ${d.problems.join("; ")}.`,
  {
    cause: "pluginOptions.history of a schema file is neither true nor false nor an object with keep, days and except.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** A content-type has no history. */
export const NoHistoryError = createError<{ uid: string; known: readonly string[] }>(
  "PLINTH_HISTORY_NOT_KEPT",
  404,
  (d) =>
    `No versions are kept of "${d.uid}". ${d.known.length === 0 ? "They are of no type." : `They are of: ${d.known.join(", ")}.`}`,
  {
    cause: "The content-type is unknown, says pluginOptions.history: false, or is not one of those that were chosen.",
    remedy: "Set pluginOptions.history of its schema, or `types` of the plugin's configuration.",
  },
);

/** A request about versions has the wrong form. */
export const InvalidHistoryRequestError = createError<{
  errors: readonly { readonly path: string; readonly message: string }[];
}>("PLINTH_HISTORY_INVALID", 400, (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "), {
  cause:
    "A parameter or a body of a request about versions has the wrong form, or names an attribute that cannot be restored.",
  remedy: "Correct each problem that details.errors lists.",
});
