import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { type BrowserApp, components, contentTypes, startBrowserApp } from "./browser-app.js";

const ARTICLE = "api::article.article";
const said = (page: Page, text: string | RegExp) => page.getByRole("alertdialog").filter({ hasText: text });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("several languages", () => {
  let started: BrowserApp | undefined;
  const app = () => started as BrowserApp;
  const folder = mkdtempSync(join(tmpdir(), "plinth-languages-"));
  before("start an app whose parts are others in each language", async () => {
    const article = contentTypes[ARTICLE];
    const sections = { ...article.attributes?.["sections"], pluginOptions: { i18n: { localized: true } } };
    const types = { ...contentTypes, [ARTICLE]: { ...article, attributes: { ...article.attributes, sections } } };
    started = await startBrowserApp(folder, { app: { contentTypes: types, components } as never });
  });
  after("stop the app", async () => {
    await started?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = useBrowser();
  let author = "";
  let tags: readonly string[] = [];
  let documentId = "";

  const translate = async (id: string, locale: string, data: Readonly<Record<string, unknown>>) => {
    await app().plinth.app.documents(ARTICLE).update({ documentId: id, locale, data, status: "draft" });
  };
  before("write an article in two languages", async () => {
    author = await app().create("api::author.author", { name: "Ada Lovelace" });
    tags = await Promise.all(
      Array.from({ length: 12 }, (_, n) => app().create("api::tag.tag", { name: `Tag ${n + 1}` })),
    );
    documentId = await app().create(
      ARTICLE,
      {
        ...{ title: "Notes on the Engine", summary: "What it may do.", kind: "news", rank: 3 },
        body: [
          {
            type: "paragraph",
            children: [
              { type: "text", text: "It weaves " },
              { type: "text", bold: true, text: "patterns" },
            ],
          },
        ],
        ...{ author: { connect: [author] }, tags: { connect: tags } },
        seo: { metaTitle: "Notes" },
        sections: [
          { __component: "shared.quote", words: "To be", from: { connect: [author] } },
          { __component: "shared.step", text: "First" },
          { __component: "shared.recipe", name: "Soup", steps: [{ text: "Boil" }, { text: "Eat" }] },
        ],
      },
      "published",
    );
  });

  const openPath = async (path: string, role = "super") => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}${path}`);
    return tab;
  };

  it("begin with what is chosen of another one, relations to the same documents included", async () => {
    const { page, wrong } = await openPath(`/${documentId}`);
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /French/ })
      .click();
    const dialog = page.getByRole("dialog", { name: /^Fill in French/ });
    await dialog.getByRole("group", { name: "Title" }).getByText("Notes on the Engine").waitFor();
    // What is the same in all languages is not offered, and what is empty here is chosen.
    expect(await dialog.getByRole("group", { name: "Rank" }).count()).to.equal(0);
    expect(await dialog.getByRole("checkbox", { name: "All that differ" }).isChecked()).to.equal(true);
    await dialog.getByRole("checkbox", { name: "Summary" }).click();
    await dialog.getByRole("button", { name: /^Take \d+ fields$/ }).click();
    await said(page, "Taken from English (en)").waitFor();
    expect(await field(page, "Title").inputValue()).to.equal("Notes on the Engine");
    expect(await field(page, "Summary").inputValue()).to.equal("");
    await field(page, "Title").fill("Notes sur la machine");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    const french = await app().read(ARTICLE, documentId, "fr");
    expect([french["title"], french["summary"], french["rank"]]).to.deep.equal(["Notes sur la machine", null, 3]);
    expect((french["author"] as { items: { title: string }[] }).items[0]?.title).to.equal("Ada Lovelace");
    // Twelve, of which ten come with the document.
    expect((french["tags"] as { total: number }).total).to.equal(12);
    const sections = french["sections"] as readonly Record<string, unknown>[];
    expect(sections.map(({ words, text, name }) => words ?? text ?? name)).to.deep.equal(["To be", "First", "Soup"]);
    expect(((sections[2]?.["steps"] ?? []) as readonly { text: string }[]).map(({ text }) => text)).to.deep.equal([
      "Boil",
      "Eat",
    ]);
    expect(wrong).to.deep.equal([]);
  });

  it("stand side by side: one field or part is copied by its arrow, by keyboard too, and what is shared stands once", async () => {
    await translate(documentId, "de", {
      ...{
        title: "Notizen",
        sections: [
          { __component: "shared.quote", words: "Sein" },
          { __component: "shared.recipe", name: "Suppe" },
        ],
      },
    });
    const { page, wrong } = await openPath(`/${documentId}?locale=de`);
    await field(page, "Title").waitFor();
    await page.getByRole("complementary").getByRole("button", { name: "Show English (en) beside the form" }).click();
    const take = (what: string) => button(page, `Take ${what} from English (en)`);
    await take("Summary").waitFor();
    expect(new URL(page.url()).searchParams.get("beside")).to.equal("en");
    await page.locator("#place-body").getByText("patterns").waitFor();
    // In line: the two of a pair begin at the same height.
    const [left, right] = await page
      .locator("#place-title")
      .evaluate((place) =>
        [...(place.firstElementChild?.children ?? [])].map((side) => side.getBoundingClientRect().top),
      );
    expect(Math.abs((left ?? 0) - (right ?? 99))).to.be.lessThan(2);
    expect(await page.getByText("The same in all languages").count()).to.be.greaterThan(5);
    expect(await take("Rank").count()).to.equal(0);

    await take("Summary").focus();
    await page.keyboard.press("Enter");
    await said(page, "Taken from English (en): Summary").waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("What it may do.");
    await said(page, "Taken from English (en): Summary").getByRole("button", { name: "Undo" }).click();
    expect(await field(page, "Summary").inputValue()).to.equal("");

    // The first parts are both quotes; the second ones are not of a kind, and the third one is in English only.
    const words = page.locator("#place-sections").getByRole("textbox", { name: "Words" });
    expect(await words.inputValue()).to.equal("Sein");
    await take("Words").click();
    expect(await words.inputValue()).to.equal("To be");
    const extra = page.getByRole("region", { name: "2 Step, only in English (en)" });
    await extra.getByText("First").waitFor();
    await take("2 Step").click();
    await page.getByRole("button", { name: /^2\s*Step/ }).waitFor();
    // Now the third ones are of a kind: what was extra stands beside.
    await page.getByRole("region", { name: "3 Recipe, only in English (en)" }).waitFor({ state: "detached" });
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    const { sections } = (await app().read(ARTICLE, documentId, "de")) as {
      sections: readonly Record<string, unknown>[];
    };
    expect(sections.map(({ words: said, text, name }) => said ?? text ?? name)).to.deep.equal([
      "To be",
      "First",
      "Suppe",
    ]);

    // What others change in the other language is shown.
    await translate(documentId, "en", { summary: "What it may do by now." });
    await page.locator("#place-summary").getByText("What it may do by now.").waitFor();

    await page.getByRole("combobox", { name: "Language beside the form" }).selectOption("ar");
    await page.getByText("This document is not there in Arabic (ar) yet").waitFor();
    await button(page, "Close the other language").click();
    await take("Summary").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.has("beside")).to.equal(false);
    expect(wrong).to.deep.equal([]);
  });

  it("show what differs before they are filled in, and keep what is not chosen", async () => {
    const { page } = await openPath(`/${documentId}?locale=de`);
    await field(page, "Title").waitFor();
    expect(await page.getByRole("dialog").count()).to.equal(0);
    await button(page, "Fill in from another language").click();
    const dialog = page.getByRole("dialog", { name: /^Fill in German/ });
    const title = dialog.getByRole("group", { name: "Title" });
    await title.getByText("Notizen").waitFor();
    await title.getByText("Notes on the Engine").waitFor();
    expect(await title.getByRole("checkbox").isChecked()).to.equal(false);
    await dialog.getByRole("combobox").selectOption("fr");
    await title.getByText("Notes sur la machine").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await field(page, "Title").inputValue()).to.equal("Notizen");
  });

  it("are in a table that says which one is missing, a draft, modified or published, and leads to each", async () => {
    await app().plinth.app.db.query({ text: "delete from articles where title = 'Seulement en français'", values: [] });
    const frenchOnly = await app()
      .plinth.app.documents(ARTICLE)
      .create({ locale: "fr", data: { title: "Seulement en français" } });
    await app()
      .plinth.app.documents(ARTICLE)
      .update({ documentId, data: { summary: "Changed since." }, status: "draft" });
    const { page, wrong } = await openPath("");
    await page.getByRole("row").nth(1).waitFor();
    await button(page, "Languages").click();
    await page.waitForURL(/as=languages/);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("Seulement en français").waitFor();
    const cells = async (name: string) =>
      (await row(name).getByRole("cell").allInnerTexts()).map((text) => text.trim());
    expect(await cells("Notes on the Engine")).to.deep.equal(["Modified", "Draft", "Draft", "Missing"]);
    expect(await cells("Seulement en français")).to.deep.equal(["Missing", "Draft", "Missing", "Missing"]);
    await row("Seulement en français")
      .getByRole("link", { name: "Seulement en français, German (de): Missing" })
      .click();
    await page
      .getByRole("dialog", { name: /^Fill in German/ })
      .getByRole("button", { name: "Start empty" })
      .click();
    expect(await field(page, "Title").inputValue()).to.equal("");
    expect(new URL(page.url()).pathname).to.include(frenchOnly.documentId);
    await page.goBack();
    await row("Notes on the Engine")
      .getByRole("link", { name: /French \(fr\): Draft/ })
      .click();
    await page.waitForURL(/locale=fr/);
    await field(page, "Title").waitFor();
    expect(await field(page, "Title").inputValue()).to.equal("Notes sur la machine");
    expect(wrong).to.deep.equal([]);
  });
});
