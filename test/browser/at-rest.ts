import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";

/** How long nothing has to be asked for, in milliseconds. */
const QUIET = 100;
const STEP = 20;
const PATIENCE = 60_000;

/** The requests of a page that are under way, of those that it has sent since they are counted. */
interface CountedRequests {
  /** Waits until none has been under way for a moment; fails with those that are after a minute. */
  rest(): Promise<void>;
  /** Counts no more. */
  stop(): void;
}

/** Counts the requests of a page from now on. */
export function countRequests(page: Page): CountedRequests {
  const underWay = new Set<object>();
  let since = performance.now();
  const begin = (request: object) => underWay.add(request);
  const end = (request: object) => {
    underWay.delete(request);
    since = performance.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  const rest = async () => {
    const latest = performance.now() + PATIENCE;
    since = performance.now();
    while (underWay.size > 0 || performance.now() - since < QUIET) {
      if (performance.now() > latest) throw new Error(`still asks for ${[...underWay].map(String).join(", ")}`);
      await sleep(STEP);
    }
  };
  const stop = () => page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  return { rest, stop };
}
