/** How long a save waits for a server that does not answer, in milliseconds. */
const RETRY = 3_000;

/** Tries again when the network is back, and every few seconds: a server that restarts says nothing. @returns what stops it */
export function tryLater(again: () => Promise<unknown>): AbortController {
  const waiting = new AbortController();
  const run = () => void again();
  const timer = setTimeout(run, RETRY);
  waiting.signal.addEventListener("abort", () => clearTimeout(timer));
  addEventListener("online", run, { signal: waiting.signal });
  return waiting;
}
