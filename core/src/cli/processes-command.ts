import type { ProjectCommand } from "../app/command.js";
import { listProcesses, type ProcessRow } from "../database/sync/processes.js";
import type { DeclaredContext } from "./inspect.js";
import { table } from "./terminal.js";

/** Characters of a hash that are shown in the table. */
const SHOWN_HASH = 8;

/** `plinth processes`: those that use the configured database, by their start. */
export const processesCommand: ProjectCommand = {
  description: "list the processes that use the database, with the version and the content model of each",
  async runOnProject({ project, options, print }: DeclaredContext) {
    const processes = await project.withDatabase(listProcesses);
    if (options["json"]) print(JSON.stringify(processes, undefined, 2));
    else print(processes.length > 0 ? describeProcesses(processes) : "No process uses this database.");
  },
};

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
