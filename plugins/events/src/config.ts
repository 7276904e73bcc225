import * as v from "@plinth/core/valibot";
import { option, options, optionsParser, type OptionsOf, whole } from "@plinth/core/options";
import { InvalidEventsConfigError } from "./errors.js";
import { isWantedType } from "./event-types.js";

/** What `config` of the plugin may hold. */
export const eventsConfig = options({
  retention: option(whole(1), "Days for which events are kept. Reading events later than that is an error.", 7),
  maxStreams: option(whole(1), "Streams of one process; further ones are answered 503.", 10_000),
  heartbeat: option(
    whole(1_000),
    "Milliseconds after which a stream without events says that it is alive, and where it is; its caller is identified again then.",
    15_000,
  ),
  streamTypes: option(
    v.array(v.pipe(v.string(), v.check(isWantedType, "is no type of events, such as shop.order-paid or shop.*"))),
    "Types of your own events that streams show, of published documents that the caller may read: `shop.*`. Those of content are shown anyhow.",
    [],
  ),
});

/** The configuration of the plugin, complete. */
export type EventsConfig = OptionsOf<typeof eventsConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    events: EventsConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_EVENTS_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(eventsConfig, InvalidEventsConfigError);
