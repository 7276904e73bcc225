import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { DatabaseConfig } from "@plinth/core";
import { bundledFile, ON_BUNDLE } from "../bundled-file.js";
import type { Said } from "./serve-fleet.js";

/** The fleet app in a process of its own. */
export interface FleetProcess {
  readonly said: Said;
  /** Resolves when it has ended, however it did. */
  readonly gone: Promise<unknown>;
  /** Kills it at once, as the system would: no handler of the process runs. */
  kill(): Promise<void>;
  /** Lets it stop by itself. */
  end(): Promise<void>;
}

/**
 * Starts the fleet app in a process of its own and waits until it serves or has failed.
 *
 * @param file - of this folder, that serves another app.
 */
export async function startProcess(database: DatabaseConfig, file = "serve-fleet.ts"): Promise<FleetProcess> {
  const bundle = await bundledFile(join(import.meta.dirname, file));
  const child = fork(bundle, [JSON.stringify(database)], { execArgv: ON_BUNDLE });
  const gone = once(child, "exit");
  return {
    ...{ said: await firstWord(child), gone },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** Starts a process that has to come up. */
export async function startServing(
  database: DatabaseConfig,
  file?: string,
): Promise<FleetProcess & { readonly url: string }> {
  const process = await startProcess(database, file);
  if ("failed" in process.said) throw new Error(`the fleet app did not start: ${process.said.failed}`);
  return { ...process, url: process.said.url };
}

function firstWord(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    child.once("message", (said) => resolve(said as Said));
    child.once("exit", (code, signal) =>
      reject(new Error(`the fleet app ended before it was ready: ${code ?? signal}`)),
    );
  });
}
