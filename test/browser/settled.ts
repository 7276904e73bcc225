import type { Page } from "playwright-core";

/** Waits until a form says neither that something is not saved nor that it is being saved. */
export const settled = (page: Page) => page.getByText(/^(Not saved|Saving)$/).waitFor({ state: "hidden" });
