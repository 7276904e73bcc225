import { expect } from "chai";
import type { Page } from "playwright-core";
import { type Tab, useBrowser } from "./browser.js";
import { PASSWORD, administratorOf, serveBrowserApp } from "./browser-app.js";
import { journalled } from "./journal.js";
import { withoutEvents } from "./without-events.js";

const ARTICLE = "api::article.article";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });
const kept = (page: Page) =>
  page.waitForResponse((answer) => /working-copies/.test(answer.url()) && answer.request().method() === "PUT");

describe("two people, devices or accounts at one document", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const goTo = async ({ page }: Pick<Tab, "page">, documentId: string) => {
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await field(page, "Title").waitFor();
  };
  const openDocument = async (documentId: string, role = "super") => {
    const tab = await open();
    await app().enter(tab, role);
    await goTo(tab, documentId);
    return tab;
  };
  const documents = () => app().plinth.app.documents(ARTICLE);
  const wordsOf = async (documentId: string) =>
    ((await app().read(ARTICLE, documentId))["sections"] as { words: string }[]).map(({ words }) => words);

  it("keep what one typed and what the other published meanwhile", async () => {
    const documentId = await app().create(ARTICLE, { title: "Published meanwhile" });
    const { page } = await openDocument(documentId);
    await field(page, "Summary").fill("of the one who did not publish");
    await documents().update({ documentId, data: { kind: "news" }, status: "published" });
    await save(page);
    await said(page, "Saved, together").waitFor();
    await page.getByText("Modified").first().waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({
      kind: "news",
      summary: "of the one who did not publish",
    });
    const live = await documents().findOne({ documentId, status: "published" });
    expect([live?.["kind"], live?.["summary"]]).to.deep.equal(["news", null]);
  });

  it("keep a part where the other moved it, with what one typed into it", async () => {
    const quote = (words: string) => ({ __component: "shared.quote", words });
    const sections = [quote("first"), quote("second")];
    const documentId = await app().create(ARTICLE, { title: "Moved", sections });
    const [one, other] = [await openDocument(documentId), await openDocument(documentId, "editor")];
    await one.page.getByRole("textbox", { name: "Words", exact: true }).first().fill("first, edited");
    await other.page.getByRole("button", { name: "Actions for item 1" }).click();
    await other.page.getByRole("menuitem", { name: "Move down" }).click();
    await save(other.page);
    await said(other.page, "Saved").waitFor();
    await save(one.page);
    await said(one.page, "Saved, together").waitFor();
    expect(await wordsOf(documentId)).to.deep.equal(["second", "first, edited"]);
  });

  it("is asked before a document is deleted that somebody changed meanwhile", async () => {
    const documentId = await app().create(ARTICLE, { title: "To be deleted" });
    const { page } = await openDocument(documentId);
    await documents().update({ documentId, data: { summary: "a second ago" } });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete this document?" });
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByText(/Somebody else changed this document at/).waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ summary: "a second ago" });
    await dialog.getByRole("button", { name: "Do it all the same" }).click();
    await said(page, "Deleted").waitFor();
    expect(await documents().findOne({ documentId })).to.equal(null);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await page.getByText("There is nothing at this address").waitFor();
  });

  it("opens an empty form for a language that is missing, and none for a document that is", async () => {
    const documentId = await app().create(ARTICLE, { title: "English only" });
    const tab = await openDocument(documentId);
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}?locale=fr`);
    await tab.page.getByRole("button", { name: "Start empty" }).click();
    expect(await field(tab.page, "Title").inputValue()).to.equal("");
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}/mistyped?locale=fr`);
    await tab.page.getByText("There is nothing at this address").waitFor();
  });

  it("is offered what was typed on both of two devices", async () => {
    const documentId = await app().create(ARTICLE, { title: "Two devices" });
    const { page, context } = await openDocument(documentId);
    await context.setOffline(true);
    await field(page, "Title").fill("On the train");
    await journalled(page, "On the train");
    await page.close();
    await context.setOffline(false);
    const other = await openDocument(documentId);
    const answered = kept(other.page);
    await field(other.page, "Title").fill("At the desk");
    await field(other.page, "Summary").fill("also at the desk");
    await answered;
    await other.page.close();
    const again = await context.newPage();
    await goTo({ page: again }, documentId);
    const dialog = again.getByRole("dialog", { name: "You typed this on two devices" });
    await dialog.getByText("At the desk").waitFor();
    await dialog.getByRole("radio", { name: "Yours" }).check();
    await dialog.getByRole("button", { name: "Take these" }).click();
    await dialog.waitFor({ state: "hidden" });
    await save(again);
    await said(again, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "On the train", summary: "also at the desk" });
  });

  it("is told once where the browser keeps nothing, and the server keeps it", async () => {
    const documentId = await app().create(ARTICLE, { title: "Private window" });
    const tab = await open();
    await app().enter(tab);
    await tab.context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("refused", "InvalidStateError");
      };
    });
    await goTo(tab, documentId);
    await said(tab.page, "This browser keeps nothing").waitFor();
    const answered = kept(tab.page);
    await field(tab.page, "Summary").fill("kept by the server");
    await answered;
    expect(await said(tab.page, "This browser keeps nothing").count()).to.equal(1);
    await tab.page.reload();
    await tab.page.getByText(/did not save is back/).waitFor();
    expect(await field(tab.page, "Summary").inputValue()).to.equal("kept by the server");
  });

  it("writes nothing as somebody who signed in in another tab, and has it again afterwards", async () => {
    const documentId = await app().create(ARTICLE, { title: "Shared computer" });
    // At rest: what a page asks by itself would find the other account before it is typed into.
    const tab = await open();
    await withoutEvents(tab.context);
    await app().enter(tab);
    await goTo(tab, documentId);
    await tab.page.waitForLoadState("networkidle");
    const { page } = tab;
    await app().enter(tab, "editor");
    await field(page, "Summary").fill("of the first");
    await journalled(page, "of the first");
    // By key: the window may be there already, because of what the page asks by itself.
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("alertdialog", { name: "You are signed in as editor@example.com" });
    await dialog.getByRole("button", { name: "Reload the page" }).click();
    await page.getByText("editor@example.com").waitFor();
    await field(page, "Title").waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("");
    expect((await app().read(ARTICLE, documentId))["summary"]).to.equal(null);
    const copies = app().plinth.app.documents("plugin::admin.working-copy");
    const { documentId: account } = await administratorOf(app().plinth.app, "editor");
    expect(await copies.count({ filters: { document: documentId, account }, withPrivate: true })).to.equal(0);
    await app().enter(tab);
    await page.reload();
    await page.getByText(/did not save is back/).waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("of the first");
  });

  it("signs in again after a stolen cookie ended the session, with the form as it was and what the role may now", async () => {
    const documentId = await app().create(ARTICLE, { title: "Stolen" });
    const { page } = await openDocument(documentId, "editor");
    await field(page, "Summary").fill("typed before");
    const { app: running } = app().plinth;
    const { documentId: account } = await administratorOf(running, "editor");
    const table = running.model.contentTypes.get("plugin::admin.session")?.table;
    const sessions = () => running.documents("plugin::admin.session").count({ filters: { account } });
    const before = await sessions();
    // As after a renewal that a thief made, a minute ago.
    await running.db.query({
      text: `update "${table}" set last_secret = secret, secret = 'of the thief', secret_used_at = now() - interval '1 minute'
        where id = (select max(id) from "${table}")`,
      values: [],
    });
    await running.db.messages.publish("admin-sessions", "*");
    // By key: the window may be there already, because the page hears of the end of its session.
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("alertdialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await sessions()).to.equal(before - 1);
    await running.documents("plugin::api-tokens.admin").update({ documentId: account, data: { role: "author" } });
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Publish", exact: true }).waitFor({ state: "hidden" });
    expect(await field(page, "Summary").inputValue()).to.equal("typed before");
    await running.documents("plugin::api-tokens.admin").update({ documentId: account, data: { role: "editor" } });
  });
});
