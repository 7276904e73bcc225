// A process of its own that serves the fleet app with endpoints that cost: its one argument is the DatabaseConfig as JSON.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type DatabaseConfig, type Route } from "@plinth/core";
import { loadFleet } from "../durability/fleet.js";
import { HEAVY, LARGE, type Report, SLOW } from "./loaded-process.js";
import { processorUsed } from "./processor-used.js";

const text = "x".repeat(LARGE);
const setup = await loadFleet(JSON.parse(process.argv[2] ?? "") as DatabaseConfig);
const open = { auth: false } as const;
const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/heavy",
    config: open,
    handler: async () => ({
      slept: await plinth.app.db.query({ text: `select pg_sleep(${HEAVY / 1000})::text as slept`, values: [] }),
    }),
  },
  { method: "GET", path: "/large", config: open, handler: () => ({ text }) },
  { method: "GET", path: "/slow", config: open, handler: () => sleep(SLOW) },
];
const server = { host: "127.0.0.1", port: 0, closeTimeout: 1_000, limits: { shed: true } };
const plinth = createPlinth({ ...setup, config: { ...setup.config, server }, app: { ...setup.app, routes } });
process.once("disconnect", () => void plinth.stop());
const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();
/** Milliseconds between two looks at the memory. */
const LOOK = 20;
const resident = () => process.memoryUsage.rss() / 1024 ** 2;
let peak = 0;
setInterval(() => (peak = Math.max(peak, resident())), LOOK).unref();
process.on("message", () => {
  const memory = resident();
  process.send?.({
    memory,
    peak: Math.max(peak, memory),
    late: loop.max / 1e6,
    processor: processorUsed(),
  } satisfies Report);
  peak = 0;
  loop.reset();
});
process.send?.({ url: (await plinth.start()) ?? "" });
