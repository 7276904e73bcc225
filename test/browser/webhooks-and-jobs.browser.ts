import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { useBrowser } from "./browser.js";
import { type BrowserApp, startBrowserApp } from "./browser-app.js";
import { typingDuring } from "./typing-during.js";

const ARTICLE = "api::article.article";
const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const box = (page: Page, name: string | RegExp) => page.getByRole("checkbox", { name, exact: true });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** What a receiver got. */
interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** A server that takes webhooks, and answers what it is told to. */
class Receiver {
  readonly received: Received[] = [];
  status = 200;
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        this.received.push({
          headers: request.headers as Record<string, string>,
          text: Buffer.concat(chunks).toString("utf8"),
        });
        response.writeHead(this.status).end(this.status === 200 ? "taken" : "out of order");
      });
    });
    await new Promise<void>((ready) => this.#server?.listen(0, "127.0.0.1", ready));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  typesOf = (): readonly string[] => this.received.map(({ text }) => (JSON.parse(text) as { type: string }).type);
}

describe("what other servers are told, and work that is done later", () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-webhooks-browser-"));
  const receiver = new Receiver();
  const open = useBrowser();
  let address = "";
  let served: BrowserApp;
  before("start a receiver and the app", async () => {
    address = await receiver.start();
    served = await startBrowserApp(folder, {
      pluginConfigs: { webhooks: { http: true, allow: ["127.0.0.1"], schedule: [0, 0.1] } },
      config: {
        server: { port: 0 },
        database: { client: "pglite", directory: ":memory:" },
        i18n: { defaultLocale: "en", locales: ["en", "fr", "de", "ar"] },
        webhooks: { search: { url: `${address}/search`, events: ["shop.*"], secrets: [SECRET] } },
      },
    });
  });
  after("stop them", async () => {
    receiver.stop();
    await served?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const visit = async (path: string, role = "super") => {
    const tab = await open();
    await served.enter(tab, role);
    await tab.page.goto(`${served.url}/admin${path}`);
    return tab;
  };

  it("makes a webhook with every problem at its field, shows its secret once, and sends a signed test", async () => {
    const { page, wrong } = await visit("/settings/webhooks");
    const config = page.getByRole("listitem").filter({ hasText: "search" });
    await config.getByText("in config/webhooks.ts").waitFor();
    await config.getByText("Healthy").waitFor();
    await page.getByRole("link", { name: "New webhook" }).click();
    await field(page, "Address").fill("ftp://example.com");
    await button(page, "Make the webhook").click();
    await said(page, "3 fields have to be corrected.");
    await said(page, "must begin with https: or http:");
    await field(page, "Name").fill("Site");
    await field(page, "Address").fill(`${address}/site`);
    await box(page, "entry.publish").click();
    await box(page, "Of all, and events that are about none").click();
    await box(page, /^Article/).click();
    await field(page, "Events of your own").fill("shop.order-paid, shop.cart.*");
    await button(page, "Add a header").click();
    await page.getByRole("textbox", { name: "Name of the header" }).fill("authorization");
    await page.getByRole("textbox", { name: "Value of authorization" }).fill("Bearer of the site");
    await button(page, "Make the webhook").click();
    const once = page.getByRole("alertdialog", { name: "The secret, shown this once" });
    const secret = await once.locator("code").innerText();
    // Nothing shows it again: no stray key closes it.
    await page.keyboard.press("Escape");
    await button(page, "I have kept it").click();
    await page.getByRole("heading", { name: "Site", level: 1 }).waitFor();
    expect(await page.content())
      .to.not.include(secret)
      .and.not.include("Bearer of the site");
    await button(page, "Send a test").click();
    await said(page, /It works: the receiver answered 200 after \d+ ms/);
    await page.getByRole("dialog").getByText("taken").waitFor();
    const [test] = receiver.received;
    expect(new Webhook(secret).verify(test?.text ?? "", test?.headers ?? {})).to.include({ type: "test.ping" });
    expect(test?.headers["authorization"]).to.equal("Bearer of the site");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    // A new secret beside the one before: both sign.
    await button(page, "New secret").click();
    await page
      .getByRole("alertdialog")
      .getByText(/both sign from now on/)
      .waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "New secret" }).click();
    const next = await page.getByRole("alertdialog").locator("code").innerText();
    expect(next).to.not.equal(secret);
    await button(page, "I have kept it").click();
    await button(page, "Send a test").click();
    await said(page, /It works/);
    const both = receiver.received.at(-1);
    for (const each of [secret, next]) new Webhook(each).verify(both?.text ?? "", both?.headers ?? {});
    expect(wrong).to.deep.equal([]);
  });

  it("shows deliveries with their answers, sends those again that failed, and is enabled again", async () => {
    receiver.received.length = 0;
    receiver.status = 500;
    await served.create(ARTICLE, { title: "Told to others" }, "published");
    const { page, wrong } = await visit("/settings/webhooks");
    await page.getByRole("link", { name: "Site" }).click();
    const delivery = page.getByRole("listitem").filter({ hasText: "entry.publish" }).first();
    await delivery.getByText("Failed").waitFor();
    await delivery.getByText("it answered 500").waitFor();
    await delivery.getByText("2 tries").waitFor();
    await delivery.locator("summary").click();
    await delivery.getByText("out of order").waitFor();
    await delivery.getByText(/^evt_[\w-]{22}$/).waitFor();
    await page.getByText("Failing", { exact: true }).waitFor();
    receiver.status = 200;
    await delivery.getByRole("button", { name: /^Send event \d+ again$/ }).click();
    await delivery.getByText("Delivered").waitFor();
    await page.getByText("Healthy", { exact: true }).waitFor();
    expect(receiver.typesOf()).to.include("entry.publish");
    const before = receiver.received.length;
    await button(page, "Send again").click();
    await page.getByRole("radio", { name: "Those that were delivered" }).click();
    await said(page, "The receiver gets these a second time");
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await said(page, "1 delivery is sent again");
    for (let tries = 100; tries > 0 && receiver.received.length === before; tries -= 1)
      await new Promise((wait) => setTimeout(wait, 50));
    expect(receiver.received.length).to.equal(before + 1);

    // The receiver wants no more: it is disabled, says why, and is enabled again by hand.
    receiver.status = 410;
    await served.create(ARTICLE, { title: "Not wanted" }, "published");
    await page.getByText("Disabled", { exact: true }).waitFor();
    await said(page, /it answered 410/);
    receiver.status = 200;
    // The form shows what is so now, and a save keeps it.
    const enabled = (checked: boolean) => page.getByRole("checkbox", { name: "Enabled", exact: true, checked });
    await enabled(false).waitFor();
    await button(page, "Enable").click();
    await page.getByText("Healthy", { exact: true }).waitFor();
    await enabled(true).waitFor();
    await typingDuring(page, "**/admin/webhooks/*", () => box(page, "entry.create").check());
    await box(page, "entry.update").check();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await button(page, "Save").click();
    await saved;
    await page.getByRole("button", { name: "Save", exact: true, disabled: false }).waitFor();
    expect(await box(page, "entry.create").isChecked()).to.equal(true);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await button(page, "Stay here").click();
    await button(page, "Save").click();
    await page.getByRole("button", { name: "Save", disabled: true }).waitFor();
    await page.getByText("Healthy", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "State" }).selectOption({ label: "Failed" });
    await page.getByRole("listitem").filter({ hasText: "it answered 410" }).waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("changes a webhook, writes headers anew, leaves those of the configuration locked, and ends one", async () => {
    receiver.status = 200;
    const { page, wrong } = await visit("/settings/webhooks");
    await page.getByRole("link", { name: "search" }).click();
    await said(page, "It stands in config/webhooks.ts as “search”: change it there, and deploy.");
    expect(await field(page, "Name").isEditable()).to.equal(false);
    expect(await button(page, "Save").count()).to.equal(0);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByRole("link", { name: "Site" }).click();
    await said(page, "Their values are shown to nobody.");
    await button(page, "Write all of them anew").click();
    await page.getByRole("textbox", { name: "Value of authorization" }).fill("Another");
    await page.getByRole("combobox", { name: "Format" }).selectOption("strapi");
    await box(page, "All events").click();
    await button(page, "Save").click();
    await said(page, "Saved");
    receiver.received.length = 0;
    await button(page, "Send a test").click();
    await said(page, /It works/);
    expect(receiver.received[0]?.headers).to.include({ authorization: "Another", "x-strapi-event": "test.ping" });
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    // Another server gets neither the headers of this one nor its secret.
    await field(page, "Address").fill("http://localhost:1/in");
    await button(page, "Save").click();
    await said(
      page,
      /^have to be given again, or left out: those that are kept \(authorization\) were given for another url/i,
    );
    await button(page, "Write all of them anew").click();
    await page.getByRole("textbox", { name: "Value of authorization" }).fill("For the other one");
    await button(page, "Save").click();
    await page
      .getByRole("alertdialog")
      .getByText(/^whsec_/)
      .waitFor();
    await button(page, "I have kept it").click();
    await said(page, "Their values are shown to nobody.");
    await field(page, "Name").fill("What is deleted needs no save");
    await button(page, "Delete").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Site" }).waitFor({ state: "detached" });
    const editor = await visit("/settings/webhooks", "editor");
    await editor.page.getByText("You do not have access to this").waitFor();
    expect(await editor.page.getByRole("link", { name: "Webhooks" }).count()).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });

  it("shows queues with their times, why a job failed without its secrets, runs it again and deletes it", async () => {
    const { db } = served.plinth.app;
    const fault = JSON.stringify({ message: "the server said no" });
    const data = JSON.stringify({ to: "readers", apiToken: "hush" });
    const text = `insert into plinth_jobs (name, state, at, fault, data, attempt)
      select 'newsletter', 'dead', now(), $1::jsonb, $2::jsonb, 5 from generate_series(1, 3)`;
    await db.query({ text, values: [fault, data] });
    await db.query({
      text: "insert into plinth_jobs (name, at) values ('newsletter', now() + interval '1 day')",
      values: [],
    });
    const { page, wrong } = await visit("/settings/jobs");
    await said(page, "3 jobs have failed for the last time.");
    const queue = page.getByRole("row").filter({ hasText: "newsletter" });
    await queue.getByText("No code has it any more").waitFor();
    await page.getByRole("row").filter({ hasText: "schedule:look" }).getByText("* * * * * UTC").waitFor();
    await queue.getByRole("link", { name: "newsletter, Failed: 3" }).click();
    const jobs = page.getByRole("region", { name: "Jobs" }).getByRole("listitem");
    await jobs.nth(2).waitFor();
    const state = page.getByRole("combobox", { name: "State" });
    await state.focus();
    for (const label of ["Waiting", "Failed"]) {
      await state.selectOption({ label });
      await jobs
        .nth(label === "Failed" ? 2 : 0)
        .getByText(label, { exact: true })
        .waitFor();
      expect(await state.evaluate((select) => select === document.activeElement)).to.equal(true);
    }
    await jobs.first().getByText("the server said no").click();
    await jobs.first().getByText('"to": "readers"').waitFor();
    expect(await page.content()).to.not.include("hush");
    await jobs
      .first()
      .getByRole("button", { name: /^Run again/ })
      .click();
    await said(page, "1 job is run again");
    await page.getByRole("link", { name: "newsletter, Waiting: 2" }).waitFor();
    await jobs.nth(2).waitFor({ state: "hidden" });
    await jobs
      .first()
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await said(page, "1 job deleted");
    await button(page, "Run all again that failed").click();
    await said(page, "No such jobs");
    // What changes elsewhere is seen without a click.
    await db.query({ text: "update plinth_jobs set state = 'dead', at = now() where name = 'newsletter'", values: [] });
    await page.getByRole("link", { name: "newsletter, Failed: 3" }).waitFor();
    await button(page, "Delete all that failed").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await said(page, "3 jobs deleted");
    await db.query({ text: "delete from plinth_jobs where name = 'newsletter'", values: [] });
    await button(page, "Refresh").click();
    await queue.waitFor({ state: "hidden" });
    expect(wrong).to.deep.equal([]);
  });
});
