import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { focusIs } from "./focus.js";
import { signIn } from "../plugins/admin/sign-in.js";

const ARTICLE = "api::article.article";
const HOUR = 60 * 60 * 1000;

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const palette = (page: Page) => page.getByRole("combobox", { name: "Search documents, screens and actions" });
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
const card = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, level: 2 }) });

describe("the search of everything", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  let engine = "";
  before("write documents", async () => {
    engine = await app().create(ARTICLE, { title: "Analytical Engine" });
    await app().create("api::author.author", { name: "Engineer Ada" });
  });
  const visit = async (path = "") => {
    const opened = await open();
    await app().enter(opened);
    await opened.page.goto(`${app().url}/admin${path}`);
    return opened;
  };
  const chosen = (page: Page) => page.locator("[role=option][aria-selected=true]").innerText();

  it("finds documents, screens and actions by keyboard, and shows first what was opened last", async () => {
    const { page, wrong } = await visit(`/content/${ARTICLE}/${engine}`);
    await field(page, "Title").waitFor();
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    expect(await chosen(page)).to.include("Analytical Engine");
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /Search everything/ }).click();
    await palette(page).fill("engin");
    await option(page, /Engineer Ada/).waitFor();
    await option(page, /Analytical Engine/).waitFor();
    expect(await option(page, /Analytical Engine/).count()).to.equal(1);
    await palette(page).fill("engineer");
    await option(page, /Analytical Engine/).waitFor({ state: "hidden" });
    await option(page, /Engineer Ada.*Author/).waitFor();
    await page.keyboard.press("Enter");
    await field(page, "Name").waitFor();
    expect(await field(page, "Name").inputValue()).to.equal("Engineer Ada");

    await page.keyboard.press("Control+k");
    await palette(page).fill("new tag");
    expect(await chosen(page)).to.include("New Tag");
    await page.keyboard.press("Enter");
    await page.waitForURL(/api::tag\.tag\/new/);
    await page.keyboard.press("Control+k");
    await palette(page).fill("dark");
    await page.keyboard.press("Enter");
    await page.locator("html[data-theme=dark]").waitFor();
    await page.keyboard.press("Control+k");
    await palette(page).fill("event");
    await page.getByRole("option", { name: "Event", exact: true }).waitFor();
    const first = await chosen(page);
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page)).to.not.equal(first);
    await page.keyboard.press("ArrowUp");
    expect(await chosen(page)).to.equal(first);
    await page.getByRole("option", { name: "Event", exact: true }).click();
    await page.waitForURL(/api::event\.event/);
    await page.keyboard.press("Control+k");
    await palette(page).fill("save this list");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Save this list as a view" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await palette(page).fill("zzzz");
    await page.getByText("Nothing found. Documents are found by their titles").waitFor();
    await page.keyboard.press("Escape");
    expect(wrong).to.deep.equal([]);
  });

  it("asks again where the server did not answer, drops what is not wanted any more, and leaves links of texts to their editor", async () => {
    const { page, wrong } = await visit(`/content/${ARTICLE}/${engine}`);
    const asked: string[] = [];
    const cancelled: string[] = [];
    const textOf = (url: string) => new URL(url).searchParams.get("q") ?? "";
    page.on("request", (request) => {
      if (request.url().includes("/admin/api/search")) asked.push(textOf(request.url()));
    });
    page.on("requestfailed", (request) => cancelled.push(textOf(request.url())));
    await page.route("**/admin/api/search?q=ana&**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue().catch(() => undefined);
    });
    await field(page, "Title").waitFor();
    await page.keyboard.press("Control+k");
    await palette(page).fill("ana");
    await page.waitForRequest((request) => request.url().includes("q=ana&"));
    await palette(page).fill("engineer");
    await option(page, /Engineer Ada/).waitFor();
    expect(asked).to.deep.equal(["ana", "engineer"]);
    expect(cancelled).to.include("ana");
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Body" }).click();
    await page.keyboard.type("word");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: /address/i }).waitFor();
    expect(await palette(page).count()).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });

  it("lists the keys of every screen, those of the one that is shown first", async () => {
    const { page } = await visit("");
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    const heads = () => page.getByRole("dialog", { name: "Keys" }).getByRole("heading", { level: 3 }).allInnerTexts();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await heads()).to.deep.equal(["Everywhere", "Lists of documents", "Documents", "Text in blocks"]);
    await page.keyboard.press("Escape");
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${engine}`);
    await field(page, "Title").waitFor();
    await field(page, "Title").press("?");
    expect(await field(page, "Title").inputValue()).to.include("?");
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect((await heads())[0]).to.equal("Documents");
    await page.keyboard.press("Escape");
    await focusIs(page, /^Keys$/);
  });
});

describe("the home screen", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const ask = async (path: string, role = "super", body?: unknown) => {
    return await app().ask(body === undefined ? "GET" : "POST", path, await signIn(app().plinth.app, role), body);
  };
  const visit = async (role = "super") => {
    const opened = await open();
    await app().enter(opened, role);
    await opened.page.goto(`${app().url}/admin`);
    await opened.page.getByRole("heading", { name: /Hello/ }).waitFor();
    return opened;
  };

  it("says in each card what it is for, while there is nothing", async () => {
    const { page, wrong } = await visit();
    await card(page, "Not saved yet").getByText("Everything that you typed is saved.").waitFor();
    await card(page, "Last opened").getByText("Documents that you open appear here.").waitFor();
    await card(page, "Planned next").getByText("Nothing is planned.").waitFor();
    await card(page, "Changed by others").getByText("When somebody else changes a document").waitFor();
    await card(page, "Needs attention").getByText("Everything that was planned and sent has worked.").waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("shows what others changed and what is new of it, what is planned, what failed and where one was", async () => {
    const made = await ask(`/admin/api/content/${ARTICLE}`, "editor", { data: { title: "By the editor" } });
    const planned = await app().create(ARTICLE, { title: "Soon" });
    const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
    await ask(`/admin/api/schedule/${ARTICLE}/${planned}`, "super", { publishAt: at(5) });
    const failed = await app().create(ARTICLE, { title: "Failed" });
    await ask(`/admin/api/schedule/${ARTICLE}/${failed}`, "super", { publishAt: at(6) });
    const { db } = app().plinth.app;
    const problems = JSON.stringify([{ code: "X", path: [], message: "title must be defined." }]);
    await db.query({
      text: "update plinth_schedule set failed_at = now(), problems = $1::jsonb where document_id = $2",
      values: [problems, failed],
    });
    await db.query({
      text: "insert into plinth_jobs (name, state, fault) values ('newsletter', 'dead', $1)",
      values: [JSON.stringify({ message: "no mailer" })],
    });

    const { page, wrong } = await visit();
    await card(page, "Changed by others")
      .getByRole("link", { name: /By the editor.*by editor/s })
      .waitFor();
    await card(page, "Planned next")
      .getByRole("link", { name: /Soon.*Is published/s })
      .waitFor();
    await card(page, "Needs attention").getByText("Could not be published: title must be defined.").waitFor();
    await card(page, "Needs attention").getByText("1 job was given up: no mailer").waitFor();
    await card(page, "Changed by others")
      .getByRole("link", { name: /By the editor/ })
      .click();
    await field(page, "Title").fill("Changed and left");
    await page.getByRole("link", { name: "Plinth" }).click();
    await card(page, "Last opened")
      .getByRole("link", { name: /By the editor/ })
      .waitFor();

    // A day later.
    const yesterday = new Date(Date.now() - 24 * HOUR).toISOString();
    const value = { looked: yesterday, before: null };
    await app().ask("PUT", "/admin/api/preferences/home", await signIn(app().plinth.app, "super"), { value });
    await page.reload();
    await card(page, "Changed by others").getByText("1 change since you last looked").waitFor();
    await card(page, "Changed by others").getByText("New", { exact: true }).waitFor();
    expect(made.body.data.documentId).to.be.a("string");
    expect(wrong).to.deep.equal([]);

    const author = await visit("author");
    await card(author.page, "Planned next").getByText("Nothing is planned.").waitFor();
    expect(await author.page.content()).to.not.match(/By the editor|Soon|newsletter/);
  });

  it("keeps the other cards where one fails, and reads that one again when asked", async () => {
    const opened = await open();
    const { page } = opened;
    await app().enter(opened);
    let isBroken = true;
    await page.route("**/admin/api/history/recent", (route) =>
      isBroken
        ? route.fulfill({ status: 400, json: { error: { message: "Out of order", code: "X" } } })
        : route.continue(),
    );
    await page.goto(`${app().url}/admin`);
    await card(page, "Changed by others").getByText("Out of order").waitFor();
    await card(page, "Planned next").getByRole("link", { name: /Soon/ }).waitFor();
    isBroken = false;
    await card(page, "Changed by others").getByRole("button", { name: "Try again" }).click();
    await card(page, "Changed by others")
      .getByRole("link", { name: /By the editor/ })
      .waitFor();
  });
});
