// A process of its own that serves the fleet app with live reads: its one argument is the DatabaseConfig as JSON.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createPlinth, type DatabaseConfig } from "@plinth/core";
import { livePlugin } from "@plinth/plugin-live";
import { loadFleet } from "../durability/fleet.js";
import type { Report } from "./loaded-process.js";
import { processorUsed } from "./processor-used.js";

const setup = await loadFleet(JSON.parse(process.argv[2] ?? "") as DatabaseConfig);
// All clients of this machine have one address.
const pluginConfigs = { ...setup.pluginConfigs, live: { maxPerAddress: 10_000 } };
const plinth = createPlinth({ ...setup, plugins: [...setup.plugins, livePlugin], pluginConfigs });
process.once("disconnect", () => void plinth.stop());
const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();
process.on("message", () => {
  const memory = process.memoryUsage().rss / 1024 ** 2;
  process.send?.({ memory, peak: memory, late: loop.max / 1e6, processor: processorUsed() } satisfies Report);
  loop.reset();
});
process.send?.({ url: (await plinth.start()) ?? "" });
