import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { DatabaseConfig } from "@plinth/core";
import { ON_BUILT } from "../projects.js";

/** The file that serves unless another is named. */
export const SERVER = fileURLToPath(new URL("./serve-load.ts", import.meta.url));

/** Milliseconds for which `/api/heavy` has a connection of the database. */
export const HEAVY = 100;
/** Bytes of the answer of `/api/large`. */
export const LARGE = 150_000;
/** Milliseconds that `/api/slow` takes. */
export const SLOW = 4_000;

/** What the process says of itself. */
export interface Report {
  /** Resident, in megabytes. */
  readonly memory: number;
  /** The most that was resident at any time since the last report, in megabytes. */
  readonly peak: number;
  /** Milliseconds that its event loop was late at most, since the last report. */
  readonly late: number;
  /** Milliseconds of processor, since the last report. */
  readonly processor: number;
}

/** The app of serve-load.ts in a process of its own: it must not share an event loop with hundreds of clients. */
export interface LoadedProcess {
  readonly url: string;
  report(): Promise<Report>;
  end(): Promise<void>;
}

/** Starts it on a database. @param file - what serves, in the manner of serve-load.ts @param options - of node */
export async function startLoaded(
  database: DatabaseConfig,
  file = SERVER,
  options: readonly string[] = [],
): Promise<LoadedProcess> {
  const child = fork(file, [JSON.stringify(database)], { execArgv: [...ON_BUILT, ...options] });
  const gone = once(child, "exit");
  const { url } = (await next(child)) as { readonly url: string };
  return {
    url,
    report: async () => {
      child.send("report");
      return (await next(child)) as Report;
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

async function next(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, "exit", { signal }).then(
    ([code]) => Promise.reject(new TypeError(`it ended before it answered: ${code}`)),
    () => undefined,
  );
  const [said] = (await Promise.race([once(child, "message", { signal }), ended])) as [unknown];
  over.abort();
  return said;
}

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0;
}
