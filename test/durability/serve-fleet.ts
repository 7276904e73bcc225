// A process of its own that serves the fleet app: its one argument is the DatabaseConfig as JSON.
import { createPlinth, type DatabaseConfig, isPlinthError } from "@plinth/core";
import { loadFleet } from "./fleet.js";

/** What the process says once. */
export type Said = { readonly url: string } | { readonly failed: string };

const plinth = createPlinth(await loadFleet(JSON.parse(process.argv[2] ?? "") as DatabaseConfig));
process.once("disconnect", () => void plinth.stop());
try {
  say({ url: (await plinth.start()) ?? "" });
} catch (error) {
  say({ failed: isPlinthError(error) ? error.code : String(error) });
  process.disconnect();
}

function say(said: Said): void {
  process.send?.(said);
}
