import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { signIn } from "../plugins/admin/sign-in.js";
import { useBrowser } from "./browser.js";
import { type BrowserApp, components, contentTypes, startBrowserApp } from "./browser-app.js";
import {
  medianOf,
  slowDown,
  timeKeys,
  timeOfClick,
  timeOfHtml,
  timeOfLoad,
  timeOfWork,
  timesOfAnswer,
} from "./measure.js";

const FORM = "api::form.form";
const TEXT = "api::text.text";
const ROW = "api::row.row";
const COLUMNS = ["one", "two", "three", "four", "five", "six", "seven"];
/** Of the list. A million takes the embedded database too long for a test. */
const ROWS = 200_000;
const FIELDS = ["first", "second", "third", "fourth"];
/** Of the form: above its cards. */
const TITLE = "#place-title input";
const KEYS = "the quick brown fox jumps over the lazy dog and goes to sleep";

const type = (name: string, attributes: object) => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { title: { type: "string" }, ...attributes },
});
const app = {
  contentTypes: {
    ...contentTypes,
    [FORM]: type("form", { cards: { type: "component", component: "shared.card", repeatable: true } }),
    [ROW]: type("row", Object.fromEntries(COLUMNS.map((name) => [name, { type: "string" }]))),
    [TEXT]: type("text", { body: { type: "blocks" } }),
  },
  components: {
    ...components,
    "shared.card": {
      info: { displayName: "Card" },
      attributes: Object.fromEntries(FIELDS.map((name) => [name, { type: "string" }])),
    },
  },
};

const cards = (count: number) =>
  Array.from({ length: count }, (_, index) => Object.fromEntries(FIELDS.map((name) => [name, `${name} ${index}`])));
const plainInputs = (count: number) =>
  Array.from({ length: count }, (_, i) => `<p><label>Field ${i}<br><input value="Text ${i}"></label></p>`).join("");

/** The id of a document of the list, from its number. */
const rowId = (number: number): string => String(number).padStart(24, "a");
const linkTo = (number: number): string => `tbody a[href*="${rowId(number)}"]`;
const plainTable = `<table>${"<tr>".concat("<td>Some text</td>".repeat(8), "</tr>").repeat(100)}</table>`;

/** Writes the documents of the list by one statement: copies of one that was written as usual. */
async function writeRows({ plinth, create }: BrowserApp): Promise<void> {
  const { db, model } = plinth.app;
  await create(ROW, { title: "Row", ...Object.fromEntries(COLUMNS.map((name) => [name, `Text of ${name}`])) });
  const table = `"${model.contentTypes.get(ROW)?.table}"`;
  const columns = ["locale", "published_at", "created_at", "updated_at", "title", ...COLUMNS].join();
  const text = `insert into ${table} (document_id, ${columns})
    select lpad(n::text, 24, 'a'), ${columns} from ${table}, generate_series(1, ${ROWS}) n`;
  await db.transaction(async () => {
    await db.liftTimeLimits();
    await db.query({ text, values: [] });
  });
}

/**
 * How many statements the first page of the list takes, once the session has been looked up. The least of some: what the app
 * does by the clock is counted as well.
 */
async function statementsOfList({ plinth, ask }: BrowserApp): Promise<number> {
  const headers = await signIn(plinth.app, "super");
  const path = `/admin/api/content/${ROW}?sort=id:desc&pagination[pageSize]=25&pagination[cursor]=*`;
  const counts: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = plinth.app.db.statementCount;
    expect((await ask("GET", path, headers)).status).to.equal(200);
    counts.push(plinth.app.db.statementCount - before);
  }
  return Math.min(...counts);
}

interface Budget {
  readonly what: string;
  /** Milliseconds that were measured, and that a quiet machine may take. */
  readonly took: number;
  readonly atMost: number;
  /** Milliseconds of the plain page, and how many times as long the admin page may take on a busy machine. */
  readonly plain: number;
  readonly times: number;
}

/** Fails when a time is above its budget, and that is not because the machine is busy. */
function expectWithin({ what, took, atMost, plain, times }: Budget): void {
  const ratio = took / plain;
  console.log(
    `[plinth] budget ${what}: ${took.toFixed(1)} ms of ${atMost}, ${ratio.toFixed(1)} times the ${plain.toFixed(1)} ms of a plain page`,
  );
  if (took > atMost) expect(ratio, what).to.be.at.most(times);
}

