import type { BrowserContext } from "playwright-core";

/**
 * Refuses the stream of events: a page that has one is never without a request under way, and is not waited for then. In the
 * page itself: a route of Playwright would have every request pass through the test, and turn the cache of the browser off.
 */
export const withoutEvents = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const isStream = address.includes("/admin/api/events");
      return isStream ? Promise.resolve(new Response("{}", { status: 403 })) : send(input, init);
    };
  });
