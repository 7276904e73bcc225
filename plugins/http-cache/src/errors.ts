import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidHttpCacheConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_HTTP_CACHE_CONFIG_INVALID",
  500,
  (d) => `The configuration of "http-cache" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, names no content-type, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);
