import { get } from "node:http";
import { connect } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const TIMEOUT = 3_000;
const PAUSE = 20;

/** What keeps the process alive, by kind and number: `{ TCPSocketWrap: 2 }`. Pipes of the terminal are left out. */
export async function liveResources(): Promise<Readonly<Record<string, number>>> {
  // The runner starts the clock of a test after the first synchronous part of it.
  await setImmediate();
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().filter((name) => !NOT_OURS.has(name)))
    counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The test runner's own timers, what it prints to, and file operations of others that are about to end. */
const NOT_OURS = new Set(["PipeWrap", "TTYWrap", "FSReqCallback", "FSReqPromise", "Immediate"]);

/** Kinds of which there are more than before, once what is ending has had time to end. */
export async function leftBehind(before: Readonly<Record<string, number>>): Promise<readonly string[]> {
  for (const start = performance.now(); ; await sleep(PAUSE)) {
    const now = Object.entries(await liveResources());
    const more = now
      .filter(([kind, count]) => count > (before[kind] ?? 0))
      .map(([kind, count]) => `${kind}: ${count} instead of ${before[kind] ?? 0}`);
    if (more.length === 0 || performance.now() - start > TIMEOUT) return more;
  }
}

/** Bytes in use after a garbage collection. */
export function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** The status of an answer, over a connection that is not kept. */
export function statusOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) =>
      response.resume().once("end", () => resolve(response.statusCode ?? 0)),
    ).once("error", reject);
  });
}

/** Whether something listens there. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once("connect", () => socket.destroy()).once("error", () => undefined);
    let isConnected = false;
    socket.once("connect", () => (isConnected = true)).once("close", () => resolve(isConnected));
  });
}
