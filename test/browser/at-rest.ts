import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";

/** How long nothing has to be asked for, in milliseconds. */
const QUIET = 100;
const STEP = 20;
const PATIENCE = 15_000;

/**
 * Counts the requests of a page from now on.
 *
 * @returns waits until none has been under way for a moment; fails with those that are after 15 seconds
 */
export function countRequests(page: Page): () => Promise<void> {
  const underWay = new Set<object>();
  let since = performance.now();
  page.on("request", (request) => underWay.add(request));
  const end = (request: object) => {
    underWay.delete(request);
    since = performance.now();
  };
  page.on("requestfinished", end).on("requestfailed", end);
  return async () => {
    const latest = performance.now() + PATIENCE;
    since = performance.now();
    while (underWay.size > 0 || performance.now() - since < QUIET) {
      if (performance.now() > latest) throw new Error(`still asks for ${[...underWay].map(String).join(", ")}`);
      await sleep(STEP);
    }
  };
}
