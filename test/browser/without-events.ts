import type { BrowserContext } from "playwright-core";

const REFUSED = 403;

/** Refuses the stream of events: a page that has one is never without a request under way, and is not waited for then. */
export const withoutEvents = (context: BrowserContext): Promise<unknown> =>
  context.route("**/admin/api/events*", (route) => route.fulfill({ status: REFUSED, body: "{}" }));
