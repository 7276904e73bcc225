import { join, relative } from "node:path";
import { watch } from "chokidar";
import { AppProcess } from "./app-process.js";
import { ChangeQueue } from "./change-queue.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { say, secondsSince } from "./terminal.js";

const WATCHED = ["config", "src", "database", "package.json", ".env"];

/**
 * Serves a project's sources in a process of their own, and starts them anew after each change; a start that fails is
 * reported and waits for the next change. Resolves when the process is asked to end.
 */
export async function develop(root: string, { debug = false }: { readonly debug?: boolean }): Promise<void> {
  const changes = new ChangeQueue();
  const watcher = watch(WATCHED, {
    cwd: root,
    ignoreInitial: true,
    ignored: (path) => /(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(relative(root, path)),
  });
  watcher.on("all", (_event, path) => changes.add(path));
  watcher.on("error", (error) => say(`cannot watch the files: ${String(error)}`));
  stopOnSignal(async () => {
    changes.end();
    await watcher.close();
    await running;
  });
  const running = serveUntilEnd(changes, () => new AppProcess(root, debug ? ["--debug"] : []));
  await running;
}

async function serveUntilEnd(changes: ChangeQueue, startApp: () => AppProcess): Promise<void> {
  for (let changed: readonly string[] | undefined = []; changed; ) {
    const since = performance.now();
    const app = startApp();
    const next = changes.next();
    const outcome = await Promise.race([app.started, next.then(() => "changed" as const)]);
    if (outcome === "ready" && changed.length > 0)
      say(`restarted in ${secondsSince(since)} after a change of ${describe(changed)}`);
    if (outcome === "failed") say("the app does not run; waiting for a change ...");
    if (outcome === "ready")
      void app.ended.then((wasWanted) => wasWanted || say("the app has ended; waiting for a change ..."));
    changed = await next;
    await app.stop();
  }
}

function describe(paths: readonly string[]): string {
  const [first = "", ...others] = paths.map((path) => join(path));
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
