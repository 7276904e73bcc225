// Notifies a script that it should end: by a signal, or because the npm that ran it is gone. Node built-ins only.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_CHECK = 200;
// Read at once: the parent may be gone before the first call.
const PARENT = process.ppid;

/**
 * Calls back when this process should end, each time.
 *
 * npm runs a script in a shell and hands signals to that shell only, which dies and leaves the script behind.
 * So, below npm, losing the parent counts as SIGTERM.
 *
 * @param {(signal: string) => void} end
 */
export function whenEnded(end) {
  for (const signal of SIGNALS) process.on(signal, () => end(signal));
  if (!process.env.npm_lifecycle_event) return;
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    end("SIGTERM");
  }, PARENT_CHECK);
  timer.unref();
}
