// A process of its own that serves notes and sends webhooks: its one argument is the DatabaseConfig as JSON.
import type { DatabaseConfig } from "@plinth/core";
import type { Said } from "./serve-fleet.js";
import { makeWebhookFleet, RECEIVER } from "./webhook-fleet.js";

const plinth = makeWebhookFleet(JSON.parse(process.argv[2] ?? "") as DatabaseConfig, process.env[RECEIVER] ?? "");
process.once("disconnect", () => void plinth.stop());
try {
  const url = (await plinth.start()) ?? "";
  process.send?.({ url } satisfies Said);
} catch (error) {
  process.send?.({ failed: String(error) } satisfies Said);
  process.disconnect();
}
