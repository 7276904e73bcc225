// Asks axe for the faults of a page.
import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** How much of an element is told. */
const SHOWN = 160;

/**
 * Runs axe in a page.
 *
 * @returns each rule that is broken, with the elements that break it
 */
export async function findFaults(page: Page, rules: RunOptions): Promise<readonly string[]> {
  await bringAxe(page);
  // Describing an element takes more time than judging it, so that only faults are described, and only they come back.
  const options: RunOptions = { ...rules, resultTypes: ["violations"] };
  const faults = await page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) }));
  }, options);
  return faults.map(({ id, elements }) => `${id}: ${elements.map((html) => html.slice(0, SHOWN)).join(" | ")}`);
}

/** Once for each page that is loaded: parsing its 650 kB takes longer than many a check. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const isThere = await frame.evaluate(() => "axe" in window);
    if (!isThere) await frame.evaluate(axe.source);
  }
}
