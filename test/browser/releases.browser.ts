import { expect } from "chai";
import { jobs } from "@plinth/plugin-jobs";
import { releases, schedules } from "@plinth/plugin-schedule";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { focusIs } from "./focus.js";

const ARTICLE = "api::article.article";
const DAY = 86_400_000;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const moment = (page: Page, name: string) => page.getByRole("dialog").getByLabel(name, { exact: true });
const panel = (page: Page) => page.getByRole("region", { name: "Planned" });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

describe("publishing at a time", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const visit = async (path: string, role = "super", options: Parameters<typeof open>[0] = {}) => {
    const tab = await open({ timezoneId: "Europe/Berlin", ...options });
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin${path}`);
    return tab;
  };
  const article = (title: string, data: object = {}) => app().create(ARTICLE, { title, ...data });
  const planned = (documentId: string) => app().plinth.app.service(schedules).of({ type: ARTICLE, documentId });
  const settle = () => app().plinth.app.extension(jobs).idle();

  it("plans a document in the reader's zone, changes the zone and the time, says what is wrong today, and cancels", async () => {
    const documentId = await article("Embargoed");
    const { page, wrong } = await visit(`/content/${ARTICLE}/${documentId}`);
    await panel(page).getByText("Nothing is planned for this document.").waitFor();
    await button(page, "Plan").click();
    await moment(page, "Publish at").fill("2035-07-01T09:00");
    await moment(page, "Take back at").fill("2035-07-31T09:00");
    await button(page, "Save the time").click();
    await panel(page)
      .getByText(/Goes out on Sun, Jul 1, 2035, 9:00 AM GMT\+2 by super/)
      .waitFor();
    expect((await planned(documentId)).map(({ at }) => at)).to.deep.equal([
      "2035-07-01T07:00:00.000Z",
      "2035-07-31T07:00:00.000Z",
    ]);
    // The same moment by other clocks; what is typed then is by those.
    await panel(page)
      .getByRole("button", { name: /^Change/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
    expect(await moment(page, "Publish at").inputValue()).to.equal("2035-07-01T07:00");
    await moment(page, "Publish at").fill("2035-07-02T07:30");
    await button(page, "Save the time").click();
    await panel(page)
      .getByText(/Goes out on Mon, Jul 2, 2035, 7:30 AM UTC/)
      .waitFor();
    expect((await planned(documentId))[0]?.at).to.equal("2035-07-02T07:30:00.000Z");
    // What keeps it from being published today leads to its field.
    await field(page, "Title").fill("");
    await button(page, "Save").click();
    await panel(page).getByText("1 thing would keep it from being published today:").waitFor();
    await panel(page)
      .getByRole("button", { name: /^Title: / })
      .click();
    await focusIs(page, /^Title/);
    for (const left of [1, 0]) {
      await panel(page)
        .getByRole("button", { name: /^Cancel/ })
        .first()
        .click();
      await panel(page).getByRole("listitem").nth(left).waitFor({ state: "hidden" });
    }
    await panel(page).getByText("Nothing is planned for this document.").waitFor();
    expect(await planned(documentId)).to.deep.equal([]);
    expect(wrong).to.deep.equal([]);
  });

  it("says that a time does not exist, or comes twice, and lets one choose; and refuses a time that is over", async () => {
    const documentId = await article("At night");
    const { page } = await visit(`/content/${ARTICLE}/${documentId}`);
    await button(page, "Plan").click();
    await moment(page, "Publish at").fill("2035-03-25T02:30");
    await said(page, "it does not exist on this day");
    await button(page, "Save the time").click();
    await page.getByRole("button", { name: /^Use .*3:30 AM GMT\+2/ }).click();
    expect(await moment(page, "Publish at").inputValue()).to.equal("2035-03-25T03:30");
    await moment(page, "Take back at").fill("2035-10-28T02:30");
    await said(page, "this time comes twice on this day");
    await page.getByRole("radio", { name: /2:30 AM GMT\+1/ }).click();
    await button(page, "Save the time").click();
    await panel(page)
      .getByText(/Is taken back on .*2:30 AM GMT\+1/)
      .waitFor();
    expect((await planned(documentId)).map(({ at }) => at)).to.deep.equal([
      "2035-03-25T01:30:00.000Z",
      "2035-10-28T01:30:00.000Z",
    ]);
    await panel(page)
      .getByRole("button", { name: /^Change/ })
      .first()
      .click();
    await moment(page, "Publish at").fill("2020-01-01T09:00");
    await button(page, "Save the time").click();
    await said(page, "must be a time that is not over");
  });

  it("shows at the document and in the calendar what came of a plan, and for whom", async () => {
    const [good, bad] = [await article("Was published"), await article("Was refused")];
    const server = app().plinth.app;
    for (const documentId of [good, bad])
      await server
        .service(schedules)
        .plan({ type: ARTICLE, documentId, locale: "en" }, { publishAt: new Date(Date.now() + DAY) });
    await server.documents(ARTICLE).update({ documentId: bad, data: { title: null } });
    await server.db.query({
      text: "update plinth_schedule set at = now() - interval '11 s' where document_id in ($1, $2)",
      values: [good, bad],
    });
    await server.extension(jobs).enqueue("schedule:look", {});
    await settle();
    const { page, wrong } = await visit("/calendar?view=agenda");
    await page
      .getByRole("listitem")
      .filter({ hasText: "Was published" })
      .getByText("Published by the server")
      .waitFor();
    const refused = page.getByRole("listitem").filter({ hasText: "Publishing was refused" });
    await refused.getByText(/title: /i).waitFor();
    await refused.getByRole("link").click();
    await panel(page)
      .getByText(/Was to go out on .*, and was refused/)
      .waitFor();
    await panel(page)
      .getByRole("button", { name: /^Title: / })
      .waitFor();
    await panel(page)
      .getByRole("button", { name: /^Forget/ })
      .click();
    await panel(page).getByText("Nothing is planned for this document.").waitFor();
    expect(wrong).to.deep.equal([]);
    const author = await visit("/calendar?view=agenda", "author");
    await author.page.getByText("Nothing is planned here").waitFor();
    expect(await author.page.getByRole("link", { name: "Releases" }).count()).to.equal(0);
  });

  it("goes through the calendar by keyboard: days, weeks and months, a day and its documents; one type only", async () => {
    const documentId = await article("Seen in July");
    const publishAt = new Date("2035-07-11T10:00:00Z");
    await app().plinth.app.service(schedules).plan({ type: ARTICLE, documentId, locale: "en" }, { publishAt });
    const { page, wrong } = await visit("/calendar?day=2035-06-30");
    const day = page.getByRole("button", { name: /Saturday, June 30, 2035/ });
    await day.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: "July 2035" }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-day"));
    const wayBack = () => page.evaluate(() => history.length);
    const before = await wayBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-day") === "2035-07-01");
    for (const key of ["PageDown", "PageUp", "ArrowDown", "End", "Home", "ArrowDown"]) {
      const last = await focused();
      await page.keyboard.press(key);
      await page
        .waitForFunction((old) => {
          const now = document.activeElement?.getAttribute("data-day");
          return now && now !== old;
        }, last ?? "")
        .catch(() => undefined);
    }
    await page.getByText("Seen in July").first().waitFor();
    // The way back does not lead over each day.
    expect(await wayBack()).to.equal(before);
    await page.getByRole("button", { name: /Wednesday, July 11, 2035, 1 entry/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("12:00 PM").waitFor();
    await page.getByRole("link", { name: "Seen in July" }).waitFor();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
    await page.getByText("10:00 AM").waitFor();
    await page.getByRole("combobox", { name: "Kind of content" }).selectOption({ label: "Event" });
    await page.getByText("Nothing is planned here").waitFor();
    await page.getByRole("combobox", { name: "Kind of content" }).selectOption({ label: "Article" });
    await button(page, "Week").click();
    await page.getByRole("link", { name: "Seen in July" }).click();
    await field(page, "Title").waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("makes a release of documents from its own picker, a document and a selection; checks, times, cancels and runs it", async () => {
    const ids = [
      await article("Lead story"),
      await article("Second story"),
      await article("Third story"),
      await article("Old story"),
    ];
    await app().create("api::event.event", { name: "Reading", isPublic: true }, "published");
    const { page, wrong } = await visit("/releases", "editor");
    await button(page, "New release").click();
    const window = page.getByRole("dialog", { name: "New release" });
    await button(page, "Make the release").click();
    await window.getByText("Give it a name.").waitFor();
    await window.getByText("Choose at least one document.").waitFor();
    await field(page, "Name").fill("Election night");
    await window.getByRole("searchbox").fill("Lead");
    await window.getByRole("checkbox", { name: "Lead story" }).click();
    await window.getByRole("combobox", { name: "Kind of content" }).selectOption({ label: "Event" });
    await window.getByRole("combobox", { name: "What is done" }).selectOption({ label: "Take back" });
    await window.getByRole("searchbox").fill("");
    await window.getByRole("checkbox", { name: /Reading/ }).click();
    await window.getByText("2 chosen").waitFor();
    await button(page, "Make the release").click();
    await page.getByRole("heading", { name: "Election night" }).waitFor();
    await said(page, "All of it is done, or nothing.");
    await said(page, "Drafts go out as they are saved at that time.");

    // From a document.
    await page.goto(`${app().url}/admin/content/${ARTICLE}/${ids[1]}`);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Add to a release" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Release" }).selectOption({ label: "Election night" });
    await button(page, "Add").click();
    await panel(page)
      .getByText(/Election night: published with it, Open/)
      .waitFor();

    // From a selection.
    await page.goto(`${app().url}/admin/content/${ARTICLE}`);
    for (const title of ["Third story", "Old story"]) await row(page, title).getByRole("checkbox").click();
    await button(page, "Add to a release").click();
    await page.getByRole("dialog", { name: "Add 2 documents to a release" }).waitFor();
    await button(page, "Add").click();
    await said(page, "Added to the release");

    // One becomes invalid: nothing can be timed, and every problem leads to its document.
    await app()
      .plinth.app.documents(ARTICLE)
      .update({ documentId: ids[2] ?? "", data: { title: null } });
    await page.goto(`${app().url}/admin/releases`);
    await page.getByRole("link", { name: "Election night" }).click();
    await page.getByRole("heading", { name: "5 documents" }).waitFor();
    await button(page, "Check").click();
    const found = page.getByRole("region", { name: "What the check found" });
    await found.getByText("1 problem to correct").waitFor();
    await found.getByText(/Title: /).waitFor();
    await button(page, "Set a time").click();
    await moment(page, "Time").fill("2035-11-05T20:00");
    await button(page, "Save the time").click();
    await said(page, "It gets a time once these are corrected:");
    await button(page, "Cancel").click();
    await page.getByRole("button", { name: "Take Old story out" }).click();
    await page.getByRole("heading", { name: "4 documents" }).waitFor();
    // What was checked was something else.
    await found.waitFor({ state: "detached" });
    await button(page, "Run now").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Run now" }).click();
    await said(page, "The release was refused: nothing has changed");
    await page.getByRole("region", { name: "What happened" }).getByText("1 of 4 documents refused").waitFor();

    await app()
      .plinth.app.documents(ARTICLE)
      .update({ documentId: ids[2] ?? "", data: { title: "Third story" } });
    await button(page, "Set a time").click();
    await moment(page, "Time").fill("2035-11-05T20:00");
    await button(page, "Save the time").click();
    await said(page, /Goes out on Mon, Nov 5, 2035, 8:00 PM GMT\+1, with the rights of editor/);
    await said(page, "To change what is in it, take the time back first.");
    await page.goto(`${app().url}/admin/calendar?day=2035-11-05`);
    await page.getByRole("link", { name: "Election night" }).click();
    await button(page, "Take the time back").click();
    await said(page, "Runs by hand, until it has a time.");
    await button(page, "Run now").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Run now" }).click();
    await said(page, "All of it was done.");
    await page.getByRole("region", { name: "What happened" }).getByText("4 documents: all done").waitFor();
    expect((await app().read(ARTICLE, ids[0] ?? ""))["_facts"]).to.deep.include({ state: "published" });
    expect((await app().read(ARTICLE, ids[3] ?? ""))["_facts"]).to.deep.include({ state: "draft" });
    expect(wrong).to.deep.equal([]);
  });

  it("runs and times a release as it was looked at, and says where somebody added a document behind the question", async () => {
    const service = app().plinth.app.service(releases);
    const add = async (title: string) => {
      const documentId = await article(title);
      return { documentId, action: { type: ARTICLE, documentId, locale: "en", action: "publish" as const } };
    };
    const [seen, added, last] = [await add("Seen"), await add("Added"), await add("Added last")];
    const { id } = await service.create({ name: "Watched", actions: [seen.action] });
    const { page, wrong } = await visit(`/releases/${id}`, "editor");
    await page.getByRole("link", { name: "Seen" }).waitFor();
    for (const [name, question, late] of [
      ["Run now", page.getByRole("alertdialog"), added],
      ["Set a time", page.getByRole("dialog"), last],
    ] as const) {
      await button(page, name).click();
      if (late === last) await moment(page, "Time").fill("2035-07-01T09:00");
      await service.amend(id, { add: [late.action] });
      await question.getByRole("button", { name: late === last ? "Save the time" : "Run now" }).click();
      await question.getByText("The release was changed since you looked at it.").waitFor();
      expect(await service.find(id)).to.include({ state: "open" });
      await question.getByRole("button", { name: "Cancel" }).click();
    }
    await page.getByRole("link", { name: "Added last" }).waitFor();
    await button(page, "Run now").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Run now" }).click();
    await said(page, "The release was run: all of it is done");
    expect(wrong.filter((each) => !each.includes("412"))).to.deep.equal([]);
  });

  it("changes a release by name and way, what is done with a document, and deletes it; another may not see it", async () => {
    const documentId = await article("Only one");
    const actions = [{ type: ARTICLE, documentId, locale: "en", action: "publish" as const }];
    const { id } = await app().plinth.app.service(releases).create({ name: "Small", actions });
    const { page, wrong } = await visit(`/releases/${id}`);
    // Titles that cannot be read say nothing of their documents.
    const titles = /\/content\/.*documentId/;
    await page.route(titles, (route) => route.fulfill({ status: 400, json: {} }));
    await page.reload();
    await page.getByRole("link", { name: "…", exact: true }).waitFor();
    await page.unroute(titles);
    await page.reload();
    await page.getByRole("link", { name: "Only one" }).waitFor();
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Name and way" }).click();
    await field(page, "Name").fill("Very small");
    await page.getByRole("radio", { name: /Each document is done by itself/ }).click();
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "Very small" }).waitFor();
    await said(page, /What is refused is reported/);
    await page.getByRole("combobox", { name: "What is done with Only one" }).selectOption({ label: "Take back" });
    await page.getByRole("button", { name: "Take Only one out" }).click();
    await said(page, "A release holds at least one document.");
    expect((await app().plinth.app.service(releases).find(id)).actions[0]?.action).to.equal("unpublish");
    const author = await visit(`/releases/${id}`, "author");
    await author.page.getByText("You do not have access to this").waitFor();
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Releases" }).waitFor();
    expect(await page.getByText("Very small").count()).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });
});
