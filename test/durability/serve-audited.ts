// A process of its own in which people sign in: its one argument is the DatabaseConfig as JSON.
import type { DatabaseConfig } from "@plinth/core";
import { makeAuditedApp } from "./audited-app.js";
import type { Said } from "./serve-fleet.js";

const plinth = makeAuditedApp(JSON.parse(process.argv[2] ?? "") as DatabaseConfig);
process.once("disconnect", () => void plinth.stop());
try {
  const url = (await plinth.start()) ?? "";
  process.send?.({ url } satisfies Said);
} catch (error) {
  process.send?.({ failed: String(error) } satisfies Said);
  process.disconnect();
}
