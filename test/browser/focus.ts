import type { Page } from "playwright-core";

/** How long a focus is waited for, and how many controls are passed on the way to one. */
const PATIENCE = 60_000;
const MAX_STEPS = 120;

/** The name of what has the focus, as a reader sees it; empty where nothing has. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (!(at instanceof HTMLElement) || at === document.body) return "";
    const ids = at.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labelled = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const label = at.id === "" ? undefined : document.querySelector(`label[for="${CSS.escape(at.id)}"]`)?.textContent;
    const name = at.getAttribute("aria-label") || labelled || label || at.closest("label")?.textContent || at.innerText;
    return name.replace(/\s+/g, " ").trim();
  });

/** Waits until what has a name has the focus. */
export async function focusIs(page: Page, wanted: RegExp): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!wanted.test(await focused(page))) {
    if (Date.now() > end) throw new Error(`The focus is on "${await focused(page)}", and not on ${wanted.source}.`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Goes to what has a name by the Tab key. */
export async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const name = await focused(page);
    if (wanted.test(name)) return;
    passed.push(name);
    await page.keyboard.press("Tab");
  }
  throw new Error(`No Tab leads to ${wanted.source}: ${passed.join(" | ")}`);
}
