import { databaseConfigOf } from "../app/app-database.js";
import { giveRoleSettings } from "../database/driver/role-settings.js";
import type { CommandHost } from "./host.js";
import { codeFormOf, loadSetup } from "./load-setup.js";

/** The statements for the role of a project's database; none for the embedded one. */
export async function listSettings(host: CommandHost, { apply }: { readonly apply: boolean }): Promise<string> {
  const { cwd, variables, terminal } = host;
  const config = databaseConfigOf(await loadSetup(cwd, codeFormOf(cwd, variables), variables));
  try {
    if (config.client === "pglite") return "-- The embedded database has one session, which the app sets itself.";
    const statements = await giveRoleSettings(config, { apply });
    if (apply)
      terminal.say("applied; sessions that are open keep what they have: have the pooler connect anew (RECONNECT)");
    return statements.map((statement) => `${statement};`).join("\n");
  } finally {
    host.hasEnded();
  }
}
