import { toDatabaseError } from "./driver-error.js";
import type { PostgresConfig } from "./config.js";
import { findEngine } from "./engine.js";
import { clientAddress } from "./host-list.js";
import { openPostgres } from "./postgres.js";
import { roleStatements, sessionSettings, withSettings } from "./session-settings.js";

/**
 * The statements that give the role of an app, in its database, the settings that its sessions need: behind a pooler they
 * come from nowhere else. They hold for sessions that begin later.
 *
 * @param options - `apply`: runs them too, past the pooler. A role may do that for itself.
 * @throws PLINTH_DATABASE_UNREACHABLE (503)
 */
export async function giveRoleSettings(
  config: PostgresConfig,
  { apply }: { readonly apply: boolean },
): Promise<readonly string[]> {
  const driver = openPostgres(config);
  const client = driver.connectDirect?.();
  // The statement that waits for its answer gets the error.
  client?.on("error", () => undefined);
  try {
    await client?.connect();
    const found = await client?.query<{ own: string; name: string }>(
      "select session_user as own, current_database() as name",
    );
    const { own = "", name = "" } = found?.rows[0] ?? {};
    const engine = config.engine ?? (await findEngine(async (text) => (await client?.query<object>(text))?.rows ?? []));
    const role = withSettings(clientAddress(config.connection), {}).user ?? own;
    const statements = roleStatements(sessionSettings({ ...config, engine }), role, name);
    if (apply) for (const text of ["begin", ...statements, "commit"]) await client?.query(text);
    return statements;
  } catch (error) {
    throw toDatabaseError(error, driver);
  } finally {
    await client?.leave();
    await driver.close();
  }
}
