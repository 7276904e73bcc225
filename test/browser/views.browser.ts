import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { findOption } from "./find-option.js";

const ARTICLE = "api::article.article";
const LOW = { $and: [{ rank: { $lte: "3" } }] };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tab = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name });
const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });
const tabNames = async (page: Page) =>
  (await page.getByRole("navigation", { name: "Saved views" }).getByRole("link").allInnerTexts()).map((text) =>
    text.trim(),
  );
const total = (page: Page, count: number) =>
  page.getByText(`${count} document${count === 1 ? "" : "s"}`, { exact: true }).waitFor();

describe("saved views of a list", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const visit = async (address: string, role = "super") => {
    const opened = await open();
    await app().enter(opened, role);
    await opened.page.goto(`${app().url}/admin/content/${address}`);
    return opened;
  };
  const filtered = `${ARTICLE}?filters=${encodeURIComponent(JSON.stringify(LOW))}`;
  before("write articles, and a role that sees no rank", async () => {
    for (const rank of [1, 2, 3, 4, 5])
      await app().create(ARTICLE, { title: `Article ${rank}`, rank, summary: "=1+1" });
    const grant = [{ action: `${ARTICLE}.find`, fields: ["title", "kind"] }, `${ARTICLE}.findDrafts`];
    await app()
      .plinth.app.documents("plugin::admin.role")
      .create({ data: { name: "desk", grant } });
  });

  it("is saved with what the list shows, and is there again, in its order, and as what the list opens with", async () => {
    const { page, wrong } = await visit(filtered);
    await total(page, 3);
    await button(page, "Rank").click();
    await button(page, "Save as a view").click();
    const dialog = page.getByRole("dialog", { name: "Save this list as a view" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Low ranks");
    await dialog.getByRole("textbox", { name: "Name" }).press("Enter");
    await page.getByText("The view Low ranks is saved").waitFor();
    expect(await tab(page, "Low ranks").getAttribute("aria-current")).to.equal("page");
    await page.reload();
    await total(page, 3);
    expect(await page.getByRole("columnheader", { name: "Rank" }).getAttribute("aria-sort")).to.equal("ascending");

    await page.getByRole("searchbox").fill("Article 2");
    await total(page, 1);
    await page.getByText("Changed", { exact: true }).waitFor();
    await button(page, "Undo the changes").click();
    await total(page, 3);
    await page.getByRole("searchbox").fill("Article 2");
    await total(page, 1);
    await button(page, "Update the view").click();
    await page.getByText("The view Low ranks is updated").waitFor();
    await page.getByText("Changed", { exact: true }).waitFor({ state: "hidden" });

    await tab(page, "All").click();
    await total(page, 5);
    await page.getByRole("combobox", { name: "Rows per page" }).selectOption("50");
    await button(page, "Save as a view").click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Long pages");
    await dialog.getByRole("checkbox", { name: "Open this list with it" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The view Long pages is saved").waitFor();
    expect((await tabNames(page)).length).to.equal(3);
    await button(page, "Actions for the view Long pages").click();
    await page.getByRole("menuitem", { name: "Move one place forward" }).click();
    await page.getByText("Long pages is now at place 1 of 2").waitFor({ state: "attached" });
    await page.waitForFunction(() =>
      document.querySelectorAll("nav[aria-label='Saved views'] a")[1]?.textContent?.includes("Long pages"),
    );

    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await page.waitForURL(/view=/);
    expect(await tab(page, /Long pages/).getAttribute("aria-current")).to.equal("page");
    expect(await page.getByRole("combobox", { name: "Rows per page" }).inputValue()).to.equal("50");
    await tab(page, "All").click();
    await page.waitForURL(/view=all/);
    await total(page, 5);
    expect(await page.getByRole("combobox", { name: "Rows per page" }).inputValue()).to.equal("25");
    await tab(page, "Low ranks").click();
    await total(page, 1);
    await button(page, "Actions for the view Low ranks").click();
    await page.getByRole("menuitem", { name: "Delete the view" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The view Low ranks is deleted").waitFor();
    await tab(page, "Low ranks").waitFor({ state: "hidden" });
    expect(wrong).to.deep.equal([]);
  });

  it("is shared with a role, whose members see what their role lets them, and are told what is left out", async () => {
    const { page, wrong } = await visit(filtered);
    await total(page, 3);
    await button(page, "Save as a view").click();
    const dialog = page.getByRole("dialog", { name: "Save this list as a view" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("For the desk");
    await dialog.getByRole("checkbox", { name: "desk" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The view For the desk is saved").waitFor();
    await button(page, "Actions for the view For the desk").click();
    await page.getByRole("menuitem", { name: "Rename and share" }).click();
    await page.getByRole("dialog", { name: "Rename and share" }).getByRole("textbox", { name: "Name" }).fill("Desk");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await tab(page, /^Desk/).waitFor();

    const reader = await visit(ARTICLE, "desk");
    await tab(reader.page, /^Desk/).click();
    await reader.page
      .getByText(/Your role may not read all that this view is made of. Left out: .*1 condition/)
      .waitFor();
    await total(reader.page, 5);
    expect(await reader.page.content()).to.not.match(/\brank\b/i);
    await button(reader.page, "Actions for the view Desk").click();
    await reader.page.getByRole("menuitem", { name: "Open the list with it" }).waitFor();
    expect(await reader.page.getByRole("menuitem", { name: "Delete the view" }).count()).to.equal(0);
    await reader.page.getByRole("menuitem", { name: "Open the list with it" }).click();
    await tab(reader.page, /^Desk.*This list opens with it/s).waitFor();
    await reader.page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await reader.page.waitForURL(/view=/);
    expect([...wrong, ...reader.wrong]).to.deep.equal([]);
  });

  it("is downloaded as CSV, whole, and as spreadsheets open it", async () => {
    const { page, wrong } = await visit(
      `${ARTICLE}?columns=${encodeURIComponent('["title","rank","summary"]')}&sort=rank:asc&size=25`,
    );
    await total(page, 5);
    const textOf = async (entry: string) => {
      await button(page, "Download as CSV").click();
      const begun = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
      const file = await begun;
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const plain = await textOf("CSV");
    expect(plain.name).to.match(/^articles-\d{4}-\d\d-\d\d\.csv$/);
    const lines = plain.text.trimEnd().split("\r\n");
    expect(lines[0]).to.equal("documentId,Title,Rank,Summary,state,locale,updatedAt");
    expect(lines[1]).to.match(/^[a-z0-9]{24},Article 1,1,'=1\+1,draft,en,/);
    expect(lines).to.have.length(6);
    await page.getByText(/^articles-.*is downloaded$/).waitFor();
    expect((await textOf("CSV for spreadsheets")).text.charCodeAt(0)).to.equal(0xfeff);
    await page.route("**/export?**", (route) => route.abort());
    await button(page, "Download as CSV").click();
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    await page.getByText("The download broke off.").waitFor();
    expect(wrong).to.deep.equal([]);
  });
});

describe("one value for several documents", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const ids: string[] = [];
  before("write articles, tags, an author and a file", async () => {
    for (const title of ["First", "Second"]) ids.push(await app().create(ARTICLE, { title, rank: 1, summary: "Old" }));
    for (const name of ["red", "blue"]) await app().create("api::tag.tag", { name });
    await app().create("api::author.author", { name: "Ada" });
  });

  it("sets text, numbers, yes and no, choices, dates, links and files, empties fields, and changes all or none", async () => {
    const opened = await open();
    await app().enter(opened);
    const { page, wrong } = opened;
    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    await row(page, "Second").waitFor();
    // By name: what is said at the edge of the page is one, too, and stays for some seconds.
    const dialog = page.getByRole("alertdialog", { name: "Set a value" });
    const begin = async (field: string, mode?: string) => {
      await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
      await button(page, "Set a value").click();
      await dialog.getByRole("combobox", { name: "Field", exact: true }).selectOption({ label: field });
      if (mode) await dialog.getByRole("radio", { name: mode }).click();
    };
    const end = async () => {
      await dialog.getByRole("button", { name: "Set", exact: true }).click();
      await page.getByText("2 documents changed").last().waitFor();
      await dialog.waitFor({ state: "hidden" });
    };
    const stored = async (name: string) =>
      await Promise.all(ids.map(async (id) => (await app().read(ARTICLE, id))[name]));
    const titles = async (name: string) =>
      ((await stored(name)) as { items: { title: string }[] }[]).map(({ items }) => items.map(({ title }) => title));

    await begin("Summary");
    expect(await dialog.getByRole("button", { name: "Set", exact: true }).isDisabled()).to.equal(true);
    await dialog.getByRole("textbox", { name: "Summary" }).fill("New");
    await end();
    expect(await stored("summary")).to.deep.equal(["New", "New"]);
    // What was said stands above the buttons, which are wanted at once.
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
    const [said, buttons] = await Promise.all([
      page.getByRole("alertdialog").filter({ hasText: "2 documents changed" }).last().boundingBox(),
      page.getByRole("toolbar", { name: "Selected documents" }).boundingBox(),
    ]);
    expect((said?.y ?? 0) + (said?.height ?? 0)).to.be.lessThan(buttons?.y ?? 0);
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();

    await begin("Rank");
    await dialog.getByRole("textbox", { name: "Rank" }).fill("7");
    await end();
    expect(await stored("rank")).to.deep.equal([7, 7]);

    await begin("Is hot");
    await dialog.getByRole("radio", { name: "Yes" }).click();
    await end();
    await begin("Kind");
    await dialog.getByRole("radio", { name: "opinion" }).click();
    await end();
    await begin("Day");
    await dialog.getByLabel("Day", { exact: true }).fill("2026-03-01");
    await end();
    expect([await stored("isHot"), await stored("kind"), await stored("day")]).to.deep.equal([
      ...[
        [true, true],
        ["opinion", "opinion"],
        ["2026-03-01", "2026-03-01"],
      ],
    ]);

    const pick = async (field: string, text: string) =>
      await (await findOption(page, dialog.getByRole("combobox", { name: field, exact: true }).last(), text)).click();
    await begin("Author");
    await pick("Author", "Ada");
    await end();
    expect(await titles("author")).to.deep.equal([["Ada"], ["Ada"]]);
    await begin("Tags", "Add");
    await pick("Tags", "red");
    await page.keyboard.press("Escape");
    await end();
    await begin("Tags", "Add");
    await pick("Tags", "blue");
    await page.keyboard.press("Escape");
    await end();
    expect((await titles("tags")).map((names) => names.toSorted())).to.deep.equal([
      ["blue", "red"],
      ["blue", "red"],
    ]);
    await begin("Tags", "Remove");
    await pick("Tags", "red");
    await page.keyboard.press("Escape");
    await end();
    expect(await titles("tags")).to.deep.equal([["blue"], ["blue"]]);
    await begin("Tags", "Replace");
    await pick("Tags", "red");
    await page.keyboard.press("Escape");
    await end();
    expect(await titles("tags")).to.deep.equal([["red"], ["red"]]);

    await begin("Cover");
    const picture = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") };
    page.once("filechooser", (chooser) => void chooser.setFiles(picture));
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByRole("listitem").filter({ hasText: "dot.png" }).waitFor();
    await end();
    expect((await stored("cover")).map((file) => (file as { name: string }).name)).to.deep.equal([
      "dot.png",
      "dot.png",
    ]);

    for (const field of ["Rank", "Author", "Tags", "Cover"]) {
      await begin(field, "Empty the field");
      await end();
    }
    expect(await stored("rank")).to.deep.equal([null, null]);
    expect(await titles("author")).to.deep.equal([[], []]);
    expect(await titles("tags")).to.deep.equal([[], []]);
    expect(await stored("cover")).to.deep.equal([null, null]);
    const gone = await app().create(ARTICLE, { title: "Gone" });
    await page.reload();
    await row(page, "Gone").waitFor();
    await begin("Title");
    expect(await dialog.getByRole("radio", { name: "Empty the field" }).count()).to.equal(0);
    await app().plinth.app.documents(ARTICLE).delete({ documentId: gone });
    await dialog.getByRole("textbox", { name: "Title" }).fill("The same");
    await dialog.getByRole("button", { name: "Set", exact: true }).click();
    await dialog.getByText("Nothing was changed: some documents have problems.").waitFor();
    await dialog.getByRole("link", { name: "Gone", exact: true }).waitFor();
    expect(await stored("title")).to.deep.equal(["First", "Second"]);
    expect(wrong).to.deep.equal([]);
  });
});
