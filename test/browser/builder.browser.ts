import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { RunningCommand } from "../core/cli/plinth-command.js";
import { copyTemplate } from "../projects.js";
import { useBrowser } from "./browser.js";
import { freePort } from "../free-port.js";
import { focusIs } from "./focus.js";

/** It refuses content-types with an attribute of this name, as code of an app may. */
const GUARD = `export default {
  name: "guard",
  definition: {
    bootstrap({ app }) {
      for (const { attributes } of app.model.contentTypes.values())
        if (attributes.has("forbidden")) throw new Error("The guard wants no such attribute");
    },
  },
};`;

/** How long a restart may take, in milliseconds. */
const RESTART = 60_000;

describe("content-types that are built in the page of an app that is developed", () => {
  const open = useBrowser();
  let root = "";
  let url = "";
  let develop: RunningCommand;
  let welcome = "";
  let hasEntered = false;
  before("develop an app", async () => {
    root = copyTemplate({ "src/plugins/guard/index.ts": GUARD });
    const port = await freePort();
    develop = new RunningCommand(["develop"], { cwd: root, env: { PORT: String(port), HOST: "127.0.0.1" } });
    [, welcome = ""] = await develop.waitFor(/(http\S+\/admin\/welcome#\S+)/);
    await develop.waitFor(/started in/);
    url = new URL(welcome).origin;
  });
  after("end it", () => develop.stop("SIGKILL"));

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const field = (page: Page, name: string | RegExp) => page.getByRole("textbox", { name });

  /** The first test enters by the link that the start printed; the next one signs in. */
  const enter = async () => {
    const { page, wrong } = await open();
    await page.goto(welcome);
    const isFirst = !hasEntered;
    hasEntered = true;
    if (!isFirst) await page.goto(`${url}/admin`);
    if (isFirst) await field(page, "Name").fill("Ada");
    await field(page, "E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    return { page, wrong };
  };
  /** Adds an attribute of a kind by keys alone. */
  const add = async (page: Page, kind: string, name: string) => {
    await button(page, "Add an attribute").focus();
    await page.keyboard.press("Enter");
    const choice = page.getByRole("button", { name: new RegExp(`^${kind}`) });
    await choice.focus();
    await page.keyboard.press("Enter");
    await field(page, /^Name/).focus();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: new RegExp(`^${name} `) }).waitFor();
    // The focus goes to the new row; a key ends that, as it does for a reader who goes on at once.
    await page.keyboard.press("Shift");
  };
  const apply = async (page: Page) => {
    await button(page, "Plan").click();
    await button(page, "Apply").click();
    await page.getByText("The app runs with the new content model").waitFor({ timeout: RESTART });
    await button(page, "Close").click();
  };
  /** Asks the server as the page does. */
  const ask = (page: Page, method: string, path: string, body?: unknown) =>
    page.evaluate(
      async ([how, where, sent]) => {
        const answer = await fetch(`/admin/api${where}`, {
          method: how,
          headers: {
            ...{ "X-Plinth-Admin": "1", "Content-Type": "application/json" },
            ...(how === "POST" ? { "If-None-Match": "*" } : {}),
          },
          ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
        });
        return await answer.json();
      },
      [method, path, body] as const,
    );
  /** The first shelf, as it is stored. */
  const firstOf = async (page: Page, uid: string) => {
    const { data } = await ask(page, "GET", `/content/${uid}`);
    return (await ask(page, "GET", `/content/${uid}/${data[0].documentId}`)).data;
  };

  it("goes from a new type with three attributes over a renaming to a loss that was typed in, and back after a failed start", async () => {
    const { page } = await enter();
    const uid = "api::shelf.shelf";
    const file = "src/api/shelf/content-types/shelf/schema.json";
    const shelf = () => firstOf(page, uid);
    await page.getByRole("link", { name: "Content model" }).click();
    await button(page, "New type").click();
    await field(page, "Display name").fill("Shelf");
    expect(await field(page, "Plural").inputValue()).to.equal("shelfs");
    await field(page, "Plural").fill("shelves");
    await button(page, "Make it").click();
    await page.getByRole("heading", { name: "Shelf", exact: true }).waitFor();
    await add(page, "Short text", "label");
    await add(page, "Whole number", "height");
    await add(page, "Yes or no", "isFull");
    // By keys: the last one goes up, and is where it was before.
    const last = page.getByRole("button", { name: /^isFull/ });
    await last.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await focusIs(page, /^isFull/);
    await page.getByRole("button", { name: /^label/ }).click();
    await page.getByRole("checkbox", { name: "Required" }).check();
    await button(page, "Done").click();

    // The draft is the tab's, and survives a reload; nothing is written before it is applied.
    await page.reload();
    await page.getByText("1 schema has drafted changes").waitFor();
    await button(page, "Plan").click();
    await page.getByText(file).waitFor();
    await page.getByText("create table").first().waitFor();
    expect(() => text(file)).to.throw(/ENOENT/);
    await button(page, "Cancel").click();
    await apply(page);
    expect(Object.keys(JSON.parse(text(file)).attributes)).to.deep.equal(["isFull", "label", "height"]);
    // The screen is the same, and the navigation has the new type.
    await page.getByRole("heading", { name: "Shelf", exact: true }).waitFor();
    await page.getByRole("navigation", { name: "Content" }).getByRole("link", { name: "Shelf", exact: true }).waitFor();
    await ask(page, "POST", `/content/${uid}`, { data: { label: "A", height: 180, isFull: true } });

    await page.getByRole("button", { name: /^height/ }).click();
    await field(page, /^Name/).fill("size");
    await page.keyboard.press("Enter");
    await page.getByText("was height").first().waitFor();
    await button(page, "Done").click();
    await apply(page);
    expect(JSON.parse(text(file)).attributes.size).to.deep.equal({ type: "integer", renamedFrom: "height" });
    expect(await shelf()).to.include({ label: "A", size: 180 });

    await button(page, "Delete the attribute size").click();
    await button(page, "Plan").click();
    await page.getByText("Content is lost").waitFor();
    const confirm = button(page, "Apply");
    await field(page, "Type size").fill("siz");
    expect(await confirm.getAttribute("aria-disabled")).to.equal("true");
    await confirm.click({ force: true });
    await page.getByText("Content is lost").waitFor();
    await field(page, "Type size").fill("size");
    await confirm.click();
    await page.getByText("The app runs with the new content model").waitFor({ timeout: RESTART });
    await button(page, "Close").click();
    expect(await shelf())
      .to.include({ label: "A" })
      .and.not.have.property("size");

    const before = text(file);
    await add(page, "Date A day", "forbidden");
    await button(page, "Plan").click();
    await button(page, "Apply").click();
    await page.getByText("The guard wants no such attribute").first().waitFor({ timeout: RESTART });
    expect(text(file)).to.equal(before);
    expect(await shelf()).to.include({ label: "A" });
    await button(page, "Undo all").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo all" }).click();
    await page.getByText("Nothing is drafted").waitFor();
  });

  it("says what is wrong at its field, makes both sides of a relation, and asks when a file was changed in an editor", async () => {
    const { page } = await enter();
    await page.goto(`${url}/admin/builder/api::article.article`);
    await add(page, "One of a list", "mood");
    await button(page, "Plan").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("An enumeration has no values.").waitFor();
    expect(await dialog.getByRole("button", { name: "Apply" }).count()).to.equal(0);
    await dialog.getByRole("button", { name: /attributes\.mood\.enum/ }).click();
    await page.getByRole("button", { name: /^mood.*An enumeration has no values/ }).click();
    const values = dialog.getByRole("textbox", { name: "Values" });
    expect(await values.getAttribute("aria-invalid")).to.equal("true");
    await values.fill("glad\nsad");
    await dialog.getByRole("combobox", { name: "Default" }).selectOption("sad");
    await button(page, "Done").click();

    await button(page, "Add an attribute").click();
    await page.getByRole("button", { name: /^Relation/ }).click();
    await field(page, /^Name/).fill("reviewer");
    await dialog.getByRole("combobox", { name: "Leads to" }).selectOption("api::author.author");
    await dialog.getByRole("checkbox", { name: "Author shows it as well" }).check();
    expect(await field(page, "Its name in Author").inputValue()).to.equal("articles2");
    await field(page, "Its name in Author").fill("reviews");
    await field(page, /^Name/).focus();
    await button(page, "Add to the draft").click();
    await page.getByText("2 schemas have drafted changes").waitFor();
    await page
      .getByRole("link", { name: /^Author/ })
      .last()
      .click();
    await page.getByRole("button", { name: /^reviews Relation/ }).waitFor();

    // Somebody saves the file in an editor.
    const article = "src/api/article/content-types/article/schema.json";
    const theirs = text(article);
    writeFileSync(
      join(root, article),
      theirs.replace('"draftAndPublish"', '"comment": "by hand",\n    "draftAndPublish"'),
    );
    try {
      await button(page, "Plan").click();
      await dialog.getByText(`Somebody else has changed ${article}.`).waitFor();
      await dialog.getByRole("button", { name: "Keep mine" }).click();
      await dialog.getByText("add column").first().waitFor({ timeout: RESTART });
      const diff = await dialog.innerText();
      expect(diff).to.include('"inversedBy": "reviews"').and.include('"mappedBy": "reviewer"').and.include("by hand");
      await button(page, "Cancel").click();
    } finally {
      writeFileSync(join(root, article), theirs);
    }
    await button(page, "Actions").click();
    await page.getByRole("menuitem", { name: "Take its changes back" }).click();
    await page.getByText("1 schema has drafted changes").waitFor();
  });
});
