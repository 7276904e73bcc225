// Loads the embedded database with its first use: it is large, and not needed with a server.
import type { PgliteConfig } from "./config.js";
import type { DatabaseLog } from "./database.js";
import type { Driver } from "./driver.js";

/** The driver of an embedded database. @throws as openPglite */
export async function openEmbedded(config: PgliteConfig, log: DatabaseLog): Promise<Driver> {
  const { openPglite } = await import("./pglite.js");
  return openPglite(config, log);
}
