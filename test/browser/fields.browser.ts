import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { PASSWORD, serveBrowserApp } from "./browser-app.js";
import { findOption } from "./find-option.js";
import { focused, focusIs } from "./focus.js";
import { settled } from "./settled.js";

const ARTICLE = "api::article.article";
const TAG = "api::tag.tag";
const EVENT = "api::event.event";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });

describe("fields of the form", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const openPath = async (path: string, role = "super") => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin${path}`);
    return tab;
  };
  const openArticle = async (documentId: string) => {
    const tab = await openPath(`/content/${ARTICLE}/${documentId}`);
    await field(tab.page, "Title").waitFor();
    return tab;
  };
  const tags = async (names: readonly string[]) => {
    const made: string[] = [];
    for (const name of names) made.push(await app().create(TAG, { name }));
    return made;
  };

  it("stay where they are while the code of their editors is loaded", async () => {
    const documentId = await app().create(ARTICLE, { title: "Calm" });
    const { page } = await openPath("/");
    let load: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => (load = resolve));
    await page.route(/(code|blocks)-editor.*\.js/, async (route) => {
      await allowed;
      await route.continue();
    });
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    const below = page.locator("#place-cover");
    await below.scrollIntoViewIfNeeded();
    const before = await below.evaluate((element: HTMLElement) => element.offsetTop);
    expect(await page.getByRole("textbox", { name: /^Settings/ }).count()).to.equal(0);
    load();
    for (const name of [/^Body/, /^Notes/, /^Settings/]) await page.getByRole("textbox", { name }).waitFor();
    expect(await below.evaluate((element: HTMLElement) => element.offsetTop)).to.equal(before);
  });

  it("ask before they drop what was typed into a document that is made in place, and save it by its own keys", async () => {
    const documentId = await app().create(ARTICLE, { title: "In place" });
    const { page, wrong } = await openArticle(documentId);
    await button(page, "New Tag").click();
    const drawer = page.getByRole("dialog", { name: "New Tag" });
    await drawer.waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await button(page, "New Tag").click();
    await drawer.getByRole("textbox", { name: "Name" }).fill("By key");
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog", { name: "Discard what you typed?" });
    await question.getByRole("button", { name: "Keep typing" }).click();
    await question.waitFor({ state: "hidden" });
    await page.mouse.click(20, 400);
    await question.getByRole("button", { name: "Keep typing" }).click();
    await drawer.getByRole("textbox", { name: "Name" }).press("Control+s");
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "By key" }).waitFor();
    expect(await said(page, "Saved").count()).to.equal(0);
    expect((await app().read(ARTICLE, documentId))["tags"]).to.include({ total: 0 });
    await button(page, "New Author").click();
    await page.getByRole("dialog", { name: "New Author" }).getByRole("textbox", { name: "Name" }).fill("Dropped");
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog", { name: "New Author" }).waitFor({ state: "hidden" });
    expect(wrong).to.deep.equal([]);
  });

  it("offer no link that is there but not read, and go on showing one that was made behind the first ten", async () => {
    const made = await tags(Array.from({ length: 12 }, (_, index) => `Many ${String(index + 1).padStart(2, "0")}`));
    await tags(["Many new"]);
    const documentId = await app().create(ARTICLE, { title: "Many tags", tags: { connect: made } });
    const { page } = await openArticle(documentId);
    await button(page, "Show 2 more").waitFor();
    await page.getByRole("combobox", { name: "Tags" }).fill("Many");
    await page.getByRole("option", { name: "Many new" }).waitFor();
    await page.getByRole("option", { name: "By key" }).waitFor({ state: "hidden" });
    expect(await page.getByRole("option").count()).to.equal(1);
    await page.getByRole("option", { name: "Many new" }).click();
    await page.keyboard.press("Escape");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    await page.getByRole("link", { name: "Many new" }).waitFor();
    await button(page, "Show 2 more").click();
    await page.getByRole("link", { name: "Many 12" }).waitFor();
    const shown = await page.getByRole("link", { name: /^Many/ }).allInnerTexts();
    expect(shown.slice(9)).to.deep.equal(["Many 10", "Many new", "Many 11", "Many 12"]);
    expect((await app().read(ARTICLE, documentId))["tags"]).to.include({ total: 13 });
  });

  it("mark in the published version what differs, in components as well, and nothing else", async () => {
    const sections = [
      { __component: "shared.quote", words: "same" },
      { __component: "shared.step", text: "before" },
    ];
    const documentId = await app().create(
      ARTICLE,
      { title: "Published", seo: { metaTitle: "x" }, sections },
      "published",
    );
    const { page } = await openArticle(documentId);
    await page.getByRole("link", { name: "Published", exact: true }).click();
    await page.getByRole("button", { name: /Quote same/ }).waitFor();
    expect(await page.getByText("The marked fields differ from the draft.").count()).to.equal(0);
    await page.getByRole("link", { name: "Draft", exact: true }).click();
    await page.getByRole("button", { name: /Step before/ }).click();
    await field(page, "Text").fill("after");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    await page.getByRole("link", { name: "Published", exact: true }).click();
    await page.getByText("The marked fields differ from the draft.").waitFor();
    const marked = page.locator("[data-differs=true]");
    expect(await marked.count()).to.equal(1);
    expect(await marked.getAttribute("id")).to.equal("place-sections");
  });

  it("lead to the single page, and to the language, that uses a document", async () => {
    const [tag = ""] = await tags(["Used"]);
    await app()
      .plinth.app.documents("api::home.home")
      .create({ data: { heading: "Start", featured: [tag] } });
    await app()
      .plinth.app.documents(ARTICLE)
      .create({ locale: "fr", data: { title: "Seulement en français", tags: [tag] } });
    const { page } = await openPath(`/content/${TAG}/${tag}`);
    const side = page.getByRole("complementary");
    await side.getByRole("link", { name: /Seulement en français/ }).click();
    await page.waitForURL(/locale=fr/);
    await field(page, "Title").waitFor();
    await page.goBack();
    await side.getByRole("link", { name: /Start/ }).click();
    await field(page, "Heading").waitFor();
    expect(new URL(page.url()).pathname).to.match(/\/single\/api/);
  });

  const sections = [
    { __component: "shared.quote", words: "first" },
    { __component: "shared.step", text: "second" },
    { __component: "shared.step", text: "third" },
  ];
  const card = (page: Page, name: RegExp) => page.getByRole("button", { name });

  it("keep the focus on a card that is moved by keys, and say each move, also the same one twice", async () => {
    const documentId = await app().create(ARTICLE, { title: "Moved by keys", sections });
    const { page } = await openArticle(documentId);
    await card(page, /Quote first/).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await focusIs(page, /2 Quote first/);
    await page.keyboard.press("Alt+ArrowDown");
    await focusIs(page, /3 Quote first/);
    await page.keyboard.press("Alt+ArrowUp");
    await focusIs(page, /2 Quote first/);
    const moves = page.getByRole("log").getByText("Moved to place 2 of 3");
    await moves.nth(1).waitFor({ state: "attached" });
  });

  it("put the focus into a new card, on the next one when one is removed, and put a removed one back", async () => {
    const documentId = await app().create(ARTICLE, { title: "Removed", sections });
    const { page, wrong } = await openArticle(documentId);
    await card(page, /Step second/).click();
    await field(page, "Text").fill("second, changed");
    await button(page, "Actions for item 2").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await focusIs(page, /2 Step third/);
    await said(page, "Step removed").getByRole("button", { name: "Undo" }).click();
    await focusIs(page, /2 Step second, changed/);
    await button(page, "Actions for item 3").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await focusIs(page, /2 Step second, changed/);
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    await said(page, "Step removed").getByRole("button", { name: "Undo" }).last().click();
    await focusIs(page, /3 Step third/);
    await button(page, "Add Sections").click();
    await page.getByRole("region", { name: "shared" }).getByRole("button", { name: "Quote" }).click();
    await focusIs(page, /Words/);
    await page.keyboard.type("fourth");
    await page.keyboard.press("Control+s");
    await settled(page);
    const { sections: stored } = (await app().read(ARTICLE, documentId)) as {
      readonly sections: readonly Record<string, unknown>[];
    };
    expect(stored.map(({ words, text }) => words ?? text)).to.deep.equal([
      "first",
      "second, changed",
      "third",
      "fourth",
    ]);
    await button(page, "Add Seo").click();
    await focusIs(page, /Meta title/);
    await button(page, "Remove Seo").click();
    await focusIs(page, /Add Seo/);
    expect(wrong).to.deep.equal([]);
  });

  it("put the focus on the next link when one is removed, and on what makes one after the last", async () => {
    const documentId = await app().create(ARTICLE, {
      title: "Links removed",
      tags: { connect: await tags(["One", "Two", "Three"]) },
    });
    const { page } = await openArticle(documentId);
    for (const [name, next] of [
      ["Two", /^Three$/],
      ["Three", /^One$/],
      ["One", /^New Tag$/],
    ] as const) {
      await button(page, `Remove ${name}`).click();
      await focusIs(page, next);
      await page.getByRole("log").getByText(`${name} removed`).waitFor({ state: "attached" });
    }
  });

  it("leave the focus beside a filter of the list that is removed, and on what adds one after the last", async () => {
    const filters = { $and: ["a", "b"].map((part) => ({ title: { $containsi: part } })) };
    const { page } = await openPath(`/content/${ARTICLE}?filters=${encodeURIComponent(JSON.stringify(filters))}`);
    await page
      .getByRole("button", { name: /^Remove the filter/ })
      .first()
      .click();
    await focusIs(page, /^Title.* b/);
    await page.getByRole("button", { name: /^Remove the filter/ }).click();
    await page.getByRole("button", { name: /^Remove the filter/ }).waitFor({ state: "hidden" });
    await focusIs(page, /^Filter/);
  });

  it("keep focus, scroll and open cards when a new document is saved for the first time", async () => {
    const { page, wrong } = await openPath(`/content/${ARTICLE}/new`);
    await field(page, "Title").fill("First save");
    await button(page, "Add Sections").click();
    await page.getByRole("region", { name: "shared" }).getByRole("button", { name: "Step" }).click();
    await focusIs(page, /Text/);
    await page.keyboard.type("in a card");
    const top = () => page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0);
    const before = await top();
    await page.keyboard.press("Control+s");
    await page.waitForURL((url) => !url.pathname.endsWith("/new"));
    await said(page, "Saved").waitFor();
    expect(await focused(page)).to.equal("Text");
    expect(await top()).to.be.closeTo(before, 40);
    await page.keyboard.type(", still");
    await page.keyboard.press("Control+s");
    await settled(page);
    const documentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { sections: stored } = await app().read(ARTICLE, documentId);
    expect(stored).to.have.nested.property("[0].text", "in a card, still");
    expect(wrong).to.deep.equal([]);
  });

  it("keep focus and open cards when somebody signs in again over the form", async () => {
    const documentId = await app().create(ARTICLE, { title: "Signed in again", sections });
    const { page, context } = await openArticle(documentId);
    await card(page, /Step third/).click();
    await field(page, "Text").fill("kept");
    await context.clearCookies();
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("alertdialog", { name: "Sign in again" });
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "hidden" });
    await focusIs(page, /^Text$/);
    expect(await field(page, "Text").inputValue()).to.equal("kept");
  });

  it("take numbers in the notation of the reader, and ask where one can be read in two ways", async () => {
    const documentId = await app().create(EVENT, { name: "Zahlen", isPublic: true });
    const tab = await open({ locale: "de-DE" });
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${EVENT}/${documentId}`);
    await field(page, "Price").fill("1.234");
    await page.getByText("Das lässt sich auf zwei Arten lesen. Bitte 1234 oder 1,234 schreiben.").waitFor();
    await button(page, "Speichern").click();
    await page
      .getByRole("alert")
      .getByRole("button", { name: /Price: .*zwei Arten/ })
      .waitFor();
    await field(page, "Price").fill("1.234,5");
    await field(page, "Seats").fill("2.000.000");
    await button(page, "Speichern").click();
    await said(page, "Gespeichert").waitFor();
    expect(await app().read(EVENT, documentId)).to.include({ price: 1234.5, seats: 2_000_000 });
  });

  it("show that nothing is chosen yet, take only values that there are, and moments in a zone that is chosen", async () => {
    const tab = await open({ timezoneId: "Europe/Berlin" });
    const { page, wrong } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${EVENT}/new`);
    await field(page, "Name").fill("Kinds");
    await page.getByText("Not chosen yet").waitFor();
    await page.getByRole("radio", { name: "No", exact: true }).check();
    await page.getByText("Not chosen yet").waitFor({ state: "hidden" });
    const country = page.getByRole("combobox", { name: "Country" });
    await country.fill("Atlantis");
    await page.getByText("Nothing found").waitFor();
    await country.press("Tab");
    expect(await country.inputValue()).to.equal("");
    await country.fill("ken");
    await page.getByRole("option", { name: "Kenya" }).click();
    const opens = page.getByLabel("Opens at", { exact: true });
    await opens.fill("2026-07-01T12:00:00");
    const zone = page.getByRole("combobox", { name: "Time zone of Opens at" });
    await zone.focus();
    await zone.selectOption("America/New_York");
    expect(await opens.inputValue()).to.match(/^2026-07-01T06:00/);
    const day = page.getByLabel("Day", { exact: true });
    await day.focus();
    await page.keyboard.type("05062026");
    expect(await day.inputValue()).to.equal("2026-05-06");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    const documentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(await app().read(EVENT, documentId)).to.include({
      ...{ isPublic: false, country: "Kenya", opensAt: "2026-07-01T10:00:00.000Z", day: "2026-05-06" },
    });
    expect(wrong).to.deep.equal([]);
  });

  it("find one of 10,000 documents to link", async () => {
    const [template = ""] = await tags(["Template"]);
    const { db } = app().plinth.app;
    const [row = {}] = await db.query({ text: "select * from tags where document_id = $1", values: [template] });
    const columns = Object.keys(row).filter((name) => name !== "id");
    const value = (name: string) =>
      name === "document_id" ? "lpad(g::text, 24, 'k')" : name === "name" ? "'Number ' || g" : `t."${name}"`;
    await db.query({
      text: `insert into tags (${columns.map((name) => `"${name}"`).join(", ")})
        select ${columns.map(value).join(", ")} from tags t, generate_series(1, 10000) g where t.document_id = $1`,
      values: [template],
    });
    const documentId = await app().create(ARTICLE, { title: "One of many" });
    const { page, wrong } = await openArticle(documentId);
    await (await findOption(page, page.getByRole("combobox", { name: "Tags" }), "Number 7351")).click();
    await page.keyboard.press("Escape");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    const stored = await app().read(ARTICLE, documentId);
    expect(stored).to.have.nested.property("tags.items[0].title", "Number 7351");
    expect(wrong).to.deep.equal([]);
  });

  it("say in words what two people wrote, of every kind of value", async () => {
    const [ada, grace] = [
      await app().create("api::author.author", { name: "Ada" }),
      await app().create("api::author.author", { name: "Grace" }),
    ];
    const block = (text: string) => [{ type: "paragraph", children: [{ type: "text", text }] }];
    const documentId = await app().create(ARTICLE, { title: "Words", body: block("before"), isHot: false });
    const { page, wrong } = await openArticle(documentId);
    const body = page.getByRole("textbox", { name: "Body" });
    await body.click();
    await page.keyboard.press("End");
    await page.keyboard.type(" of mine");
    await page.getByLabel("Day", { exact: true }).fill("2026-05-06");
    await (await findOption(page, page.getByRole("combobox", { name: "Author" }), "Ada")).click();
    await app()
      .plinth.app.documents(ARTICLE)
      .update({ documentId, data: { body: block("before of theirs"), day: "2026-12-24", author: grace } });
    await button(page, "Save").click();
    const dialog = page.getByRole("dialog", { name: "Two people changed this" });
    await dialog.waitFor();
    const shown = await dialog.innerText();
    for (const text of ["before of mine", "before of theirs", "May 6, 2026", "December 24, 2026", "Ada", "Grace"])
      expect(shown).to.contain(text);
    expect(shown).not.to.match(/[{}"[\]]/);
    for (const radio of await dialog.getByRole("radio", { name: "Yours" }).all()) await radio.check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await said(page, "Saved").waitFor();
    const stored = await app().read(ARTICLE, documentId);
    expect(stored).to.deep.include({ body: block("before of mine"), day: "2026-05-06" });
    expect(stored).to.have.nested.property("author.items[0].documentId", ada);
    expect(wrong).to.deep.equal([]);
  });
});
