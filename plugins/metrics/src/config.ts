import { option, options, optionsParser, secretList, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidMetricsConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const metricsConfig = options({
  token: option(
    secretList,
    "Bearer token of `GET /metrics` on the main port; a list while it is changed. Administrators' tokens of api-tokens are taken as well. Without either there is nothing at that path.",
    [],
  ),
  perType: option(
    v.boolean(),
    "Whether metrics of requests have the content-type as a label: at most 200, the rest is `other`. Each multiplies the time series.",
    false,
  ),
});

/** The configuration of the plugin, complete. */
export type MetricsConfig = OptionsOf<typeof metricsConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_METRICS_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(metricsConfig, InvalidMetricsConfigError);
