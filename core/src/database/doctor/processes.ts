import type { Database } from "../driver/database.js";
import { listProcesses } from "../sync/processes.js";
import type { Finding } from "./finding.js";

/** Processes of another content model than this version's: a roll-out that is not over, or was forgotten. */
export async function examineProcesses(db: Database, modelHash: string): Promise<readonly Finding[]> {
  const processes = await listProcesses(db);
  const others = processes.filter(({ model }) => model !== modelHash);
  if (others.length === 0) return [];
  const names = others.map(({ host, version, since }) => `${host} ${version} since ${new Date(since).toISOString()}`);
  const what = `have another content model: ${names.join(", ")}`;
  const advice = "Wait for the end of the roll-out, or restart them; plinth processes lists all.";
  return [{ weight: "warning", kind: "old processes", where: `${others.length} of ${processes.length}`, what, advice }];
}
