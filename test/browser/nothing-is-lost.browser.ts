import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { journalled, readJournals } from "./journal.js";

const ARTICLE = "api::article.article";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });

/** Longer than the journal waits, in milliseconds: what would be sent is sent by then. */
const REST = 600;

describe("nothing of what editors type is lost", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const openDocument = async (documentId: string, role = "super") => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await field(tab.page, "Title").waitFor();
    return tab;
  };

  it("is there again after the tab was closed", async () => {
    const documentId = await app().create(ARTICLE, { title: "Closed tab" });
    const { page, context } = await openDocument(documentId);
    await field(page, "Summary").fill("half a sen");
    await journalled(page, "half a sen");
    await page.close();
    const again = await context.newPage();
    await again.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await again.getByText(/What you typed on .* and did not save is back/).waitFor();
    expect(await field(again, "Summary").inputValue()).to.equal("half a sen");
    // Also while a save waits for the network: it waits no longer.
    await context.setOffline(true);
    await save(again);
    await again.getByText(/This is saved once it can/).waitFor();
    await again.getByRole("button", { name: "Discard it" }).click();
    await again.getByText(/This is saved once it can/).waitFor({ state: "hidden" });
    await context.setOffline(false);
    expect(await field(again, "Summary").inputValue()).to.equal("");
  });

  it("is written once, and not again by the page that is being left", async () => {
    const documentId = await app().create(ARTICLE, { title: "Written once" });
    const { page } = await openDocument(documentId);
    await page.evaluate(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...values) {
        localStorage.setItem("puts", `${localStorage.getItem("puts") ?? ""}x`);
        return put.apply(this, values);
      };
    });
    await field(page, "Summary").fill("written once");
    await journalled(page, "written once");
    await page.reload();
    await page.getByText(/What you typed on .* and did not save is back/).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("puts"))).to.equal("x");
  });

  it("is there in another browser, once typing has rested", async () => {
    const documentId = await app().create(ARTICLE, { title: "Other browser" });
    const { page } = await openDocument(documentId);
    const kept = page.waitForResponse(
      (response) => /working-copies/.test(response.url()) && response.request().method() === "PUT",
    );
    await field(page, "Summary").fill("typed on one device");
    await kept;
    const other = await openDocument(documentId);
    await other.page.getByText(/What you typed on another device/).waitFor();
    expect(await field(other.page, "Summary").inputValue()).to.equal("typed on one device");
    await other.page.goto(`${app().url}/admin`);
    await other.page.getByRole("heading", { name: "Not saved yet" }).waitFor();
  });

  const toCopies = "**/admin/api/working-copies/**";
  const kept = (page: Page, status: number) =>
    page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.status() === status);
  const leave = (page: Page) => page.getByRole("link", { name: "Article", exact: true }).first().click();
  const signOut = async (page: Page) => {
    await page.getByRole("button", { name: "Super" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in/);
    const journals: unknown = JSON.parse(await page.evaluate(readJournals));
    expect(journals).to.deep.equal({ keys: [], entries: [] });
  };
  const isOffered = async (documentId: string, typed: RegExp) => {
    const { page } = await openDocument(documentId);
    await page.getByText(/What you typed on another device/).waitFor();
    expect(await field(page, "Summary").inputValue()).to.match(typed);
  };

  it("is there after signing out, also more of it than a browser sends for a page that is being left", async () => {
    const documentId = await app().create(ARTICLE, { title: "Large" });
    const { page } = await openDocument(documentId);
    const sent = kept(page, 200);
    await field(page, "Summary").fill("large ".repeat(20_000));
    await leave(page);
    await sent;
    await signOut(page);
    await isOffered(documentId, /^large/);
  });

  it("is there after signing out, also where the server got none of it before", async () => {
    const left = await app().create(ARTICLE, { title: "Left" });
    const failed = await app().create(ARTICLE, { title: "Failed" });
    const { page } = await openDocument(left);
    await page.route(toCopies, (route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
    );
    for (const documentId of [left, failed]) {
      if (documentId === failed) await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
      const refused = kept(page, 503);
      await field(page, "Summary").fill("typed meanwhile");
      if (documentId === left) await leave(page);
      await refused;
    }
    await page.unroute(toCopies);
    await signOut(page);
    for (const documentId of [failed, left]) await isOffered(documentId, /typed meanwhile/);
  });

  it("is there again where it was typed into a part that was saved in the same tab", async () => {
    const documentId = await app().create(ARTICLE, { title: "New part" });
    const { page, context } = await openDocument(documentId);
    await page.getByRole("button", { name: "Add Sections" }).click();
    await page.getByRole("region", { name: "shared" }).getByRole("button", { name: "Quote" }).click();
    await field(page, "Words").fill("saved");
    await save(page);
    await said(page, "Saved").waitFor();
    await field(page, "Words").fill("typed later");
    await journalled(page, "typed later");
    await page.close();
    const again = await context.newPage();
    await again.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await again.getByText(/did not save is back/).waitFor();
    expect(await field(again, "Words").inputValue()).to.equal("typed later");
  });

  it("asks about what was typed earlier where somebody saved the same field since", async () => {
    const documentId = await app().create(ARTICLE, { title: "Earlier" });
    const { page, context } = await openDocument(documentId);
    await field(page, "Title").fill("Typed and left");
    await journalled(page, "Typed and left");
    await page.close();
    await app()
      .plinth.app.documents(ARTICLE)
      .update({ documentId, data: { title: "Saved since", summary: "by another" } });
    const again = await context.newPage();
    await again.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    const dialog = again.getByRole("dialog", { name: "Two people changed this" });
    await dialog.getByRole("radio", { name: /From|Somebody/ }).check();
    await dialog.getByRole("button", { name: "Take these" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await field(again, "Title").inputValue()).to.equal("Saved since");
    expect(await field(again, "Summary").inputValue()).to.equal("by another");
  });

  it("stays in the form when a draft is unpublished, and makes one document of a key that is held", async () => {
    const { page } = await openDocument("new");
    await field(page, "Title").fill("Held key");
    await field(page, "Title").press("Control+s");
    await page.evaluate(() => {
      for (const repeat of [false, true, true])
        document.activeElement?.dispatchEvent(
          new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true, repeat }),
        );
    });
    await page.waitForURL((url) => !url.pathname.endsWith("/new"));
    const { app: running } = app().plinth;
    expect(await running.documents(ARTICLE).count({ filters: { title: "Held key" } })).to.equal(1);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await said(page, "Published").waitFor();
    await field(page, "Summary").fill("not saved yet");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Unpublish" }).click();
    await page
      .getByRole("alertdialog", { name: "Unpublish this document?" })
      .getByRole("button", { name: "Unpublish" })
      .click();
    await said(page, "Unpublished").waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("not saved yet");
  });

  it("keeps two new documents apart that are written in two tabs", async () => {
    const first = await openDocument("new");
    await field(first.page, "Title").fill("First tab");
    const second = await first.context.newPage();
    await second.goto(`${app().url}/admin/content/${ARTICLE}/new`);
    await field(second, "Title").fill("Second tab");
    await save(second);
    await said(second, "Saved").waitFor();
    await journalled(first.page, "First tab");
    await first.page.reload();
    await first.page.getByText(/did not save is back/).waitFor();
    expect(await field(first.page, "Title").inputValue()).to.equal("First tab");
  });

  it("saves through a proxy that weakens entity tags", async () => {
    const documentId = await app().create(ARTICLE, { title: "Proxy" });
    const tab = await open();
    await app().enter(tab);
    await tab.page.route("**/admin/api/content/**", async (route) => {
      const response = await route.fetch();
      const tag = response.headers()["etag"];
      await route.fulfill({ response, headers: { ...response.headers(), ...(tag ? { etag: `W/${tag}` } : {}) } });
    });
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await field(tab.page, "Summary").fill("saved once");
    await save(tab.page);
    await said(tab.page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ summary: "saved once" });
  });

  it("is the JSON that was typed, key by key", async () => {
    const documentId = await app().create(ARTICLE, { title: "JSON", settings: { a: 1 } });
    const { page } = await openDocument(documentId);
    const editor = page.getByRole("textbox", { name: "Settings" });
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("[1.05, 2]");
    await save(page);
    await said(page, "Saved").waitFor();
    expect((await app().read(ARTICLE, documentId))["settings"]).to.deep.equal([1.05, 2]);
  });

  it("joins what two people changed in different fields", async () => {
    const documentId = await app().create(ARTICLE, { title: "Two people", summary: "before" });
    const [first, second] = [await openDocument(documentId), await openDocument(documentId, "editor")];
    await field(first.page, "Title").fill("Two people, one title");
    await field(second.page, "Summary").fill("after");
    await save(first.page);
    await said(first.page, "Saved").waitFor();
    await save(second.page);
    await said(second.page, "Saved, together with what others changed meanwhile").waitFor();
    expect(await field(second.page, "Title").inputValue()).to.equal("Two people, one title");
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "Two people, one title", summary: "after" });
  });

  it("asks where two people changed the same field, and keeps what is chosen", async () => {
    const documentId = await app().create(ARTICLE, { title: "Same field" });
    const [first, second] = [await openDocument(documentId), await openDocument(documentId, "editor")];
    await field(first.page, "Title").fill("Of the first");
    await field(second.page, "Title").fill("Of the second");
    await field(second.page, "Summary").fill("also of the second");
    await save(first.page);
    await said(first.page, "Saved").waitFor();
    await save(second.page);
    const dialog = second.page.getByRole("dialog", { name: "Two people changed this" });
    await dialog.getByText("Of the first").waitFor();
    await dialog.getByRole("radio", { name: "Yours" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await said(second.page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "Of the second", summary: "also of the second" });
  });

  it("offers what was typed as a new document where another one deleted it meanwhile", async () => {
    const documentId = await app().create(ARTICLE, { title: "Deleted meanwhile" });
    const { page } = await openDocument(documentId);
    await field(page, "Summary").fill("worth keeping");
    await app().plinth.app.documents(ARTICLE).delete({ documentId, locale: "*" });
    await save(page);
    await page.getByRole("button", { name: "Save as a new document" }).click();
    await page.waitForURL((url) => !url.pathname.includes(documentId));
    await field(page, "Title").waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("worth keeping");
  });

  it("is offered also where the document is deleted before it is opened again", async () => {
    const documentId = await app().create(ARTICLE, { title: "Deleted while away" });
    const { page, context } = await openDocument(documentId);
    await field(page, "Summary").fill("left behind");
    await journalled(page, "left behind");
    await page.close();
    await app().plinth.app.documents(ARTICLE).delete({ documentId, locale: "*" });
    const again = await context.newPage();
    await again.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}`);
    await again.getByRole("button", { name: "Save as a new document" }).click();
    await again.waitForURL((url) => !url.pathname.includes(documentId));
    expect(await field(again, "Summary").inputValue()).to.equal("left behind");
  });

  it("goes on without a network, and saves when it is back", async () => {
    const documentId = await app().create(ARTICLE, { title: "Offline" });
    const { page, context } = await openDocument(documentId);
    await context.setOffline(true);
    await page.getByText(/No network since/).waitFor();
    await field(page, "Summary").fill("typed on a train");
    await save(page);
    await page.getByText(/This is saved once it can/).waitFor();
    await context.setOffline(false);
    await page.getByText(/No network since/).waitFor({ state: "hidden" });
    await page.getByText(/This is saved once it can/).waitFor({ state: "hidden" });
    expect(await app().read(ARTICLE, documentId)).to.include({ summary: "typed on a train" });
  });

  it("asks for the password over the open form when the session has ended", async () => {
    const documentId = await app().create(ARTICLE, { title: "Ended session" });
    const { page, context } = await openDocument(documentId);
    await field(page, "Summary").fill("still here");
    await context.clearCookies();
    // By key: the window may be there already, because the page hears of the end of its session.
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("alertdialog", { name: "Sign in again" });
    await dialog.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await field(page, "Summary").inputValue()).to.equal("still here");
    await save(page);
    await said(page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ summary: "still here" });
  });

  it("sends nothing when a document is opened and closed again", async () => {
    const documentId = await app().create(ARTICLE, {
      title: "Opened",
      body: [{ type: "paragraph", children: [{ type: "text", text: "words" }] }],
      notes: "# *kept*  as it is\n",
      settings: { b: 1, a: [1, 2] },
      sections: [{ __component: "shared.quote", words: "x" }],
    });
    const sent: string[] = [];
    const { page } = await openDocument(documentId);
    page.on("request", (request) => {
      // That somebody is here is told to others, and no part of the document.
      const isContent = request.method() !== "GET" && !request.url().endsWith("/admin/api/presence");
      if (isContent) sent.push(`${request.method()} ${request.url()}`);
    });
    await page.getByRole("textbox", { name: "Notes" }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(REST);
    await save(page);
    await page.goto(`${app().url}/admin`);
    expect(sent).to.deep.equal([]);
  });
});
