import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { countRequests } from "./at-rest.js";
import { findFaults } from "./axe.js";
import { type Tab, useBrowser, WINDOW } from "./browser.js";
import { type Looked, writeLooked } from "./all-screens.js";
import { type BrowserApp, serveBrowserApp } from "./browser-app.js";
import type { Screen } from "./screens.js";
import { withoutEvents } from "./without-events.js";

const ARTICLE = "api::article.article";
/** Where pictures of all screens are put, for a person to look at: with PLINTH_SHOTS=1 only, as four of each screen take time. */
const SHOTS = process.env["PLINTH_SHOTS"] ? join(import.meta.dirname, "shots") : undefined;
const NARROW = { width: 320, height: 640 };
/** Milliseconds. */
const PLACED_WITHIN = 10_000;
const STEP = 50;

/** What depends on nothing but the page is asked once; of the dark page, its colours. */
function rulesOf({ isPopover }: Screen, colorScheme: "light" | "dark"): RunOptions {
  if (colorScheme === "dark") return { runOnly: ["color-contrast"] };
  // React Aria hides all else from screen readers while a popover is open, and closes it when the focus moves there.
  const broken = isPopover ? ["region", "page-has-heading-one", "aria-hidden-focus"] : [];
  return { rules: Object.fromEntries(broken.map((rule) => [rule, { enabled: false }])) };
}

/** What the looks at screens share: the app, what it shows, and a browser. */
export interface Looking {
  readonly app: () => BrowserApp;
  readonly looked: () => Looked;
  /** Looks at each screen; fails with all that are wrong, and not with the first only. */
  each(screens: readonly Screen[], check: (screen: Screen, tab: LookedAt) => Promise<void>): Promise<void>;
}

/** A screen that is shown. */
export interface LookedAt extends Tab {
  /** Waits until nothing is on its way any more; not of a live one: its stream of events always is. */
  rest(): Promise<void>;
}

/** An answer of the app that is no page. */
const NOTHING = "/admin/assets/nothing";

/**
 * Makes a tab as new: without the screen that it shows, and what that has kept. As the next screen is of the same origin, it
 * stays in the process of this one, which has parsed the scripts of the page: that halves the time of a load.
 */
async function clearTab({ context, page }: Tab, origin: string): Promise<void> {
  await context.setOffline(false);
  await page.goto(`${origin}${NOTHING}`);
  await page.evaluate(() => sessionStorage.clear());
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage,indexeddb" });
  await session.detach();
  await page.mouse.move(0, 0);
  await page.setViewportSize(WINDOW);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
}

/** Serves an app in which every screen shows something. */
export function useScreens(): Looking {
  const app = serveBrowserApp();
  const open = useBrowser();
  let looked: Looked | undefined;
  before("write what the screens show", async () => {
    if (SHOTS) mkdirSync(SHOTS, { recursive: true });
    looked = await writeLooked(app(), await writeArticles(app()));
  });
  /** @param shared - the tabs of those who are signed in, by their role */
  const openTab = async ({ isLive, isSignedOut, role = "" }: Screen, shared: Map<string, Tab>): Promise<Tab> => {
    // What is live is seen by others: they come with a browser of their own.
    const name = isLive || isSignedOut ? undefined : role;
    const known = name === undefined ? undefined : shared.get(name);
    if (known) {
      await clearTab(known, app().url);
      return known;
    }
    const tab = await open({ colorScheme: "light" });
    if (!isLive) await withoutEvents(tab.context);
    if (name !== undefined) shared.set(name, tab);
    return tab;
  };
  const look = async (
    screen: Screen,
    shared: Map<string, Tab>,
    check: Parameters<Looking["each"]>[1],
  ): Promise<void> => {
    const tab = await openTab(screen, shared);
    const { rest, stop } = countRequests(tab.page);
    if (!screen.isSignedOut) await app().enter(tab, screen.role);
    await tab.page.goto(`${app().url}/admin${screen.path}`);
    await screen.ready(tab.page);
    await check(screen, { ...tab, rest: screen.isLive ? async () => undefined : rest });
    stop();
    if (![...shared.values()].includes(tab)) await tab.context.close();
  };
  const each: Looking["each"] = async (screens, check) => {
    const failures: string[] = [];
    const shared = new Map<string, Tab>();
    for (const screen of screens) {
      // The others are looked at all the same, in new tabs: one failure says nothing of them.
      await look(screen, shared, check).catch((error: unknown) => {
        shared.clear();
        failures.push(`${screen.name}: ${String(error)}`);
      });
    }
    expect(failures.join("\n")).to.equal("");
  };
  return {
    app,
    each,
    looked: () => {
      if (!looked) throw new TypeError("Nothing has been written.");
      return looked;
    },
  };
}

/** @returns the documentId of an article with a value of every kind, published */
async function writeArticles(app: BrowserApp): Promise<string> {
  const author = await app.create("api::author.author", { name: "Ada Lovelace" });
  const documentId = await app.create(
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
  for (const number of [1, 2, 3]) await app.create(ARTICLE, { title: `Draft ${number}`, kind: "news", rank: number });
  return documentId;
}

/** Has no fault that axe knows, in light and dark, and is no wider than a narrow window, read from either side. */
export async function checkLook(page: Page, screen: Screen): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Without movement: a colour on its way to another one is none that anybody reads.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await takePicture(page, screen, colorScheme);
    expect(await findFaults(page, rulesOf(screen, colorScheme)), colorScheme).to.deep.equal([]);
  }
  await page.setViewportSize(NARROW);
  await takePicture(page, screen, "320");
  await assertFits(page, "width");
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  await takePicture(page, screen, "mirrored");
  await assertFits(page, "width, mirrored");
}

/** Every control is reached by Tab, and the focus is seen. */
export async function checkKeyboard(page: Page): Promise<void> {
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
  await startTabbing(page);
  await page.keyboard.press("Tab");
  const shadow = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).boxShadow);
  expect(shadow, "the focus").not.to.equal("none");
}

/** Presses Tab until something has the focus: Chromium drops the keys of a page that was opened a moment ago. */
async function startTabbing(page: Page): Promise<void> {
  const isOnPage = () => page.evaluate(() => document.activeElement === document.body);
  const end = performance.now() + PLACED_WITHIN;
  do await page.keyboard.press("Tab");
  while ((await isOnPage()) && performance.now() < end);
}

/** What stands above the page is placed anew some frames after the window has changed. */
async function assertFits(page: Page, what: string): Promise<void> {
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
  const end = performance.now() + PLACED_WITHIN;
  while ((await widthOf()) > NARROW.width && performance.now() < end) await page.waitForTimeout(STEP);
  expect(await widthOf(), what).to.be.at.most(NARROW.width);
}

async function takePicture(page: Page, { name, act }: Screen, how: string): Promise<void> {
  // What stands above the page stands in its window.
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}-${how}.png`), fullPage: act === undefined });
}
