import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { expectSoon } from "./expect-soon.js";

const ARTICLE = "api::article.article";
const TAG = "api::tag.tag";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const titles = (page: Page) => page.locator("tbody tr td:nth-child(2)").allInnerTexts();
const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

/** Drags by steps: the browser's own drag and drop begins with the second. */
async function dragTo(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new TypeError("There is nothing to drag.");
  await page.mouse.move(start.x + 8, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 8, start.y, { steps: 4 });
  await page.mouse.move(end.x + 8, end.y + 3, { steps: 8 });
  await page.mouse.up();
}

describe("the list of documents", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const visit = async (address: string) => {
    const tab = await open();
    await app().enter(tab);
    await tab.page.goto(`${app().url}/admin/content/${address}`);
    return tab;
  };
  const tagIds: string[] = [];
  before("write documents", async () => {
    for (let number = 1; number <= 30; number += 1) tagIds.push(await app().create(TAG, { name: `Tag ${number}` }));
  });

  it("leaves out what it does not understand of its address", async () => {
    const { page, wrong } = await visit(`${TAG}?columns=name,gone&size=many&cursor=7`);
    await row(page, "Tag 30").waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("goes back a page after a reload, and after coming back from a document", async () => {
    const { page, wrong } = await visit(TAG);
    await row(page, "Tag 30").waitFor();
    await button(page, "Next").click();
    await row(page, "Tag 5").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Tag 3", exact: true }).click();
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await page.goBack();
    await row(page, "Tag 5").waitFor();
    await button(page, "Previous").click();
    await row(page, "Tag 30").waitFor();
    expect(await button(page, "Previous").isDisabled()).to.equal(true);
    expect(wrong).to.deep.equal([]);
  });

  it("shows at once what a form saved, made and deleted", async () => {
    const documentId = await app().create(ARTICLE, { title: "Before" });
    const { page } = await visit(ARTICLE);
    await page.getByRole("link", { name: "Before", exact: true }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("After");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Article" }).last().click();
    await row(page, "After").waitFor();
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No Article yet").waitFor();
  });

  it("follows its address in the search box, and is moved through by keys that it lists", async () => {
    const { page } = await visit(`${TAG}?q=Tag 2`);
    const box = page.getByRole("searchbox");
    await row(page, "Tag 29").waitFor();
    await box.fill("nothing of the kind");
    await button(page, "Clear search and filters").click();
    await row(page, "Tag 30").waitFor();
    expect(await box.inputValue()).to.equal("");
    await page.locator("body").press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).to.equal("Tag 29");
    expect(await titles(page)).to.deep.equal([]);
  });

  it("filters by every kind of attribute, by state, by what a relation leads to, and by groups", async () => {
    const ada = await app().create("api::author.author", { name: "Ada" });
    const bob = await app().create("api::author.author", { name: "Bob" });
    const at = new Date("2026-03-01T23:30:00").toISOString();
    const tags = { connect: tagIds.slice(-2) };
    await app().create(ARTICLE, { title: "One", rank: 1, kind: "news", at, author: { connect: [ada] }, tags });
    await app().create(ARTICLE, { title: "Two", rank: 2, isHot: true, author: { connect: [bob] } }, "published");
    const three = { title: "Three", rank: 3, kind: "opinion", seo: { metaTitle: "Meta" } };
    const documentId = await app().create(ARTICLE, { ...three, rank: 9 }, "published");
    await app().plinth.app.documents(ARTICLE).update({ documentId, data: three });
    const { page, wrong } = await visit(ARTICLE);
    const shows = async (...expected: readonly string[]) => {
      await page.getByText(`${expected.length} document${expected.length === 1 ? "" : "s"}`, { exact: true }).waitFor();
      expect(await titles(page)).to.have.members(expected);
    };
    await shows("One", "Two", "Three");
    const filter = async (fields: readonly string[], condition: string, ...values: readonly string[]) => {
      await button(page, "Filter").click();
      const panel = page.getByRole("dialog", { name: "Add a filter" });
      for (const [level, name] of fields.entries())
        await panel.getByRole("combobox").nth(level).selectOption({ label: name });
      await panel.getByLabel("Condition").selectOption({ label: condition });
      const inputs = panel.locator("input:not([type=checkbox]):not([type=search])");
      for (const [index, value] of values.entries()) {
        const check = panel.getByRole("checkbox", { name: value, exact: true });
        if ((await inputs.count()) > index) await inputs.nth(index).fill(value);
        else if ((await panel.getByLabel("Value", { exact: true }).count()) > 0)
          await panel.getByLabel("Value", { exact: true }).selectOption({ label: value });
        else await check.click();
      }
      await button(page, "Apply").click();
      await panel.waitFor({ state: "hidden" });
    };
    const chip = (text: string) => page.getByRole("button", { name: text, exact: true });
    const only = async (text: string, ...expected: readonly string[]) => {
      await chip(text).waitFor();
      await shows(...expected);
      await page.getByRole("button", { name: `Remove the filter ${text}` }).click();
      await shows("One", "Two", "Three");
    };
    await filter(["Rank"], "is between", "2", "3");
    await only("Rank is between 2 and 3", "Two", "Three");
    await filter(["At"], "is on", "2026-03-01");
    await only("At is on Mar 1, 2026", "One");
    await filter(["Updated"], "is in the last days", "2");
    await only("Updated in the last 2 days", "One", "Two", "Three");
    await filter(["Kind"], "is one of", "news", "opinion");
    await only("Kind is one of news, opinion", "One", "Three");
    await filter(["Status"], "is one of", "Modified");
    await only("Status is one of Modified", "Three");
    await filter(["Status"], "is one of", "Draft", "Modified");
    await only("Status is one of Draft, Modified", "One", "Three");
    await filter(["Status"], "is not", "Published");
    await only("Status is not Published", "One", "Three");
    await filter(["Is hot"], "is", "Yes");
    await only("Is hot is Yes", "Two");
    await filter(["Cover"], "has no file");
    await only("Cover has no file", "One", "Two", "Three");
    await filter(["Author", "Name"], "starts with", "A");
    await only("Author › Name starts with A", "One");
    await filter(["Tags"], "has none of", "Tag 30");
    await only("Tags has none of Tag 30", "Two", "Three");
    await filter(["Seo", "Meta title"], "contains", "met");
    await only("Seo › Meta title contains met", "Three");
    await filter(["Author"], "is one of", "Bob");
    await chip("Author is one of Bob").waitFor();
    await shows("Two");
    await chip("Author is one of Bob").click();
    await button(page, "Or another condition").click();
    await page.getByLabel("Field").selectOption({ label: "Rank" });
    await page.getByLabel("Condition").selectOption({ label: "is at least" });
    await page.getByLabel("Value").fill("3");
    await button(page, "Apply").click();
    await shows("Two", "Three");
    await page.reload();
    await chip("Author is one of Bob").waitFor();
    await shows("Two", "Three");
    expect(wrong).to.deep.equal([]);
  });

  it("chooses columns and their order by keys and by pointer, in the address and for the next time", async () => {
    await app().create(ARTICLE, { title: "Columns", rank: 7 });
    const { page, wrong } = await visit(ARTICLE);
    await row(page, "Columns").waitFor();
    await button(page, "Columns").click();
    const panel = page.getByRole("dialog", { name: "Choose columns" });
    await panel.getByRole("button", { name: "Reset" }).waitFor();
    while ((await panel.getByRole("checkbox", { checked: true }).count()) > 0)
      await panel.getByRole("checkbox", { checked: true }).first().click();
    for (const name of ["Rank", "Kind", "Day"]) await panel.getByRole("checkbox", { name, exact: true }).click();
    const order = () => panel.locator("label", { has: page.locator(":checked") }).allInnerTexts();
    expect(await order()).to.deep.equal(["Rank", "Kind", "Day"]);
    await panel.getByRole("checkbox", { name: "Day", exact: true }).press("Alt+ArrowUp");
    await expectSoon(order, ["Rank", "Day", "Kind"]);
    await panel.getByRole("button", { name: "Move Rank down" }).click();
    await expectSoon(order, ["Day", "Rank", "Kind"]);
    await dragTo(page, panel.locator("[draggable=true]").nth(2), panel.locator("[draggable=true]").nth(0));
    await expectSoon(order, ["Kind", "Day", "Rank"]);
    await page.keyboard.press("Escape");
    await page.waitForURL(/columns=/);
    const heads = () => page.getByRole("columnheader").allInnerTexts();
    const shown = ["Title", "Kind", "Day", "Rank"];
    expect((await heads()).slice(1, 5)).to.deep.equal(shown);
    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await row(page, "Columns").waitFor();
    expect((await heads()).slice(1, 5)).to.deep.equal(shown);
    expect(wrong).to.deep.equal([]);
  });

  it("publishes, duplicates and deletes a row by its menu", async () => {
    await app().create(ARTICLE, { title: "Row" });
    const { page, wrong } = await visit(`${ARTICLE}?q=Row`);
    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions for Row" }).first().click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    const confirm = (name: string) => page.getByRole("alertdialog").getByRole("button", { name }).click();
    await act("Publish");
    await confirm("Publish");
    await row(page, "Row").getByText("Published").waitFor();
    await act("Unpublish");
    await confirm("Unpublish");
    await row(page, "Row").getByText("Draft").waitFor();
    await act("Duplicate");
    await page.getByText("2 documents", { exact: true }).waitFor();
    await act("Delete");
    await confirm("Delete");
    await page.getByText("1 document", { exact: true }).waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("sets a value of the selected rows of all pages, once one is chosen", async () => {
    const { page, wrong } = await visit(TAG);
    await row(page, "Tag 30").waitFor();
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
    await button(page, "Next").click();
    await row(page, "Tag 5").waitFor();
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
    await page.getByText("30 selected").waitFor();
    await button(page, "Set a value").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("textbox", { name: "Name" }).waitFor();
    expect(await button(page, "Set").isDisabled()).to.equal(true);
    await dialog.getByRole("textbox", { name: "Name" }).fill("The same");
    await button(page, "Set").click();
    await page.getByText("30 documents changed").waitFor();
    await row(page, "The same").first().waitFor();
    // Nothing is left on the last page: the one before it is shown.
    expect(page.url()).to.contain("cursor=");
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
    await button(page, "Delete").click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.waitForURL((url) => !url.searchParams.has("cursor"));
    await row(page, "The same").first().waitFor();
    expect(wrong).to.deep.equal([]);
  });
});
