import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { focusIs, tabTo } from "./focus.js";

const ARTICLE = "api::article.article";
const PICTURE = join(import.meta.dirname, "../../app-template/sample/analytical-engine.png");
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });

const PARTS = [
  { __component: "shared.quote", words: "first" },
  { __component: "shared.step", text: "second" },
  { __component: "shared.step", text: "third" },
];
const card = (page: Page, name: RegExp) => page.getByRole("button", { name });

describe("journeys by keyboard alone, and by pointer", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const openPath = async (path: string, role = "super") => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin${path}`);
    return tab;
  };
  /** Goes to a field by Tab, and types. */
  const type = async (page: Page, name: RegExp, text: string) => {
    await tabTo(page, name);
    await page.keyboard.type(text);
  };
  const choose = async (page: Page, name: RegExp, text: string) => {
    const found = page.waitForResponse((response) => response.url().includes("_q="));
    await type(page, name, text);
    await found;
    await page.getByRole("option", { name: text }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator("[aria-activedescendant]:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: text, includeHidden: true }).waitFor();
  };

  it("create a document, fill every kind of field, and publish it", async () => {
    await app().create("api::author.author", { name: "Ada Lovelace" });
    await app().create("api::tag.tag", { name: "Keys" });
    const { page, wrong } = await openPath(`/content/${ARTICLE}`);
    // From here on: a browser that is busy would open its own window before it hears that a test waits for it.
    page.on("filechooser", (chooser) => void chooser.setFiles(PICTURE));
    await page.getByRole("link", { name: "Create the first one" }).waitFor();
    await tabTo(page, /^Create the first one$/);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    await type(page, /^Title/, "By keys alone");
    await type(page, /^Summary$/, "No pointer.");
    await type(page, /^Body/, "Words");
    await type(page, /^Notes/, "# Notes");
    // From the one that is chosen, nothing, the arrow leads round to the first.
    await tabTo(page, /^None$/);
    await page.keyboard.press("ArrowDown");
    await type(page, /^Rank$/, "5");
    await type(page, /^Price$/, "1.5");
    await tabTo(page, /^Is hot$/);
    await page.keyboard.press("Space");
    await type(page, /^Day$/, "05062026");
    await type(page, /^At$/, "05062026013000PM");
    await type(page, /^Email$/, "keys@example.com");
    await type(page, /^Settings/, "[1.5]");
    await tabTo(page, /^Upload$/);
    await page.keyboard.press("Enter");
    await focusIs(page, /^Edit analytical-engine.png$/);
    await choose(page, /^Author$/, "Ada Lovelace");
    await focusIs(page, /^Ada Lovelace$/);
    await choose(page, /^Tags$/, "Keys");
    await page.keyboard.press("Escape");
    await tabTo(page, /^Add Seo$/);
    await page.keyboard.press("Enter");
    await focusIs(page, /^Meta title/);
    await page.keyboard.type("Keys");
    await tabTo(page, /^Add Sections$/);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "shared" }).waitFor();
    await tabTo(page, /^Quote$/);
    await page.keyboard.press("Enter");
    await focusIs(page, /^Words/);
    await page.keyboard.type("To be");
    await page.keyboard.press("Control+Shift+Enter");
    await said(page, "Published").waitFor();
    const documentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const stored = await app().read(ARTICLE, documentId);
    expect(stored).to.deep.include({
      ...{ title: "By keys alone", slug: "by-keys-alone", summary: "No pointer.", notes: "# Notes", kind: "news" },
      ...{ rank: 5, price: 1.5, isHot: true, day: "2026-05-06", email: "keys@example.com", settings: [1.5] },
      body: [{ type: "paragraph", children: [{ type: "text", text: "Words" }] }],
    });
    expect(stored["at"]).to.match(/^2026-05-06T/);
    expect(stored).to.have.nested.property("author.items[0].title", "Ada Lovelace");
    expect(stored).to.have.nested.property("tags.total", 1);
    expect(stored).to.have.nested.property("cover.name", "analytical-engine.png");
    expect(stored).to.have.nested.property("seo.metaTitle", "Keys");
    expect(stored).to.have.nested.property("sections[0].words", "To be");
    expect(stored["_facts"]).to.include({ state: "published" });
    expect(wrong).to.deep.equal([]);
  });

  it("reorder and nest parts of a zone", async () => {
    const documentId = await app().create(ARTICLE, {
      title: "Nested",
      sections: [
        { __component: "shared.recipe", name: "Soup", steps: [{ text: "boil" }, { text: "cut" }] },
        { __component: "shared.quote", words: "To eat" },
      ],
    });
    const { page, wrong } = await openPath(`/content/${ARTICLE}/${documentId}`);
    await page.getByRole("button", { name: /Recipe Soup/ }).waitFor();
    await tabTo(page, /Step cut/);
    await page.keyboard.press("Alt+ArrowUp");
    await focusIs(page, /1 Step cut/);
    await tabTo(page, /^Add Steps$/);
    await page.keyboard.press("Enter");
    await focusIs(page, /^Text$/);
    await page.keyboard.type("serve");
    await tabTo(page, /Quote To eat/);
    await page.keyboard.press("Alt+ArrowUp");
    await focusIs(page, /1 Quote To eat/);
    await page.keyboard.press("Control+s");
    await said(page, "Saved").waitFor();
    const { sections } = (await app().read(ARTICLE, documentId)) as {
      readonly sections: readonly { readonly words?: string; readonly steps?: readonly { readonly text: string }[] }[];
    };
    expect(sections.map(({ words, steps }) => words ?? steps?.map(({ text }) => text))).to.deep.equal([
      "To eat",
      ["cut", "boil", "serve"],
    ]);
    expect(wrong).to.deep.equal([]);
  });

  it("write as an author, whose keys publish nothing", async () => {
    const { page, wrong } = await openPath(`/content/${ARTICLE}/new`, "author");
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    await type(page, /^Title/, "By an author");
    await page.keyboard.press("Control+Shift+Enter");
    await page.keyboard.press("Control+s");
    await said(page, "Saved").waitFor();
    const documentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect((await app().read(ARTICLE, documentId))["_facts"]).to.include({ state: "draft" });
    await tabTo(page, /^More actions$/);
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /publish/i }).count()).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });

  it("drag a card by its handle to another place", async () => {
    const documentId = await app().create(ARTICLE, { title: "Dragged", sections: PARTS });
    const { page, wrong } = await openPath(`/content/${ARTICLE}/${documentId}`);
    const handle = card(page, /Quote first/).locator("xpath=preceding-sibling::span");
    await card(page, /Step third/).scrollIntoViewIfNeeded();
    const [start, end] = [await handle.boundingBox(), await card(page, /Step third/).boundingBox()];
    if (!start || !end) throw new TypeError("The cards are not there.");
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(start.x + start.width / 2, start.y + start.height, { steps: 4 });
    await page.mouse.move(end.x + 40, end.y + end.height - 4, { steps: 12 });
    await page.mouse.move(end.x + 42, end.y + end.height - 3, { steps: 4 });
    await page.mouse.up();
    await card(page, /3 Quote first/).waitFor();
    await page.getByRole("log").getByText("Moved to place 3 of 3").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await said(page, "Saved").waitFor();
    const { sections: stored } = (await app().read(ARTICLE, documentId)) as {
      readonly sections: readonly Record<string, unknown>[];
    };
    expect(stored.map(({ words, text }) => words ?? text)).to.deep.equal(["second", "third", "first"]);
    expect(wrong).to.deep.equal([]);
  });
});
