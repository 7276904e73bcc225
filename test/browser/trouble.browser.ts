import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { useBrowser } from "./browser.js";
import { type BrowserApp, startBrowserApp } from "./browser-app.js";
import { freePort } from "../free-port.js";

const ARTICLE = "api::article.article";

describe("the admin page when the server is in trouble", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "plinth-trouble-"));
  let app: BrowserApp | undefined;
  let port = 0;
  const start = async () => {
    app = await startBrowserApp(folder, {
      config: {
        server: { port },
        database: { client: "pglite", directory: join(folder, "data") },
        i18n: { defaultLocale: "en", locales: ["en"] },
      },
    });
    return app;
  };
  before("start the app", async () => {
    port = await freePort();
    await start();
  });
  after("stop the app", async () => {
    await app?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("waits for a server that was stopped, and saves what was typed when it is back", async () => {
    const running = app ?? (await start());
    const tab = await open();
    const { page } = tab;
    await running.enter(tab);
    const documentId = await running.create(ARTICLE, { title: "Restarted" });
    await page.goto(`${running.url}/admin/content/${ARTICLE}/${documentId}`);
    const summary = page.getByRole("textbox", { name: "Summary", exact: true });
    await summary.fill("typed before it stopped");
    await running.plinth.stop();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/This is saved once it can/).waitFor();
    const again = await start();
    await page.getByText(/This is saved once it can/).waitFor({ state: "hidden", timeout: 30_000 });
    expect(await again.read(ARTICLE, documentId)).to.include({ summary: "typed before it stopped" });
  });

  it("says what is wrong when a list cannot be read, and reads it again", async () => {
    const tab = await open();
    const { page } = tab;
    await (app ?? (await start())).enter(tab);
    await page.route("**/admin/api/content/**", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/json",
        body: '{"error":{"message":"Internal Server Error"}}',
      }),
    );
    await page.goto(`${app?.url}/admin/content/${ARTICLE}`);
    await page.getByText("Something went wrong").waitFor();
    await page.unroute("**/admin/api/content/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Restarted" }).waitFor();
  });

  it("asks to be loaded again when a file of it is gone, and keeps what was typed", async () => {
    const tab = await open();
    const { page } = tab;
    await (app ?? (await start())).enter(tab);
    await page.route(/\/admin\/assets\/edit-screen-/, (route) => route.abort());
    await page.goto(`${app?.url}/admin/content/${ARTICLE}`);
    await page.getByRole("link", { name: "Restarted" }).click();
    await page.getByText(/There is a new version of this page/).waitFor();
  });

  it("keeps the form where an editor cannot be loaded, and shows the editor once it can be", async () => {
    const running = app ?? (await start());
    const tab = await open();
    const { page } = tab;
    await running.enter(tab);
    const documentId = await running.create(ARTICLE, { title: "Without an editor" });
    await page.route(/\/admin\/assets\/blocks-editor-/, (route) => route.abort());
    const refused = page.waitForEvent("requestfailed", (request) => /blocks-editor-/.test(request.url()));
    await page.goto(`${running.url}/admin/content/${ARTICLE}/${documentId}`);
    await refused;
    const summary = page.getByRole("textbox", { name: "Summary", exact: true });
    await summary.fill("typed without the editor");
    await page.unroute(/\/admin\/assets\/blocks-editor-/);
    await page.getByRole("textbox", { name: "Body" }).waitFor();
    expect(await summary.inputValue()).to.equal("typed without the editor");
  });
});
