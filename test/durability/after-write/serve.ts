// A process of its own that serves the app and does what comes after its writes: its one argument is the DatabaseConfig as JSON.
import type { DatabaseConfig } from "@plinth/core";
import type { Said } from "../serve-fleet.js";
import { makeLoadApp } from "./app.js";

const plinth = makeLoadApp(JSON.parse(process.argv[2] ?? "") as DatabaseConfig);
process.once("disconnect", () => void plinth.stop());
try {
  const url = (await plinth.start()) ?? "";
  process.send?.({ url } satisfies Said);
} catch (error) {
  process.send?.({ failed: String(error) } satisfies Said);
  process.disconnect();
}
