import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { FrameLocator, Page } from "playwright-core";
import { fileOf, readBlocks } from "../docs/read-blocks.js";
import { useBrowser } from "./browser.js";
import { type BrowserApp, startBrowserApp } from "./browser-app.js";
import { expectSoon } from "./expect-soon.js";
import { freePort } from "../free-port.js";
import { previewModel } from "./preview-model.js";

const ARTICLE = "api::article.article";
const GUIDE = join(import.meta.dirname, "../../plugins/admin/guides/preview.md");
const said = (page: Page, text: string | RegExp) => page.getByRole("alertdialog").filter({ hasText: text });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const siteIn = (page: Page): FrameLocator => page.frameLocator("iframe");

describe("a preview beside the form", () => {
  let started: BrowserApp | undefined;
  let site: Server | undefined;
  let origin = "";
  const app = () => started as BrowserApp;
  const folder = mkdtempSync(join(tmpdir(), "plinth-preview-"));
  const open = useBrowser();

  before("start the app, and the front end of the guide on another port", async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    started = await startBrowserApp(folder, previewModel(origin));
    for (const block of readBlocks(readFileSync(GUIDE, "utf8"))) {
      const name = fileOf(block);
      if (name?.startsWith("site/")) writeFileSync(join(folder, name.slice("site/".length)), block.text);
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const { createSite } = (await import(pathToFileURL(join(folder, "server.ts")).href)) as {
      createSite(plinth: string): Server;
    };
    site = createSite(app().url);
    await new Promise<void>((listening) => site?.listen(port, "127.0.0.1", listening));
  });
  after("stop both", async () => {
    site?.closeAllConnections();
    site?.close();
    await started?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sections = Array.from({ length: 12 }, (_, n) => ({ __component: "sections.quote", text: `Quote ${n + 1}` }));
  const openArticle = async (data: object, query = "") => {
    const documentId = await app().create(ARTICLE, data);
    const tab = await open({ viewport: { width: 1400, height: 900 } });
    await app().enter(tab);
    await tab.page.clock.install();
    await tab.page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}${query}`);
    await field(tab.page, "Title").waitFor();
    return { ...tab, documentId };
  };

  it("shows the front end with what is typed, without a save, and after one at its new address", async () => {
    const { page, wrong, documentId } = await openArticle({ title: "As saved", slug: "as-saved" });
    await button(page, "Preview").click();
    const heading = siteIn(page).locator("h1");
    await heading.getByText("As saved").waitFor();
    expect(new URL(page.url()).searchParams.get("preview")).to.equal("true");
    await field(page, "Title").fill("As typed");
    await heading.getByText("As typed").waitFor();
    expect((await app().read(ARTICLE, documentId))["title"]).to.equal("As saved");
    await button(page, "Add Sections").click();
    await page.locator("#place-sections").getByRole("textbox", { name: "Text" }).fill("A new part");
    await siteIn(page).locator("blockquote").getByText("A new part").waitFor();
    await field(page, "Slug").fill("another-address");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    await page.locator('iframe[src*="/articles/another-address?"]').waitFor();
    await heading.getByText("As typed").waitFor();
    const tab = page.getByRole("link", { name: "Open the preview in a new tab" });
    expect(await tab.getAttribute("href")).to.match(
      new RegExp(`^${origin}/articles/another-address\\?id=${documentId}&token=`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it("leads from the front end to the field, through cards that are closed, and believes nobody else", async () => {
    const { page, wrong } = await openArticle({ title: "Twelve quotes", slug: "quotes", sections }, "?preview=true");
    await siteIn(page).locator("blockquote").getByText("Quote 11").click();
    const quote = page.locator("#place-sections").getByRole("textbox", { name: "Text" });
    await quote.waitFor();
    const active = () => page.evaluate(() => (document.activeElement as HTMLTextAreaElement | null)?.value ?? "");
    await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement | null)?.value === "Quote 11");
    expect(await quote.count()).to.equal(1);
    await siteIn(page).locator("h1").click();
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === "Twelve quotes");

    await quote.click();
    const tellFrom = (sender: "frame" | "page", from: string) =>
      page.evaluate(
        ([who, place]) => {
          const { contentWindow } = document.querySelector("iframe") as HTMLIFrameElement;
          const source = who === "frame" ? contentWindow : window;
          const data = { type: "plinth:focus", path: "title" };
          dispatchEvent(new MessageEvent("message", { data, source, origin: place ?? "" }));
        },
        [sender, from],
      );
    await tellFrom("frame", "https://evil.example");
    await tellFrom("page", origin);
    await page.evaluate(() => postMessage({ type: "plinth:focus", path: "title" }, "*"));
    await page.waitForTimeout(300);
    expect(await active()).to.equal("Quote 11");
    await tellFrom("frame", origin);
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === "Twelve quotes");

    // Nor does the front end believe another window.
    const frame = page.frames().find((known) => known.url().startsWith(origin));
    let reads = 0;
    page.on("request", (request) => {
      if (request.url().startsWith(`${origin}/articles`)) reads += 1;
    });
    await frame?.evaluate(() => postMessage({ type: "plinth:changed" }, "*"));
    await page.waitForTimeout(300);
    expect(reads).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });

  it("has the widths of a phone and a tablet, a line that keys move, and new tokens before the old ones end", async () => {
    const { page, wrong } = await openArticle({ title: "Narrow", slug: "narrow" }, "?preview=true");
    await siteIn(page).locator("h1").waitFor();
    const widthInside = () =>
      siteIn(page)
        .locator("html")
        .evaluate(() => innerWidth);
    await button(page, "Phone").click();
    await expectSoon(widthInside, 390);
    await button(page, "Tablet").click();
    await expectSoon(widthInside, 820);
    expect((await page.locator("iframe").boundingBox())?.width).to.be.lessThan(700);
    await button(page, "Full width").click();
    await expectSoon(async () => (await widthInside()) < 820, true);
    const before = await widthInside();
    await page.getByRole("separator", { name: "Width of the preview" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
      () => document.querySelector("[role=separator]")?.getAttribute("aria-valuenow") === "40",
    );
    await expectSoon(async () => (await widthInside()) < before, true);
    const tokenOf = () =>
      siteIn(page)
        .locator("html")
        .evaluate(() => new URL(location.href).searchParams.get("token"));
    const first = await tokenOf();
    const renewed = page.waitForResponse((response) => response.url().includes("/admin/api/preview/"));
    // 15 minutes are not over yet.
    await page.clock.fastForward("12:30");
    await renewed;
    await field(page, "Title").fill("With another token");
    await siteIn(page).locator("h1").getByText("With another token").waitFor();
    expect(await tokenOf()).not.to.equal(first);
    await button(page, "Close the preview").click();
    await page.locator("iframe").waitFor({ state: "detached" });
    expect(wrong).to.deep.equal([]);
  });

  it("says what it lacks: a first save, or a value of its address", async () => {
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/new?preview=true`);
    await page.getByText("Save the document once.").waitFor();
    await field(page, "Title").fill("New");
    await button(page, "Save").click();
    await siteIn(page).locator("h1").getByText("New").waitFor();
    const documentId = await app().create(ARTICLE, { title: "No slug", slug: "no-slug" });
    await app().plinth.app.db.query({
      text: "update articles set slug = null where document_id = $1",
      values: [documentId],
    });
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${documentId}?preview=true`);
    await page.getByText("Its address needs: Slug.").waitFor();
    // What is typed is enough.
    await field(page, "Slug").fill("typed-only");
    await siteIn(page).locator("h1").getByText("No slug").waitFor();
  });
});
