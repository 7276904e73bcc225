import { databaseConfigOf } from "../app/app-database.js";
import { createPlinth } from "../app/create-app.js";
import { connectDatabase } from "../database/driver/connect.js";
import { listProcesses, type ProcessRow } from "../database/sync/processes.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { print, table, withProgress } from "./terminal.js";

/** Characters of a hash that are shown in the table. */
const SHOWN_HASH = 8;

/** Prints the processes that use the configured database, by their start. */
export async function printProcesses(root: string, { json }: { readonly json: boolean }): Promise<void> {
  const setup = await loadSetup(root, codeFormOf(root));
  createPlinth(setup).declareModel();
  const db = await withProgress("connecting", () => connectDatabase(databaseConfigOf(setup)));
  try {
    const processes = await listProcesses(db);
    if (json) print(JSON.stringify(processes, undefined, 2));
    else print(processes.length > 0 ? describeProcesses(processes) : "No process uses this database.");
  } finally {
    await db.close();
    exitWhenIdle();
  }
}

function describeProcesses(processes: readonly ProcessRow[]): string {
  const rows = processes.map(({ id, host, version, model, since, seen }) => [
    id,
    host,
    version === "" ? "-" : version,
    model.slice(0, SHOWN_HASH),
    new Date(since).toISOString(),
    new Date(seen).toISOString(),
  ]);
  return table(["ID", "HOST", "VERSION", "MODEL", "SINCE", "SEEN"], rows);
}
