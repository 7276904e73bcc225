import type { Locator, Page } from "playwright-core";

/**
 * Types into a box that searches the server, and waits until it shows what was found: options move while an answer
 * comes in, and a click between would land beside them.
 *
 * @returns the one option that was found
 */
export async function findOption(page: Page, box: Locator, text: string): Promise<Locator> {
  const found = page.waitForResponse((response) => new URL(response.url()).searchParams.get("_q") === text);
  await box.fill(text);
  await found;
  await page.getByRole("option").nth(1).waitFor({ state: "hidden" });
  return page.getByRole("option", { name: text });
}
