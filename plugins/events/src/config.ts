import { option, options, optionsParser, type OptionsOf, whole } from "@plinth/core/options";
import { InvalidEventsConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const eventsConfig = options({
  retention: option(whole(1), "Days for which events are kept. Reading events later than that is an error.", 7),
});

/** The configuration of the plugin, complete. */
export type EventsConfig = OptionsOf<typeof eventsConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_EVENTS_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(eventsConfig, InvalidEventsConfigError);
