import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { DatabaseConfig } from "@plinth/core";
import { ON_BUILT } from "../projects.js";
import type { ContentSize } from "./sample-content.js";

const SERVER = fileURLToPath(new URL("./serve-sample.ts", import.meta.url));

/** The sample app with much content, in a process of its own. */
export interface SampleServer {
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly pid: number;
  readonly database: DatabaseConfig;
  /** Whether the process lives. */
  isAlive(): boolean;
  end(): Promise<void>;
}

/** Starts the process and waits until it serves. */
export async function startSample(database: DatabaseConfig, size: ContentSize): Promise<SampleServer> {
  const child = fork(SERVER, [JSON.stringify(database), JSON.stringify(size)], { execArgv: ON_BUILT });
  const gone = once(child, "exit");
  const url = await urlOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    database,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (said) => resolve((said as { readonly url: string }).url));
    child.once("exit", (code, signal) =>
      reject(new Error(`the sample app ended before it was ready: ${code ?? signal}`)),
    );
  });
}
