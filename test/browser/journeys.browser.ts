import { join } from "node:path";
import { transformStartLines } from "@plinth/core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { findOption } from "./find-option.js";
import { focusIs } from "./focus.js";
import { PASSWORD, serveBrowserApp } from "./browser-app.js";

const ARTICLE = "api::article.article";
const PICTURE = join(import.meta.dirname, "../../app-template/sample/analytical-engine.png");
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const saved = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });

describe("journeys of editors", () => {
  const app = serveBrowserApp();
  const open = useBrowser();

  it("makes the first administrator by the printed link, writes an article, publishes it, and reads it over REST", async () => {
    const tab = await open();
    const { page } = tab;
    const [line] = await app().plinth.app.hooks.waterfall(transformStartLines, [], { url: app().url });
    await page.goto(line?.text ?? "");
    await field(page, "Name").fill("Ada Lovelace");
    await field(page, "E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await button(page, "Create the account").click();
    await page.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Article" }).click();
    await page.getByRole("link", { name: "Create the first one" }).click();
    await field(page, "Title").fill("Written by hand");
    await field(page, "Summary").fill("And published.");
    await button(page, "Publish").click();
    await saved(page, "Published").waitFor();
    await page.waitForURL(/\/content\/api(?::|%3A)/);
    const { app: running } = app().plinth;
    const found = await running.documents(ARTICLE).findMany({ status: "published" });
    expect(found.map(({ title, slug, summary }) => ({ title, slug, summary }))).to.deep.equal([
      { title: "Written by hand", slug: "written-by-hand", summary: "And published." },
    ]);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("signs in, out, and says what is wrong of a refused attempt", async () => {
    const { page } = await open();
    await page.goto(`${app().url}/admin`);
    await field(page, "E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await button(page, "Sign in").click();
    await page.getByText("E-mail address or password is wrong.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor();
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("lists everything that keeps a document from being published, and leads to the field", async () => {
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/new`);
    await button(page, "Add Seo").click();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await button(page, "Publish").click();
    const list = page.getByRole("alert", { name: /things have to be corrected/ });
    await list.waitFor();
    // The end of the form was in the window: the list is brought there.
    await page.waitForFunction(() => {
      const { top = -1, bottom = -1 } = document.querySelector("#problems")?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight;
    });
    expect(await list.getByRole("button").allInnerTexts()).to.deep.equal([
      "Title: This is needed",
      "Seo › Meta title: This is needed",
    ]);
    await list.getByRole("button", { name: /Meta title/ }).click();
    await focusIs(page, /Meta title/);
  });

  it("finds, filters and sorts a list by its address, and keeps it over a reload", async () => {
    for (const [name, rank] of [
      ["Alpha", 1],
      ["Beta", 2],
      ["Gamma", 3],
    ] as const)
      await app().create(ARTICLE, { title: `List ${name}`, rank });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await page.getByRole("searchbox").fill("List");
    await page.getByText("3 documents").waitFor();
    await button(page, "Title").click();
    await page.waitForURL(/sort=title/);
    await page.reload();
    await page.getByText("3 documents").waitFor();
    const titles = await page.locator("tbody tr td:nth-child(2)").allInnerTexts();
    expect(titles).to.deep.equal(["List Alpha", "List Beta", "List Gamma"]);
    await page
      .getByRole("button", { name: "Add a filter" })
      .or(page.getByRole("button", { name: "Filter" }))
      .click();
    await page.getByLabel("Field").selectOption({ label: "Rank" });
    await page.getByLabel("Condition").selectOption({ label: "is at least" });
    await page.getByLabel("Value").fill("3");
    await button(page, "Apply").click();
    await page.getByText("1 document", { exact: true }).waitFor();
    expect(tab.wrong).to.deep.equal([]);
  });

  it("publishes several documents at once, or none", async () => {
    const first = await app().create(ARTICLE, { title: "Bulk one" });
    const second = await app().create(ARTICLE, { title: "Bulk two" });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}?q=Bulk`);
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
    await page.getByText("2 selected").waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    await saved(page, "2 documents published").waitFor();
    for (const documentId of [first, second])
      expect((await app().read(ARTICLE, documentId))["_facts"]).to.include({ state: "published" });
  });

  it("links documents by search, makes one in place, and orders them", async () => {
    for (const name of ["Red", "Green", "Blue"]) await app().create("api::tag.tag", { name });
    const documentId = await app().create(ARTICLE, { title: "With tags" });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    const tags = page.getByRole("combobox", { name: "Tags" });
    for (const name of ["Red", "Blue"]) {
      await (await findOption(page, tags, name)).click();
      await page.getByRole("link", { name, exact: true, includeHidden: true }).waitFor();
    }
    await page.keyboard.press("Escape");
    await button(page, "New Tag").click();
    const drawer = page.getByRole("dialog", { name: "New Tag" });
    await drawer.getByRole("textbox", { name: "Name" }).fill("Violet");
    await drawer.getByRole("button", { name: "Create and link" }).click();
    await button(page, "Move Violet").click();
    await page.getByRole("menuitem", { name: "Move to the top" }).click();
    await button(page, "Save").click();
    await saved(page, "Saved").waitFor();
    const { tags: stored } = (await app().read(ARTICLE, documentId)) as {
      readonly tags: { readonly items: readonly { readonly title: string }[] };
    };
    expect(stored.items.map(({ title }) => title)).to.deep.equal(["Violet", "Red", "Blue"]);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("uploads a picture into a field, describes it, and finds it in the library for another document", async () => {
    const documentId = await app().create(ARTICLE, { title: "With a picture" });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    page.on("filechooser", (chooser) => void chooser.setFiles(PICTURE));
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await page.getByRole("group", { name: "Cover" }).getByRole("button", { name: "Upload" }).click();
    await button(page, "Edit analytical-engine.png").click();
    await field(page, "Alternative text").fill("An engine of brass");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("img", { name: "An engine of brass" }).waitFor();
    await button(page, "Save").click();
    await saved(page, "Saved").waitFor();
    expect((await app().read(ARTICLE, documentId))["cover"]).to.include({ alternativeText: "An engine of brass" });
    await page.goto(`${app().url}/admin/content/${ARTICLE}/new`);
    await button(page, "Choose from the library").click();
    await page.getByRole("button", { name: /^analytical-engine/ }).click();
    await button(page, "Choose 1 file").click();
    await page.getByRole("img", { name: "An engine of brass" }).waitFor();
    expect(tab.wrong).to.deep.equal([]);
  });

  it("adds, moves and removes parts of a zone by keyboard alone", async () => {
    const documentId = await app().create(ARTICLE, {
      title: "With sections",
      sections: [
        { __component: "shared.quote", words: "first" },
        { __component: "shared.step", text: "second" },
        { __component: "shared.step", text: "third" },
      ],
    });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    const third = page.getByRole("button", { name: /Step third/ });
    await third.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Moved to place 1 of 3").waitFor({ state: "attached" });
    await page.keyboard.press("Control+s");
    await saved(page, "Saved").waitFor();
    const { sections } = (await app().read(ARTICLE, documentId)) as {
      readonly sections: readonly Record<string, unknown>[];
    };
    expect(sections.map(({ words, text }) => words ?? text)).to.deep.equal(["third", "first", "second"]);
  });

  it("shows a language of its own for each locale, and starts one that is missing", async () => {
    const documentId = await app().create(ARTICLE, { title: "In English" });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /French/ })
      .click();
    await page.waitForURL(/locale=fr/);
    await button(page, "Start empty").click();
    await field(page, "Title").fill("En français");
    await button(page, "Save").click();
    await saved(page, "Saved").waitFor();
    expect((await app().read(ARTICLE, documentId, "fr"))["title"]).to.equal("En français");
    expect((await app().read(ARTICLE, documentId))["title"]).to.equal("In English");
  });

  it("lets an author write and not publish, and shows no others' articles", async () => {
    await app().create(ARTICLE, { title: "Of somebody else" });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab, "author");
    await page.goto(`${app().url}/admin/content/${ARTICLE}/new`);
    await field(page, "Title").fill("By an author");
    await button(page, "Save").click();
    await saved(page, "Saved").waitFor();
    expect(await button(page, "Publish").count()).to.equal(0);
    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await page.getByRole("link", { name: "By an author" }).waitFor();
    expect(await page.getByText("Of somebody else").count()).to.equal(0);
  });
});
