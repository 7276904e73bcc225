import { spawn } from "node:child_process";
import { once } from "node:events";
import { DrillRestoreError } from "./errors.js";

/** What is to be restored, and where to. */
export interface RestoreTask {
  /** For a shell. */
  readonly command: string;
  /** URL of the scratch database. */
  readonly database: string;
  /** ISO 8601: as of when. */
  readonly time: string;
  /** The same moment in PostgreSQL's log, such as `0/1A2B3C`; empty where it is not known. */
  readonly position: string;
}

/**
 * Runs the command that restores a backup; what it prints goes to stderr. It gets `PLINTH_DRILL_DATABASE`,
 * `PLINTH_DRILL_TIME` and `PLINTH_DRILL_POSITION`.
 *
 * @throws PLINTH_DRILL_RESTORE_FAILED (500) when it ends with another code than 0
 */
export async function runRestore({ command, database, time, position }: RestoreTask): Promise<void> {
  const env = {
    ...process.env,
    PLINTH_DRILL_DATABASE: database,
    PLINTH_DRILL_TIME: time,
    PLINTH_DRILL_POSITION: position,
  };
  const child = spawn(command, { shell: true, env, stdio: ["ignore", process.stderr, process.stderr] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (code !== 0) throw new DrillRestoreError({ command, reason: `it ended with ${code ?? signal}` });
}
