import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidMetricsConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_METRICS_CONFIG_INVALID",
  500,
  (d) => `The configuration of "metrics" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);
