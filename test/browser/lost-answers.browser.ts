import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import { useBrowser } from "./browser.js";
import { type BrowserApp, components, contentTypes, startBrowserApp } from "./browser-app.js";
import { freePort } from "../free-port.js";
import { settled } from "./settled.js";

const ARTICLE = "api::article.article";
const MEMO = "api::memo.memo";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });
const waits = (page: Page) => page.getByText(/This is saved once it can/);

/** A type that saves its drafts by itself. */
const memo = {
  kind: "collectionType" as const,
  info: { singularName: "memo", pluralName: "memos", displayName: "Memo" },
  options: { draftAndPublish: true },
  pluginOptions: { admin: { autosave: true } },
  attributes: { title: { type: "string", maxLength: 20 }, text: { type: "text" } },
};

describe("a save in the admin page that the server does not answer", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "plinth-lost-answers-"));
  let app: BrowserApp;
  let port = 0;
  const start = async () => {
    app = await startBrowserApp(folder, {
      app: { contentTypes: { ...contentTypes, [MEMO]: memo }, components } as never,
      config: {
        server: { port },
        database: { client: "pglite", directory: join(folder, "data") },
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      },
    });
  };
  before("start the app", async () => {
    port = await freePort();
    await start();
  });
  after("stop the app", async () => {
    await app.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const openPage = async (path: string) => {
    const tab = await open();
    await app.enter(tab);
    await tab.page.goto(`${app.url}/admin/content/${path}`);
    await field(tab.page, "Title").waitFor();
    return tab.page;
  };
  const count = (title: string) => app.plinth.app.documents(ARTICLE).count({ filters: { title } });
  /** The server does what the next write asks for, and its answer never comes. */
  const loseAnswer = async (page: Page, then: () => Promise<unknown> = async () => undefined) => {
    let isLost = false;
    const lose = async (route: Route) => {
      if (isLost || !["POST", "PUT"].includes(route.request().method())) return route.fallback();
      isLost = true;
      await route.fetch();
      await then();
      await route.abort();
    };
    await page.route("**/admin/api/content/**", lose);
  };

  it("makes one document, and goes on with it", async () => {
    const page = await openPage(`${ARTICLE}/new`);
    await field(page, "Title").fill("Sent once");
    await loseAnswer(page);
    await save(page);
    await waits(page).waitFor();
    await field(page, "Summary").fill("typed while it waited");
    await waits(page).waitFor({ state: "hidden" });
    await page.waitForURL((url) => !url.pathname.endsWith("/new"));
    await settled(page);
    expect(await count("Sent once")).to.equal(1);
    const documentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(await app.read(ARTICLE, documentId)).to.include({ summary: "typed while it waited" });
  });

  it("makes one document also where the tab was closed before it knew", async () => {
    const page = await openPage(`${ARTICLE}/new`);
    await field(page, "Title").fill("Closed early");
    await loseAnswer(page);
    await save(page);
    await waits(page).waitFor();
    const [address, context] = [page.url(), page.context()];
    await context.setOffline(true);
    await field(page, "Summary").fill("and more");
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(address);
    await again.waitForURL((url) => !url.pathname.endsWith("/new"));
    await save(again);
    await said(again, "Saved").waitFor();
    expect(await count("Closed early")).to.equal(1);
  });

  it("has a new part once, when the server was stopped in the middle and started again", async () => {
    const documentId = await app.create(ARTICLE, { title: "Killed" });
    const page = await openPage(`${ARTICLE}/${documentId}`);
    await page.getByRole("button", { name: "Add Sections" }).click();
    await page.getByRole("region", { name: "shared" }).getByRole("button", { name: "Quote" }).click();
    await field(page, "Words").fill("said once");
    await loseAnswer(page, () => app.plinth.stop());
    await save(page);
    await waits(page).waitFor();
    await field(page, "Summary").fill("typed while it was down");
    await start();
    await waits(page).waitFor({ state: "hidden", timeout: 30_000 });
    await settled(page);
    const stored = await app.read(ARTICLE, documentId);
    expect((stored["sections"] as { words: string }[]).map(({ words }) => words)).to.deep.equal(["said once"]);
    expect(stored["summary"]).to.equal("typed while it was down");
    expect(await field(page, "Words").count()).to.equal(1);
  });

  it("waits while it is answered 503", async () => {
    const documentId = await app.create(ARTICLE, { title: "Busy" });
    const page = await openPage(`${ARTICLE}/${documentId}`);
    const refuse = (route: Route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 503, body: "" }) : route.fallback();
    await page.route("**/admin/api/content/**", refuse);
    await field(page, "Summary").fill("patient");
    await save(page);
    await waits(page).waitFor();
    await page.unroute("**/admin/api/content/**", refuse);
    await waits(page).waitFor({ state: "hidden" });
    await settled(page);
    expect(await app.read(ARTICLE, documentId)).to.include({ summary: "patient" });
  });

  it("is no concern where a type saves its drafts by itself: what is refused is said at the field", async () => {
    const documentId = await app.create(MEMO, { title: "Memo" }, "published");
    const page = await openPage(`${MEMO}/${documentId}`);
    await field(page, "Text").fill("never saved by hand");
    await page.getByText("Modified").first().waitFor();
    expect(await app.read(MEMO, documentId)).to.include({ text: "never saved by hand" });
    const live = await app.plinth.app.documents(MEMO).findOne({ documentId, status: "published" });
    expect(live?.["text"]).to.equal(null);
    await field(page, "Title").fill("Much too long for a memo");
    await page.locator("[aria-invalid=true]").waitFor();
    expect(await page.getByRole("alert").count()).to.equal(0);
    await field(page, "Title").fill("Short");
    await settled(page);
    expect(await app.read(MEMO, documentId)).to.include({ title: "Short" });
  });
});