describe("times of the admin page", () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-budgets-"));
  let served: BrowserApp;
  before("start the app and write the list", async () => {
    served = await startBrowserApp(folder, { app: app as never });
    const began = performance.now();
    await writeRows(served);
    console.log(`[plinth] ${ROWS} rows were written in ${Math.round(performance.now() - began)} ms`);
  });
  after("stop the app", async () => {
    await served.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = useBrowser();
  const enter = async () => {
    const { page } = await open();
    await served.enter({ page, context: page.context(), wrong: [] });
    return page;
  };
  /** A page with nothing but HTML, and its address. */
  const plainPage = async (main: string): Promise<[Page, string]> => {
    const { page } = await open();
    const style = "p { margin: 8px } input { width: 100% }";
    const body = `<!doctype html><html lang="en"><title>Plain</title><style>${style}</style><main>${main}</main></html>`;
    await page.route("**/plain", (route) => route.fulfill({ contentType: "text/html", body }));
    return [page, `${served.url}/plain`];
  };
  /** Opens the only form of a list by its link. */
  const openForm = async (page: Page, uid: string) => {
    await page.goto(`${served.url}/admin/content/${uid}`);
    const link = page.locator("tbody a").first();
    await link.waitFor();
    return await timeOfClick(page, TITLE, () => link.click());
  };

  it("a list of many documents shows its first rows, and further ones, soon", async () => {
    const [plain, address] = await plainPage("");
    await plain.goto(address);
    const plainTook = await medianOf(5, () => timeOfHtml(plain, plainTable));
    const page = await enter();
    const open = async () => {
      await page.goto(`${served.url}/admin`);
      return await timeOfClick(page, linkTo(ROWS), () =>
        page.getByRole("navigation").getByRole("link", { name: "row" }).click(),
      );
    };
    const took = await medianOf(3, open);
    const { server } = await timesOfAnswer(page, `/content/${ROW}?`);
    expectWithin({ what: "first rows", took, atMost: 500, plain: plainTook, times: 10 });
    expectWithin({ what: "server's share of them", took: server, atMost: 20, plain: plainTook, times: 3 });
    expect(await statementsOfList(served)).to.equal(1);
    const drawn = async (path: string, number: number) => {
      await page.goto(`${served.url}/admin${path}`);
      await page.locator(linkTo(ROWS)).waitFor();
      await timeOfClick(page, linkTo(number), () => page.getByRole("button", { name: "Next", exact: true }).click());
      return (await timesOfAnswer(page, `/content/${ROW}?`)).drawn;
    };
    const wide = `/content/${ROW}?size=100&columns=${encodeURIComponent(JSON.stringify(["title", ...COLUMNS]))}`;
    const next = await medianOf(3, () => drawn(wide, ROWS - 100));
    expectWithin({ what: "next 100 rows of 8 columns", took: next, atMost: 60, plain: plainTook, times: 30 });
  });

  for (const [count, atMost] of [
    [1000, 1500],
    [200, 800],
  ] as const)
    it(`a form of ${count} fields can be used soon, and all of its cards opened`, async () => {
      await served.create(FORM, { title: `Form of ${count}`, cards: cards(count / FIELDS.length) });
      const [plain, address] = await plainPage(plainInputs(count));
      const page = await enter();
      const plainTook = await medianOf(3, () => timeOfLoad(plain, address, "input"));
      const took = await medianOf(3, () => openForm(page, FORM));
      expectWithin({ what: `form of ${count} fields`, took, atMost, plain: plainTook, times: 4 });
      await page.locator(TITLE).fill("Can be typed into");
      const all = await timeOfClick(page, '[id^="place-cards"][id$="fourth"] input', () =>
        page.getByRole("button", { name: "Open all" }).click(),
      );
      expectWithin({ what: `all cards of ${count} fields opened`, took: all, atMost, plain: plainTook, times: 12 });
      expect(await page.locator("#place-cards input").count()).to.equal(count);
    });

  it("a key in a form of 200 open fields is shown soon on a slow processor, and sends nothing", async () => {
    const [plain, address] = await plainPage(plainInputs(200));
    await plain.goto(address);
    await slowDown(plain, 4);
    await plain.locator("input").first().focus();
    const plainTook = await timeKeys(plain, KEYS);
    await plain.close();
    const page = await enter();
    await openForm(page, FORM);
    await page.getByRole("button", { name: "Open all" }).click();
    const field = page.locator('[id^="place-cards"][id$="fourth"] input').nth(20);
    await field.focus();
    await slowDown(page, 4);
    const requests: string[] = [];
    // Where the focus is, is said to others; not what is typed.
    page.on("request", (request) => {
      if (!request.url().endsWith("/admin/api/presence")) requests.push(request.url());
    });
    const took = await timeKeys(page, KEYS);
    expect(requests).to.deep.equal([]);
    expect(await field.inputValue()).to.include(KEYS);
    const { median, p98 } = took;
    expectWithin({ what: "key in 200 fields (p98)", took: p98, atMost: 100, plain: plainTook.p98, times: 12 });
    expectWithin({ what: "key in 200 fields (median)", took: median, atMost: 32, plain: plainTook.median, times: 5 });
  });

  it("a key in blocks of 2,000 nodes takes a frame", async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `Paragraph ${index} of a long text`);
    const body = texts.map((text) => ({ type: "paragraph", children: [{ type: "text", text }] }));
    await served.create(TEXT, { title: "Long", body });
    const workOfKey = async (page: Page) => {
      await page.locator("[contenteditable] p").nth(3).click();
      await page.keyboard.type("warm");
      return (await timeOfWork(page, () => page.keyboard.type(KEYS))) / KEYS.length;
    };
    const [plain, address] = await plainPage(
      `<div contenteditable>${texts.map((text) => `<p>${text}</p>`).join("")}</div>`,
    );
    await plain.goto(address);
    const plainTook = await workOfKey(plain);
    await plain.close();
    const page = await enter();
    await openForm(page, TEXT);
    const took = await workOfKey(page);
    expectWithin({ what: "key in blocks of 2,000 nodes", took, atMost: 16, plain: plainTook, times: 6 });
  });
});
