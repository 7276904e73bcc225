import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RegisterContext } from "@plinth/core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { signIn } from "../plugins/admin/sign-in.js";
import { useBrowser } from "./browser.js";
import { type BrowserApp, components, contentTypes, startBrowserApp } from "./browser-app.js";
import { focused } from "./focus.js";
import { typingDuring } from "./typing-during.js";

const ARTICLE = "api::article.article";
const USER = "plugin::users-permissions.user";
const RULE = { action: `${ARTICLE}.update`, where: { isHot: true }, fields: ["title"] };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const question = (page: Page, name: string) => page.getByRole("alertdialog", { name });

/** Opens the menu of something, and chooses in it. */
async function choose(page: Page, thing: string, item: string): Promise<void> {
  await button(page, `Actions for ${thing}`).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

describe("the settings of those who run a site", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "plinth-owners-"));
  let app: BrowserApp;
  before("start an app that grants something by code, and has more of its users", async () => {
    app = await startBrowserApp(folder, {
      app: {
        contentTypes,
        components,
        register: ({ registry }: RegisterContext<object>) =>
          registry("content-type").extend(USER, (user) => ({
            ...user,
            attributes: { ...user.attributes, phone: { type: "string", maxLength: 8 } },
          })),
      } as never,
      config: {
        server: { port: 0 },
        database: { client: "pglite", directory: ":memory:" },
        i18n: { defaultLocale: "en", locales: ["en", "fr", "de", "ar"] },
        permissions: { authenticated: [`${ARTICLE}.find`, RULE] },
        access: { tokens: { "configured-token": "read" } },
      },
    });
    await app.create(ARTICLE, { title: "Hello" }, "published");
  });
  after("stop it", async () => {
    await app?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const visit = async (address: string) => {
    const tab = await open();
    await app.enter(tab);
    await tab.page.goto(`${app.url}/admin/settings/${address}`);
    return tab;
  };
  const reading = async (key: string) =>
    (await fetch(`${app.url}/api/articles`, { headers: { authorization: `Bearer ${key}` } })).status;

  it("make a token by a matrix and rules, show its key once, and give it another one before they revoke it", async () => {
    const { page, wrong } = await visit("tokens");
    await row(page, "conf…").getByText("Stands in config/access").waitFor();
    await page.getByRole("link", { name: "New token" }).click();
    await field(page, "Name").fill("Website");
    await page.getByRole("radio", { name: /^Custom/ }).check();
    await box(page, "List: Article").check();
    await box(page, "Create: Article").check();
    expect(await box(page, "List: Article").isChecked()).to.equal(true);
    await box(page, "All of Tag").check();
    expect(await box(page, "Delete: Tag").isChecked()).to.equal(true);
    await field(page, "Rules").fill('[{ "action": "api::author.author.find", "fields": ["nam"] }]');
    expect(await box(page, "List: Author, given by the rules below").isDisabled()).to.equal(true);
    await button(page, "Create the token").click();
    await page.getByText(/has no attribute "nam"/).waitFor();
    await field(page, "Rules").fill('[{ "action": "api::author.author.find", "fields": ["name"] }]');
    await button(page, "Create the token").click();
    const key = await field(page, "Key").inputValue();
    expect(await reading(key)).to.equal(200);
    await button(page, "I have copied it").click();
    await row(page, "Website").getByText("Custom").waitFor();
    expect(await page.content()).not.to.include(key);
    await choose(page, "Website", "Give it another key");
    await button(page, "Give it another key").click();
    const other = await field(page, "Key").inputValue();
    expect([await reading(key), await reading(other)]).to.deep.equal([401, 200]);
    await button(page, "I have copied it").click();
    await page.getByRole("link", { name: "Website" }).click();
    await field(page, "Rules").fill("[{");
    await page.getByRole("link", { name: "API tokens" }).first().click();
    await button(page, "Stay here").click();
    await field(page, "Rules").fill("");
    await page.getByLabel("Valid for").selectOption("never");
    await page.getByRole("link", { name: "API tokens" }).first().click();
    await button(page, "Stay here").click();
    await button(page, "Save").click();
    await page.getByText("Website is saved").waitFor();
    await choose(page, "Website", "Revoke");
    await button(page, "Revoke").click();
    await row(page, "Website").waitFor({ state: "detached" });
    expect(await reading(other)).to.equal(401);
    expect(wrong.join(), "wrong").to.equal("");
  });

  it("give no right that their own role does not have, and are told which one it is", async () => {
    const { documents } = app.plinth.app;
    const grant = ["plugin::admin.tokens", "plugin::users-permissions.roles", `${ARTICLE}.find`];
    await documents("plugin::admin.role").create({ data: { name: "keeper", grant } });
    const tab = await open();
    await app.enter(tab, "keeper");
    const { page } = tab;
    await page.goto(`${app.url}/admin/settings/tokens`);
    await page.getByRole("link", { name: "New token" }).click();
    await field(page, "Name").fill("Mine");
    await page.getByRole("radio", { name: /^Custom/ }).check();
    await box(page, "List: Article").check();
    await box(page, "Create: Article").check();
    await button(page, "Create the token").click();
    const refused = 'The API token "Mine" has a right that your role does not have: api::article.article.create.';
    await page.getByRole("alert").filter({ hasText: refused }).waitFor();
    await box(page, "Create: Article").uncheck();
    await button(page, "Create the token").click();
    await button(page, "I have copied it").click();
    await page.goto(`${app.url}/admin/settings/user-roles`);
    await page.getByRole("link", { name: "Public" }).click();
    await box(page, "Create: Article").check();
    await button(page, "Save").click();
    const right =
      'The role "Public" of end users has a right that your role does not have: api::article.article.create.';
    await page.getByRole("alert").filter({ hasText: right }).waitFor();
  });

  it("make end users with what the app adds to them, find them, block them, and delete them", async () => {
    const { page, wrong } = await visit("users");
    await page.getByText("No user yet").waitFor();
    await page.getByRole("link", { name: "New user" }).click();
    await field(page, "Username").fill("ada");
    await field(page, "E-mail address").fill("ada@example.com");
    await field(page, "Phone").fill("123456789");
    await button(page, "Generate").click();
    const password = await field(page, "Password").inputValue();
    expect(password).to.match(/^\w{16}$/);
    await button(page, "Create the user").click();
    await page.getByText("9 characters", { exact: false }).waitFor();
    await field(page, "Phone").fill("555");
    await button(page, "Create the user").click();
    await row(page, "ada@example.com").getByText("Active").waitFor();
    const login = async (word: string) => {
      const body = JSON.stringify({ identifier: "ada", password: word });
      const headers = { "content-type": "application/json" };
      return (await fetch(`${app.url}/api/auth/local`, { method: "POST", headers, body })).status;
    };
    expect(await login(password)).to.equal(200);

    await page.getByLabel("Search by name or address").fill("nobody");
    await page.getByText("Nothing found").waitFor();
    await button(page, "Clear search and filters").click();
    await page.getByLabel("Status").selectOption("blocked");
    await page.getByText("Nothing found").waitFor();
    expect(page.url()).to.include("state=blocked");
    await button(page, "Clear search and filters").click();
    await page.getByRole("link", { name: "ada" }).click();
    expect(await field(page, "New password").inputValue()).to.equal("");
    await field(page, "New password").fill("Difference-2");
    await field(page, "Username").fill("ada lovelace");
    await page.getByLabel("Role").selectOption({ label: "Public" });
    await typingDuring(page, "**/admin/api/users/*", () => field(page, "Phone").fill("777"));
    await button(page, "Save").click();
    await page.getByText("ada lovelace is saved").waitFor();
    expect(await login(password)).to.equal(400);
    expect(await field(page, "Phone").inputValue()).to.equal("777");
    expect(await field(page, "New password").inputValue()).to.equal("");
    // The user is read again after it: where that fails, the form stays with what is typed.
    await page.route("**/admin/api/users/*", (route) => route.fulfill({ status: 403, json: { error: {} } }));
    await choose(page, "ada lovelace", "End all sessions");
    const failed = page.waitForResponse((response) => response.status() === 403);
    await button(page, "End all sessions").click();
    await failed;
    await page.getByText("ada lovelace is signed out everywhere").waitFor();
    await page.unroute("**/admin/api/users/*");
    expect(await field(page, "Phone").inputValue()).to.equal("777");
    await button(page, "Save").click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    await choose(page, "ada lovelace", "Block");
    await button(page, "Block").click();
    await question(page, "Block ada lovelace?").waitFor({ state: "detached" });
    expect(await page.getByRole("switch", { name: "Blocked" }).isChecked()).to.equal(true);
    await choose(page, "ada lovelace", "Delete");
    await button(page, "Delete").click();
    await page.getByText("No user yet").waitFor();
    expect(wrong.join(), "wrong").to.equal("");
  });

  it("change what a role may do, see what code grants and where, and make and delete roles", async () => {
    const { page, wrong } = await visit("user-roles");
    await page.getByText("Without signing in").waitFor();
    await page.getByRole("link", { name: "Authenticated" }).click();
    const locked = box(page, "List: Article, granted by config/permissions");
    expect([await locked.isChecked(), await locked.isDisabled()]).to.deep.equal([true, true]);
    await page.getByText("1 rule").click();
    await page.getByText('"isHot": true').waitFor();
    await page.getByText("users-permissions", { exact: true }).click();
    expect(await box(page, "me: user").isChecked()).to.equal(true);
    await box(page, "Create: Article").check();
    await box(page, "Delete: Article").check();
    expect(await box(page, "Create: Article").isChecked()).to.equal(true);
    await button(page, "Save").click();
    await page.getByText("The role Authenticated is saved").waitFor();
    await page.getByRole("link", { name: "Roles of end users" }).first().click();
    await page.getByRole("link", { name: "New role" }).click();
    await field(page, "Name").fill("authenticated");
    await button(page, "Create the role").click();
    await page.getByText('There is a role "authenticated" already').waitFor();
    await field(page, "Name").fill("Guests");
    await button(page, "Create the role").click();
    await choose(page, "Guests", "Delete");
    await button(page, "Delete").click();
    await page.getByRole("link", { name: "Guests" }).waitFor({ state: "detached" });
    expect(wrong.join(), "wrong").to.equal("");
  });

  it("add a language that every list knows at once, order its fallbacks, and remove one with what is in it", async () => {
    const { page, wrong } = await visit("languages");
    await button(page, "Add a language").click();
    await page.getByRole("combobox", { name: "Language" }).fill("Ital");
    await page.getByRole("option", { name: /^Italian it$/ }).click();
    expect(await field(page, "Name").inputValue()).to.equal("Italiano");
    await button(page, "Add").click();
    await page.getByText("Italiano").first().waitFor();
    await page.getByRole("link", { name: "Article" }).click();
    await page.getByLabel("Language of the list").selectOption({ label: "Italiano" });
    await page.getByRole("link", { name: "Languages" }).click();

    await choose(page, "Italiano", "Fallback");
    await page.getByLabel("Add to the end").selectOption("de");
    await page.getByLabel("Add to the end").selectOption("fr");
    await button(page, "Move French (fr) up").click();
    await button(page, "Save").click();
    await page.getByText("Else: French (fr) → German (de)").waitFor();
    await choose(page, "Italiano", "Rename");
    await field(page, "Name").fill("Italian");
    await button(page, "Save").click();
    await choose(page, "Italian", "Make it the default");
    await button(page, "Make it the default").click();
    await page.getByRole("listitem").filter({ hasText: "Italian" }).getByText("Default").waitFor();

    await choose(page, "English (en)", "Remove");
    await button(page, "Remove").click();
    await question(page, "Remove English (en)?").getByRole("link", { name: "Article" }).waitFor();
    const force = button(page, "Remove with its content");
    expect(await force.getAttribute("aria-disabled")).to.equal("true");
    await page.getByLabel("Type “English (en)” to go on").fill("English (en)");
    await force.click();
    await page.getByText("English (en) is removed").waitFor();
    expect(wrong.join(), "wrong").to.equal("");
  });

  it("read who did what, narrow it by the address, check its chain, and take it with them", async () => {
    const by = await signIn(app.plinth.app, "super");
    const roles = await app.ask("GET", "/admin/api/user-roles", by);
    const values = { username: "leaver", email: "leaver@example.com", password: "Analytical-1" };
    const made = await app.ask("POST", "/admin/api/users", by, { ...values, role: roles.body.data[0].documentId });
    const path = `/admin/api/users/${made.body.data.documentId}`;
    await app.ask("DELETE", `${path}/sessions`, by);
    await app.ask("DELETE", path, by);
    const { page, wrong } = await visit("audit");
    const acts = page.getByRole("main").getByRole("listitem");
    await acts.nth(3).waitFor();
    await page.getByLabel("Action").selectOption("document.delete");
    await acts.filter({ hasText: "End user" }).first().waitFor();
    expect(page.url()).to.include("action=document.delete");
    await page.getByLabel("Type").selectOption(USER);
    await button(page, "Document deleted").first().click();
    const entry = page.getByRole("dialog", { name: "Document deleted" });
    await entry.getByText(USER).waitFor();
    await button(page, "Only about this document").click();
    await page.getByLabel("Action").selectOption("");
    await acts.filter({ hasText: "Session ended" }).waitFor();
    await page.getByRole("main").getByText("super@example.com").first().waitFor();
    await page.reload();
    await acts.filter({ hasText: "Session ended" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export as JSON lines").click()]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).uid)).to.deep.equal(lines.map(() => USER));
    // The fields of the filter stay where they are while it changes.
    await field(page, "Who").fill("nobody");
    await field(page, "Who").press("Enter");
    await page.getByText("Nothing found").waitFor();
    expect(await focused(page)).to.equal("Who");
    await page.getByLabel("When").selectOption("custom");
    await page.getByLabel("From").fill("");
    await page.waitForURL(({ searchParams }) => !searchParams.has("since"));
    expect(await focused(page)).to.equal("From");
    await page.getByText(/^Sealed up to entry|^Nothing is sealed yet/).click();
    await button(page, "Check the latest entries").click();
    await page.getByText(/as (it was|they were) sealed/).waitFor();
    expect(wrong.join(), "wrong").to.equal("");
  });
});
