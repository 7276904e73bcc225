/** The public entry of the live plugin. */
import { definePlugin } from "@plinth/core";
import { type LiveConfig, parseConfig } from "./config.js";
import { LiveReads } from "./live-reads.js";

export type { LiveConfig } from "./config.js";

/** The open reads of each app, from register on. */
const opened = new WeakMap<object, LiveReads>();

/** Reads over REST and GraphQL that stay open, for clients who ask for `text/event-stream`. */
export const livePlugin = definePlugin<LiveConfig>({
  name: "live",
  config: parseConfig,
  register({ app, config, registry }) {
    const reads = new LiveReads(app, config);
    opened.set(app, reads);
    registry("read-stream").add("reads", reads);
  },
  destroy({ app }) {
    opened.get(app)?.stop();
    opened.delete(app);
  },
});

export default livePlugin;
