import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { watch } from "chokidar";
import type { ServingState } from "./process-messages.js";
import { stopOnSignal } from "../stop-on-signal.js";
import { say, secondsSince } from "../terminal.js";
import { AppProcess } from "./app-process.js";
import { ChangeQueue } from "./change-queue.js";
import { WAITING } from "./write-sources.js";

const WATCHED = ["config", "src", "database", "package.json", ".env"];

/** Files that node reads only once. */
const NEEDS_PROCESS = "package.json";

/** How long a process may work on a change when the next one comes, in milliseconds; then a new process replaces it. */
const WORK_LIMIT = 60_000;

/** How sources are served. */
export interface DevelopOptions {
  /** Whether failures are printed with their stack. */
  readonly debug?: boolean;
  /** The port on which a debugger may attach to the process of the app; true: 9229. */
  readonly inspect?: string | true;
}

/**
 * Serves a project's sources in a process of their own, and again after each change; a version that does not start is
 * reported, and the last working one keeps serving. Resolves when this process is asked to end.
 */
export async function develop(root: string, { debug = false, inspect }: DevelopOptions): Promise<void> {
  const nodeFlags = inspect === undefined ? [] : [`--inspect=127.0.0.1:${inspect === true ? 9229 : inspect}`];
  const changes = new ChangeQueue();
  const watcher = watch(WATCHED, {
    cwd: root,
    ignoreInitial: true,
    ignored: (path) => path.endsWith(WAITING) || /(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(relative(root, path)),
  });
  watcher.on("all", (_event, path) => changes.add(path));
  watcher.on("error", (error) => say(`cannot watch the files: ${String(error)}`));
  stopOnSignal(async () => {
    changes.end();
    await watcher.close();
    await running;
  });
  const running = serveUntilEnd(changes, () => new AppProcess(root, { flags: debug ? ["--debug"] : [], nodeFlags }));
  await running;
}

type Changed = readonly string[] | undefined;

async function serveUntilEnd(changes: ChangeQueue, startApp: () => AppProcess): Promise<void> {
  for (let changed: Changed = []; changed; ) {
    const app = startApp();
    changed = await serveByOne(app, changed, changes);
    await app.stop();
  }
}

/** Serves by one process as long as that can. @returns the change that needs another one; undefined at the end */
async function serveByOne(app: AppProcess, first: readonly string[], changes: ChangeQueue): Promise<Changed> {
  let changed = first;
  let work = report(app.started, changed);
  // A project that does not start waits for a change.
  let isOver = work.then(() => false);
  void reportEnd(app);
  for (;;) {
    const next = changes.next();
    if (await Promise.race([isOver, next.then(() => false)])) return changed;
    const paths = await next;
    const state = paths && (await Promise.race([work, sleep(WORK_LIMIT, "busy" as const, { ref: false })]));
    if (!paths || state === "busy" || state === "failed" || paths.includes(NEEDS_PROCESS)) return paths;
    changed = paths;
    work = report(app.reload(changed), changed);
    isOver = work.then((outcome) => outcome === "outdated" || outcome === "failed");
  }
}

/** Prints the result of a change; the process has printed its errors. */
async function report(
  work: Promise<ServingState | "failed">,
  changed: readonly string[],
): Promise<ServingState | "failed"> {
  const since = performance.now();
  const state = await work;
  if (state === "ready" && changed.length > 0)
    say(`restarted in ${secondsSince(since)} after a change of ${describe(changed)}`);
  if (state === "kept") say(`the version before the change of ${describe(changed)} goes on serving`);
  return state;
}

async function reportEnd(app: AppProcess): Promise<void> {
  const state = await app.started;
  if (state !== "failed" && !(await app.ended)) say("the app has ended; waiting for a change ...");
  if (state === "failed" && !(await app.ended)) say("the app does not run; waiting for a change ...");
}

function describe(paths: readonly string[]): string {
  const [first = "", ...others] = paths.map((path) => join(path));
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
