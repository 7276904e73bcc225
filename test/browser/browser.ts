import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { readJournals } from "./journal.js";

/** How long a browser waits for what a test asks of it, in milliseconds. */
const PATIENCE = 60_000;

/** The size of a tab, in pixels. */
export const WINDOW = { width: 1280, height: 800 };

/** A tab, and what went wrong in it. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, refusals of the content security policy, and answers of 500 and above. */
  readonly wrong: readonly string[];
}

/** One for all suites of this process: a start takes its four processes more than a second of processor. */
let running: Promise<Browser> | undefined;

after("end Chromium", endChromium);

/** Opens tabs for the tests of a suite; each is closed after its test. */
export function useBrowser(): (options?: BrowserContextOptions) => Promise<Tab> {
  const contexts: BrowserContext[] = [];
  before("start Chromium", async () => {
    await startChromium();
  });
  afterEach("close the tabs", async function () {
    const isPassed = this.currentTest?.state === "passed";
    if (!isPassed) await printTabs(contexts);
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    if (isPassed) return;
    // What went wrong may be the browser's: the next test has another one.
    await endChromium();
  });
  return async (options = {}) => {
    const browser = await startChromium();
    const context = await browser.newContext({ locale: "en-US", viewport: WINDOW, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    return { page, context, wrong: watch(page) };
  };
}

/** Starts the browser of this process, unless it runs. */
function startChromium(): Promise<Browser> {
  const executablePath = process.env["PLINTH_CHROMIUM"];
  if (!executablePath) throw new TypeError("PLINTH_CHROMIUM is not set: run npm run test:browser.");
  running ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--force-prefers-reduced-motion"] });
  return running;
}

async function endChromium(): Promise<void> {
  const ended = running;
  running = undefined;
  await (await ended)?.close();
}

/** What the tabs of a failed test showed, and what their browser kept: what passes the next time is not found otherwise. */
async function printTabs(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const text = await page.locator("body").innerText({ timeout: 1_000 }).catch(String);
    const shown = text.replace(/\s*\n\s*/g, " | ");
    const cut = shown.length > 3_000 ? `${shown.slice(0, 2_000)} ... ${shown.slice(-1_000)}` : shown;
    const kept = page.evaluate(readJournals).catch(String);
    const late = new Promise((done) => setTimeout(done, 1_000, "the page does not answer"));
    console.error(`--- ${page.url()}\n${cut}\n--- journals: ${await Promise.race([kept, late])}`);
  }
}

/** What a reader would have seen going wrong. A refused sign-in is an answer, and no error. */
function watch(page: Page): readonly string[] {
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Uncaught|React/.test(message.text())) wrong.push(message.text());
  });
  page.on("response", (response) => {
    if (response.status() >= 500) wrong.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return wrong;
}
