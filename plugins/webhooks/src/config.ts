import { allowed, option, options, type OptionsOf, optionsParser, whole } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidWebhooksConfigError } from "./errors.js";
import { isNetwork } from "./requests/address-rules.js";

const HOUR = 3_600;

/** Seconds before each try: the times of Standard Webhooks' reference. */
const SCHEDULE = [0, 5, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const network = v.pipe(v.string(), v.check(isNetwork), allowed("an address or a network, such as 10.1.0.0/16"));

const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(30 * 24 * HOUR));

/** What `config` of the plugin may hold. */
export const webhooksConfig = options({
  http: option(
    v.boolean(),
    "Whether addresses of endpoints may begin with http: as well. Bodies can be read on the way then.",
    false,
  ),
  allow: option(
    v.array(network),
    "Networks and addresses that are not public, and may be sent to all the same: `10.1.0.0/16`.",
    [],
  ),
  schedule: option(
    v.pipe(
      v.array(seconds),
      v.minLength(1),
      v.maxLength(100),
      v.check(([first]) => first === 0),
      allowed("a list of seconds that begins with 0"),
    ),
    "Seconds before each try, each a fifth more or less; the first is at once, so 0. After the last one a delivery is dead.",
    SCHEDULE,
  ),
  keep: option(whole(1, 3_650), "Days for which deliveries are kept once they are delivered or dead.", 7),
  sendTo: option(
    v.pipe(v.string(), v.url()),
    "An address that gets all deliveries in place of their endpoints', with the path of each: for tests, and for copies of production.",
  ),
});

/** The configuration of the plugin, complete. */
export type WebhooksConfig = OptionsOf<typeof webhooksConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    webhooks: WebhooksConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_WEBHOOKS_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(webhooksConfig, InvalidWebhooksConfigError);
