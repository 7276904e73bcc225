// A process of its own that serves the corpus app and watches its memory: its one argument is the configuration of upload as JSON.
import { join } from "node:path";
import { createPlinth } from "@plinth/core";
import { loadForTest } from "../../projects.js";
import { FULL } from "./serve-uploads.js";

/** What the process says: once where it serves, then for each message the most resident bytes since the last one. */
export type Said = { readonly url: string } | { readonly peak: number; readonly now: number };

const setup = await loadForTest(join(import.meta.dirname, "..", "..", "apps", "corpus"));
const plinth = createPlinth({
  ...setup,
  pluginConfigs: { ...setup.pluginConfigs, upload: JSON.parse(process.argv[2] ?? "") },
  config: {
    ...setup.config,
    database: { client: "pglite", directory: ":memory:" },
    access: { tokens: { [FULL]: "all" } },
  },
});
process.once("disconnect", () => void plinth.stop().then(() => process.exit()));

let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20).unref();
process.on("message", () => {
  const now = process.memoryUsage.rss();
  say({ peak: Math.max(peak, now), now });
  peak = 0;
});
say({ url: (await plinth.start()) ?? "" });

function say(said: Said): void {
  process.send?.(said);
}
