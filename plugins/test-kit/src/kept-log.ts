import { type Logger, pino } from "pino";

/** One entry of an app's log: `{ level: 40, msg: "..." }` and what else it says. Levels: 20 debug, 30 info, 40 warn, 50 error. */
export interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly [key: string]: unknown;
}

/** A log that prints nothing and keeps everything. */
export function keepLog(): { readonly log: Logger; readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  const write = (line: string) => void entries.push(JSON.parse(line) as LogEntry);
  return { log: pino({ level: "debug" }, { write }), entries };
}
