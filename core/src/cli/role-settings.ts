import { databaseConfigOf } from "../app/app-database.js";
import { giveRoleSettings } from "../database/driver/role-settings.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { say } from "./terminal.js";

/** The statements for the role of a project's database; none for the embedded one. */
export async function listSettings(root: string, { apply }: { readonly apply: boolean }): Promise<string> {
  const config = databaseConfigOf(await loadSetup(root, codeFormOf(root)));
  try {
    if (config.client === "pglite") return "-- The embedded database has one session, which the app sets itself.";
    const statements = await giveRoleSettings(config, { apply });
    if (apply) say("applied; sessions that are open keep what they have: have the pooler connect anew (RECONNECT)");
    return statements.map((statement) => `${statement};`).join("\n");
  } finally {
    exitWhenIdle();
  }
}
