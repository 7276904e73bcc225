import { expect } from "chai";
import type { Page } from "playwright-core";
import { PASSWORD } from "../plugins/admin/sign-in.js";
import { useBrowser } from "./browser.js";
import { administratorOf, serveBrowserApp } from "./browser-app.js";

const ARTICLE = "api::article.article";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const save = (page: Page) => button(page, "Save").click();
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });
const faces = (page: Page) => page.getByRole("group", { name: "Others at this document" });

describe("two people at once", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  before("name the editor", async () => {
    const { documentId } = await administratorOf(app().plinth.app, "editor");
    await documents("plugin::api-tokens.admin").update({ documentId, data: { name: "Tom Reyes" } });
  });
  const documents = (uid: string = ARTICLE) => app().plinth.app.documents(uid);
  const openAs = async (role: string, path: string) => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin/content/${path}`);
    return tab;
  };
  const openDocument = async (documentId: string, role = "super") => {
    const tab = await openAs(role, `${ARTICLE}/${documentId}`);
    await field(tab.page, "Title").waitFor();
    return tab;
  };

  it("see each other at a document and in a field, until one leaves", async () => {
    const sections = [
      { __component: "shared.quote", words: "one" },
      { __component: "shared.quote", words: "two" },
    ];
    const documentId = await app().create(ARTICLE, { title: "Shared", sections });
    const { page } = await openDocument(documentId);
    const other = await openDocument(documentId, "editor");
    await faces(page).getByRole("button", { name: "Tom Reyes" }).waitFor();
    await faces(other.page).getByRole("button", { name: "super" }).waitFor();
    await field(other.page, "Summary").focus();
    const face = faces(page).getByRole("button", { name: "Tom Reyes, in the field Summary" });
    await face.waitFor();
    const place = page.locator('[id="place-summary"]');
    expect(await place.innerText()).to.match(/In this field:\s*Tom Reyes/);
    // By keyboard as well: the name is said, and shown beside the face.
    await face.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await page.getByRole("tooltip", { name: "Tom Reyes, in the field Summary" }).waitFor();
    // A field inside of a part, which has other names in other forms.
    await other.page.getByRole("button", { name: /^2\s*Quote/ }).click();
    await field(other.page, "Words").nth(1).focus();
    await page.getByRole("button", { name: /Quote.*two.*Tom Reyes/ }).waitFor();
    // In the same field: it is said to who is there.
    await field(page, "Title").focus();
    await field(other.page, "Title").focus();
    await page.getByText("Tom Reyes is in this field too").waitFor({ state: "attached" });
    // A second tab of one's own is told as that; one tab of the browser has the stream of both.
    const second = await other.context.newPage();
    const requests: string[] = [];
    second.on("request", (request) => void requests.push(request.url()));
    await second.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}?locale=de`);
    await faces(second).getByRole("button", { name: "super, in the language English" }).waitFor();
    await faces(other.page)
      .getByRole("button", { name: /You, in another tab|Tom/ })
      .waitFor({ state: "attached" });
    expect(requests.filter((url) => url.includes("/admin/api/events"))).to.deep.equal([]);
    await second.close();
    const left = Date.now();
    await other.page.close();
    await faces(page).waitFor({ state: "detached" });
    expect(Date.now() - left).to.be.lessThan(8_000);
  });

  it("see at once what the other saved where nothing is typed, keep the focus, and are told who it was", async () => {
    const documentId = await app().create(ARTICLE, { title: "Untouched", summary: "before" });
    const { page } = await openDocument(documentId);
    const other = await openDocument(documentId, "editor");
    await field(page, "Title").focus();
    await field(other.page, "Summary").fill("after");
    await save(other.page);
    await said(other.page, "Saved").waitFor();
    await page.getByText(/Tom Reyes saved at .*\. The form shows it already: Summary\./).waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("after");
    expect(await field(page, "Title").evaluate((input) => input === document.activeElement)).to.equal(true);
    expect(await page.getByText("Not saved").count()).to.equal(0);
    // One's own save is no news.
    expect(await other.page.getByText(/saved at/).count()).to.equal(0);
    await page.getByRole("status").filter({ hasText: "saved at" }).getByRole("button", { name: "Close" }).click();
    await field(page, "Title").fill("Saved without a question");
    await save(page);
    await said(page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "Saved without a question", summary: "after" });
    // What was published, taken back or deleted is said, too.
    await button(other.page, "Publish").click();
    await page.getByText(/Tom Reyes published or unpublished this document/).waitFor();
    await page.getByText("Published", { exact: true }).first().waitFor();
    await button(other.page, "More actions").click();
    await other.page.getByRole("menuitem", { name: "Delete", exact: true }).click();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(/Tom Reyes deleted this document at .*What you typed is still here/).waitFor();
  });

  it("are told what the other saved where something is typed, look at it, and take it in", async () => {
    const documentId = await app().create(ARTICLE, { title: "Typed into", summary: "the old words" });
    const { page } = await openDocument(documentId);
    const other = await openDocument(documentId, "editor");
    await field(page, "Title").fill("Of mine");
    await field(other.page, "Summary").fill("the new words");
    await save(other.page);
    const note = page.getByRole("status").filter({ hasText: /Tom Reyes saved at .*: Summary\./ });
    await note.getByRole("button", { name: "Show" }).click();
    const dialog = page.getByRole("dialog", { name: /What Tom Reyes saved at/ });
    await dialog.locator("del").filter({ hasText: "old" }).waitFor();
    await dialog.locator("ins").filter({ hasText: "new" }).waitFor();
    await dialog.getByRole("button", { name: "Take in" }).click();
    await note.waitFor({ state: "detached" });
    expect(await field(page, "Summary").inputValue()).to.equal("the new words");
    expect(await field(page, "Title").inputValue()).to.equal("Of mine");
    // Both change the same: it is asked, and nothing is saved by that.
    await field(page, "Summary").fill("my words");
    await field(other.page, "Summary").fill("their words");
    await save(other.page);
    await note.getByRole("button", { name: "Take in" }).click();
    const question = page.getByRole("dialog", { name: "Two people changed this" });
    await question.getByRole("radio", { name: "Yours" }).check();
    await question.getByRole("button", { name: "Take these" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await field(page, "Summary").inputValue()).to.equal("my words");
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "Typed into", summary: "their words" });
    await save(page);
    await said(page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "Of mine", summary: "my words" });
  });

  it("have lists that show what the other did, and no row moves by itself", async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push(await app().create(ARTICLE, { title: `Row ${number}`, rank: number }));
    const { page } = await openAs("super", `${ARTICLE}?q=Row`);
    const titles = () => page.getByRole("row").locator("td:nth-child(2)").allInnerTexts();
    await page.getByRole("link", { name: "Row 3" }).focus();
    await page.getByRole("row").filter({ hasText: "Row 2" }).getByText("Draft").waitFor();
    await documents().publish({ documentId: ids[1] ?? "" });
    await page.getByRole("row").filter({ hasText: "Row 2" }).getByText("Published").waitFor();
    await app().create(ARTICLE, { title: "Row 4" });
    await app().create(ARTICLE, { title: "Not looked for" });
    await button(page, "1 new document").waitFor();
    await documents().delete({ documentId: ids[0] ?? "" });
    await page.getByText("not in this list any more").waitFor();
    expect((await titles()).map((text) => text.split("\n")[0]?.slice(0, 5))).to.deep.equal(["Row 3", "Row 2", "Row 1"]);
    expect(
      await page.getByRole("link", { name: "Row 3" }).evaluate((link) => link === document.activeElement),
    ).to.equal(true);
    await button(page, "1 new document").click();
    await page.getByRole("link", { name: "Row 4" }).waitFor();
    expect((await titles()).map((text) => text.slice(0, 5))).to.deep.equal(["Row 4", "Row 3", "Row 2"]);
    expect(await button(page, "1 new document").count()).to.equal(0);
  });

  it("go on after the server was away, and sign in again when a session ends while they read", async () => {
    const documentId = await app().create(ARTICLE, { title: "Away" });
    const { page, context, wrong } = await openDocument(documentId, "editor");
    await context.setOffline(true);
    await page.getByText(/No network since/).waitFor();
    await documents().update({ documentId, data: { summary: "meanwhile" } });
    await context.setOffline(false);
    await page.getByText(/saved at .*The form shows it already: Summary/).waitFor();
    const { documentId: account } = await administratorOf(app().plinth.app, "editor");
    const open = await documents("plugin::admin.session").findMany({ filters: { account } });
    for (const session of open) await documents("plugin::admin.session").delete({ documentId: session.documentId });
    await app().plinth.app.db.messages.publish("admin-sessions", "*");
    const dialog = page.getByRole("alertdialog", { name: "Sign in again" });
    await dialog.waitFor();
    await documents().update({ documentId, data: { rank: 7 } });
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#field-rank")?.value === "7");
    await documents().update({ documentId, data: { summary: "after signing in" } });
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#field-summary")?.value === "after signing in",
    );
    expect(wrong).to.deep.equal([]);
  });
});
