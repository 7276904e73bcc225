import { mkdirSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { type Tab, useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { allScreens, allStates, writeLooked } from "./all-screens.js";
import type { Screen } from "./screens.js";
import { withoutEvents } from "./without-events.js";

const ARTICLE = "api::article.article";
/** Where pictures of all screens are put, for a person to look at: with PLINTH_SHOTS=1 only, as they take half of the time. */
const SHOTS = process.env["PLINTH_SHOTS"] ? join(import.meta.dirname, "shots") : undefined;
const NARROW = { width: 320, height: 640 };
/** Until nothing is on its way any more; a stream of events always is. */
const rest = async (page: Page, { isLive }: Screen) => {
  if (!isLive) await page.waitForLoadState("networkidle");
};
const WIDE = { width: 1280, height: 800 };

/** What depends on nothing but the page is asked once; of the dark page, its colours. */
function axe(page: Page, { isPopover }: Screen, colorScheme: "light" | "dark"): AxeBuilder {
  const builder = new AxeBuilder({ page });
  if (colorScheme === "dark") return builder.withRules(["color-contrast"]);
  // React Aria hides all else from screen readers while a popover is open, and closes it when the focus moves there.
  return isPopover ? builder.disableRules(["region", "page-has-heading-one", "aria-hidden-focus"]) : builder;
}

describe("every screen of the admin page", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  let all: readonly Screen[] = [];
  let opened: readonly Screen[] = [];
  before("write what the screens show", async function () {
    this.timeout(300_000);
    if (SHOTS) mkdirSync(SHOTS, { recursive: true });
    const author = await app().create("api::author.author", { name: "Ada Lovelace" });
    const documentId = await app().create(
      ARTICLE,
      {
        title: "Notes on the Analytical Engine",
        summary: "What it may do, and what it may not.",
        body: [
          { type: "heading", level: 2, children: [{ type: "text", text: "Of numbers" }] },
          {
            type: "paragraph",
            children: [
              { type: "text", text: "It weaves " },
              { type: "text", bold: true, text: "patterns" },
            ],
          },
        ],
        notes: "# Sources\n\n- one\n- two\n",
        settings: { colour: "blue" },
        author: { connect: [author] },
        seo: { metaTitle: "Notes" },
        sections: [
          { __component: "shared.quote", words: "To be" },
          { __component: "shared.step", text: "Then" },
        ],
      },
      "published",
    );
    for (const number of [1, 2, 3])
      await app().create(ARTICLE, { title: `Draft ${number}`, kind: "news", rank: number });
    const looked = await writeLooked(app(), documentId);
    // Made once: each writes documents of its own.
    all = await allScreens(app(), looked);
    opened = await allStates(app(), looked);
  });

  const show = async (screen: Screen) => {
    const tab = await open({ colorScheme: "light" });
    if (!screen.isLive) await withoutEvents(tab.context);
    if (!screen.isSignedOut) await app().enter(tab, screen.role);
    await tab.page.goto(`${app().url}/admin${screen.path}`);
    await screen.ready(tab.page);
    return tab;
  };

  /** Every `it` tells of all screens that are wrong, and not of the first only. */
  const each = async (shownScreens: readonly Screen[], check: (screen: Screen, tab: Tab) => Promise<void>) => {
    const failures: string[] = [];
    const look = async (screen: Screen) => {
      const tab = await show(screen);
      await check(screen, tab).finally(() => tab.context.close());
    };
    for (const screen of shownScreens) {
      // As whole tests are: what a busy machine was too slow for is tried once more.
      const again = () => look(screen).catch((error: unknown) => failures.push(`${screen.name}: ${String(error)}`));
      await look(screen).catch(again);
    }
    expect(failures.join("\n")).to.equal("");
  };

  it("has nothing that axe objects to, fits 320 pixels, is reached by keyboard, and is mirrored in Arabic", async function () {
    this.timeout(900_000);
    this.retries(0);
    await each(all, async (screen, { page, wrong }) => {
      await rest(page, screen);
      await checkKeyboard(page);
      await checkLook(page, screen);
      await checkMirrored(page, screen);
      expect(wrong).to.deep.equal([]);
    });
  });

  it("is as good when something is open, or was said", async function () {
    this.timeout(900_000);
    this.retries(0);
    await each(opened, async (screen, { page, wrong }) => {
      await screen.act?.(page);
      await rest(page, screen);
      await checkLook(page, screen);
      expect(wrong).to.deep.equal([]);
    });
  });
});

/** Has no fault that axe knows, in light and dark, and is no wider than a narrow window. */
async function checkLook(page: Page, screen: Screen): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Without movement: a colour on its way to another one is none that anybody reads.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await takePicture(page, screen, colorScheme);
    const { violations } = await axe(page, screen, colorScheme).analyze();
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    expect(told, colorScheme).to.deep.equal([]);
  }
  await page.setViewportSize(NARROW);
  await takePicture(page, screen, "320");
  expect(await page.evaluate(() => document.documentElement.scrollWidth), "width").to.be.at.most(NARROW.width);
}

/** Every control is reached by Tab, and the focus is seen. */
async function checkKeyboard(page: Page): Promise<void> {
  const missing = await page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea");
    return [...controls]
      .filter(
        (control) =>
          control.tabIndex < 0 &&
          control.offsetParent &&
          !control.closest("[role=toolbar], [role=radiogroup], [role=grid], [inert]") &&
          !control.closest("[aria-hidden=true]"),
      )
      .map((control) => control.outerHTML.slice(0, 120));
  });
  expect(missing, "cannot be reached by Tab").to.deep.equal([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const shadow = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).boxShadow);
  expect(shadow, "the focus").not.to.equal("none");
}

/** The same page for a reader of Arabic. */
async function checkMirrored(page: Page, screen: Screen): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.evaluate(() => localStorage.setItem("plinth-language", "ar"));
  await page.goto("about:blank");
  await page.goBack();
  await screen.ready(page);
  await rest(page, screen);
  expect(await page.locator("html").getAttribute("dir")).to.equal("rtl");
  await takePicture(page, screen, "ar");
}

async function takePicture(page: Page, { name, act }: Screen, how: string): Promise<void> {
  // What stands above the page stands in its window.
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}-${how}.png`), fullPage: act === undefined });
}
