import type { Page } from "playwright-core";

/** Has something typed while the next save of an address is under way. */
export const typingDuring = (page: Page, address: string | RegExp, type: () => Promise<unknown>): Promise<unknown> =>
  page.route(address, async (route) => {
    if (route.request().method() !== "PUT") return await route.fallback();
    await page.unroute(address);
    await type();
    await route.continue();
  });
