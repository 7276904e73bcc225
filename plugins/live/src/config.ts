import { option, options, optionsParser, whole, type OptionsOf } from "@plinth/core/options";
import { InvalidLiveConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const liveConfig = options({
  interval: option(whole(50), "Milliseconds between two looks at whether something was written.", 250),
  heartbeat: option(
    whole(1_000),
    "Milliseconds after which a stream without news says that it is alive; the caller is identified again then.",
    15_000,
  ),
  maxStreams: option(whole(1), "Streams of one process; further ones are answered 503.", 10_000),
  maxPerCaller: option(
    whole(1),
    "Of these, how many one account or token may have; further ones are answered 429. Default: a tenth of `maxStreams`.",
  ),
  maxPerAddress: option(
    whole(1),
    "Of these, how many one address may have without an account; further ones are answered 429. Default: 100, or `maxPerCaller` where that is less.",
  ),
});

/** The configuration of the plugin, complete. */
export type LiveConfig = OptionsOf<typeof liveConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_LIVE_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(liveConfig, InvalidLiveConfigError);
