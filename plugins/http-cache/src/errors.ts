import { createError } from "@plinth/core";

/** A cache did not take what it has to forget; the same is sent again. */
export const PurgeFailedError = createError<{ driver: string; answer: string }>(
  "PLINTH_HTTP_CACHE_PURGE_FAILED",
  502,
  (d) => `The cache (${d.driver}) did not forget what changed: ${d.answer}.`,
  {
    cause: "The API of the cache answered with another status than 2xx, or not at all.",
    remedy: "Look at the token, its rights and the ids in `purge`. The same is sent again until the cache takes it.",
  },
);

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
