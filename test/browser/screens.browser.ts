import { mkdirSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { type Screen, screens, states } from "./screens.js";
import { languageScreens, languageStates } from "./screens-languages.js";

const ARTICLE = "api::article.article";
const SHOTS = join(import.meta.dirname, "shots");
const NARROW = { width: 320, height: 640 };

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
  let shown = "";
  before("write what the screens show", async () => {
    mkdirSync(SHOTS, { recursive: true });
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
    shown = documentId;
    all = [...screens(documentId), ...(await languageScreens(app()))];
  });

  const show = async (
    screen: Screen,
    options: Parameters<typeof open>[0],
    settings: Readonly<Record<string, string>> = {},
  ) => {
    const tab = await open(options);
    if (!screen.isSignedOut) await app().enter(tab, screen.role);
    await tab.page.addInitScript((pairs) => {
      for (const [key, value] of Object.entries(pairs)) localStorage.setItem(key, value);
    }, settings);
    await tab.page.goto(`${app().url}/admin${screen.path}`);
    return tab;
  };

  it("has nothing that axe objects to in light and dark, and is no wider than a window of 320 pixels", async function () {
    this.timeout(300_000);
    for (const screen of [...all, ...(await states(app(), shown)), ...(await languageStates(app()))]) {
      const { page, wrong } = await show(screen, { colorScheme: "light" });
      await screen.ready(page);
      await screen.act?.(page);
      await page.waitForLoadState("networkidle");
      // What stands above the page stands in its window.
      const fullPage = screen.act === undefined;
      for (const colorScheme of ["light", "dark"] as const) {
        // Without movement: a colour on its way to another one is none that anybody reads.
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.screenshot({ path: join(SHOTS, `${screen.name}-${colorScheme}.png`), fullPage });
        const { violations } = await axe(page, screen, colorScheme).analyze();
        const told = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
        );
        expect(told, `${screen.name} ${colorScheme}`).to.deep.equal([]);
      }
      await page.setViewportSize(NARROW);
      await page.screenshot({ path: join(SHOTS, `${screen.name}-320.png`), fullPage });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, screen.name).to.be.at.most(NARROW.width);
      expect(wrong, screen.name).to.deep.equal([]);
      await page.context().close();
    }
  });

  it("is mirrored for readers of Arabic", async function () {
    this.timeout(180_000);
    for (const screen of all) {
      const { page } = await show(screen, { locale: "ar" }, { "plinth-language": "ar" });
      await screen.ready(page);
      await page.waitForLoadState("networkidle");
      expect(await page.locator("html").getAttribute("dir"), screen.name).to.equal("rtl");
      await page.screenshot({ path: join(SHOTS, `${screen.name}-ar.png`), fullPage: true });
      await page.context().close();
    }
  });

  it("reaches every control by keyboard, with a focus that is seen", async function () {
    this.timeout(180_000);
    for (const screen of all) {
      const { page } = await show(screen, {});
      await screen.ready(page);
      await page.waitForLoadState("networkidle");
      const missing = await page.evaluate(() => {
        const controls = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea");
        return [...controls]
          .filter(
            (control) =>
              control.tabIndex < 0 &&
              control.offsetParent &&
              !control.closest("[role=toolbar], [role=radiogroup], [inert]") &&
              !control.closest("[aria-hidden=true]"),
          )
          .map((control) => control.outerHTML.slice(0, 120));
      });
      expect(missing, screen.name).to.deep.equal([]);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      const shadow = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).boxShadow);
      expect(shadow, screen.name).not.to.equal("none");
      await page.context().close();
    }
  });
});
