import { expect } from "chai";
import type { Page } from "playwright-core";
import { administratorOf, serveBrowserApp } from "./browser-app.js";
import { type Tab, useBrowser } from "./browser.js";
import { focused, tabTo } from "./focus.js";

const ARTICLE = "api::article.article";
const ROLE = "plugin::admin.role";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const secret = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, text: string | RegExp) => page.getByRole("alertdialog").filter({ hasText: text }).first();
const cell = (page: Page, type: string, action: string) =>
  page.getByRole("button", { name: new RegExp(`^${type}, ${action}:`) });

describe("accounts and roles on the page", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const enter = async (path: string, role?: string): Promise<Tab> => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin${path}`);
    return tab;
  };
  /** Mails are sent by a job, after the answer. */
  const codeTo = async (address: string): Promise<string> => {
    for (let tries = 0; tries < 300; tries += 1) {
      const mails = app().plinth.app.plugin("users-permissions").service("mailer").kept();
      const texts = mails
        .filter(({ to }) => to === address)
        .map(({ text }) => /\/admin\/reset#([\w-]+)/.exec(text)?.[1]);
      const found = texts.find((code) => code !== undefined);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No mail came to ${address}.`);
  };

  it("invites somebody, who accepts by the link, forgets the password, and gets another one by mail", async () => {
    const { page, wrong } = await enter("/settings/accounts");
    await page.getByText("Nobody is invited").waitFor();
    await button(page, "Invite somebody").first().click();
    const dialog = page.getByRole("dialog", { name: "Invite an administrator" });
    await field(page, "E-mail address").fill("grace@example.com");
    await dialog.getByLabel("Role").selectOption("author");
    await button(page, "Send the invitation").click();
    const shown = page.getByRole("alertdialog", { name: "Invitation" });
    const link = await shown.getByRole("textbox", { name: "Link" }).inputValue();
    expect(link).to.match(/\/admin\/invited#[\w-]{43}$/);
    await shown.getByRole("button", { name: "Close" }).click();
    await page.getByText("Role author, invited by super@example.com").waitFor();

    const guest = await open();
    await guest.page.goto(link);
    await guest.page.getByText("You are invited as grace@example.com, with the role author.").waitFor();
    await field(guest.page, "Name").fill("Grace Hopper");
    const password = secret(guest.page, "Password");
    await password.fill("gracegrace");
    await guest.page.getByText("2 more characters").waitFor();
    await password.fill("gracegracegrace");
    await guest.page.getByText("Weak: easy to guess").waitFor();
    await button(guest.page, "Create the account").click();
    await guest.page.getByText("must be more than your name").first().waitFor();
    await password.fill("nanoseconds of wire");
    await guest.page.getByText("Strong", { exact: true }).waitFor();
    await button(guest.page, "Create the account").click();
    await guest.page.getByRole("heading", { name: "Hello, Grace Hopper" }).waitFor();
    expect(await guest.page.getByRole("link", { name: "Administrators" }).count()).to.equal(0);

    await guest.context.clearCookies();
    await guest.page.goto(`${app().url}/admin`);
    await guest.page.getByRole("link", { name: "Forgotten password?" }).click();
    await field(guest.page, "E-mail address").fill("grace@example.com");
    await button(guest.page, "Send a link").click();
    await guest.page.getByText("If grace@example.com has an account").waitFor();
    await guest.page.goto(`${app().url}/admin/reset#${await codeTo("grace@example.com")}`);
    await secret(guest.page, "Password").fill("another wire of copper");
    await button(guest.page, "Set the password").click();
    await guest.page.getByText("Your password was changed").waitFor();
    await guest.page.getByRole("link", { name: "Sign in" }).click();
    await field(guest.page, "E-mail address").fill("grace@example.com");
    await secret(guest.page, "Password").fill("another wire of copper");
    await button(guest.page, "Sign in").click();
    await guest.page.getByRole("heading", { name: "Hello, Grace Hopper" }).waitFor();

    // The whole page knows a new name and a new address at once, also the window that asks to sign in again.
    await guest.page.goto(`${app().url}/admin/settings/account`);
    await field(guest.page, "Name").fill("Grace M. Hopper");
    await button(guest.page, "Save the name").click();
    await guest.page.getByText("Grace M. Hopper", { exact: true }).waitFor();
    await field(guest.page, "E-mail address").fill("hopper@example.com");
    await secret(guest.page, "Present password").first().fill("another wire of copper");
    await button(guest.page, "Change the address").click();
    await guest.page.getByText("Your e-mail address was changed").waitFor();
    await guest.context.clearCookies();
    await button(guest.page, "Save the name").press("Enter");
    const again = guest.page.getByRole("alertdialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill("another wire of copper");
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await again.waitFor({ state: "detached" });
    expect(guest.page.url()).to.include("/settings/account");
    expect([...wrong, ...guest.wrong]).to.deep.equal([]);
  });

  it("changes, deactivates and removes accounts, ends their sessions, and takes invitations back", async () => {
    const { app: running } = app().plinth;
    await administratorOf(running, "editor");
    const theirs = await enter("", "editor");
    await theirs.page.getByRole("heading", { name: /Hello/ }).waitFor();
    const { page, wrong } = await enter("/settings/accounts");
    const row = page.getByRole("row").filter({ hasText: "editor@example.com" });
    const choose = async (entry: string) => {
      await row.getByRole("button", { name: "Actions for editor@example.com" }).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
    };
    await choose("Sessions");
    await page.getByText("Unknown device").first().waitFor();
    await button(page, "End all").click();
    await page.getByText("There are no open sessions.").waitFor();
    // The button that had the focus is gone; that the focus comes back to the dialog takes it a frame.
    await page.getByRole("dialog").press("Escape");
    await choose("Link for a new password");
    await button(page, "Make a link").click();
    expect(await field(page, "Link").inputValue()).to.include("/admin/reset#");
    // Nothing shows the link again: no stray key closes it.
    await page.keyboard.press("Escape");
    const shown = page.getByRole("alertdialog").filter({ has: field(page, "Link") });
    await shown.getByRole("button", { name: "Close" }).click();
    await choose("Role");
    await page.getByRole("alertdialog").getByLabel("Role").selectOption("author");
    await button(page, "Change the role").click();
    await row.getByRole("cell", { name: "author" }).waitFor();
    await choose("Deactivate");
    await button(page, "Deactivate").click();
    await row.getByText("Deactivated").waitFor();
    await choose("Activate");
    await row.getByText("Active", { exact: true }).waitFor();
    await choose("Remove");
    await page.getByText("stays, and no longer says by whom it is").waitFor();
    await button(page, "Remove").click();
    await row.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Actions for super@example.com" }).count()).to.equal(0);
    await button(page, "Invite somebody").first().click();
    await field(page, "E-mail address").fill("alan@example.com");
    await button(page, "Send the invitation").click();
    await page.getByRole("alertdialog", { name: "Invitation" }).getByRole("button", { name: "Close" }).last().click();
    await button(page, "Invite alan@example.com again").click();
    await page.getByRole("alertdialog", { name: "Invitation" }).getByRole("button", { name: "Close" }).last().click();
    await button(page, "Take the invitation of alan@example.com back").click();
    await page.getByText("Role editor, invited by").waitFor({ state: "detached" });
    await theirs.page.reload();
    await theirs.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("makes a role in a grid by keyboard alone, limits it to fields, languages and own documents, and says so in words", async () => {
    const { page, wrong } = await enter("/settings/roles");
    await page.getByRole("heading", { name: "Roles" }).waitFor();
    await tabTo(page, /^New role$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New role" }).waitFor();
    await page.keyboard.type("translator");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "translator" }).waitFor();
    await page.getByText("This role may do nothing yet.").waitFor();
    await tabTo(page, /^All types, also those to come, Find/);
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).to.equal("Article, Find: not allowed");
    await page.keyboard.press(" ");
    expect(await focused(page)).to.equal("Article, Find: allowed");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press(" ");
    for (let step = 0; step < 2; step += 1) await page.keyboard.press("ArrowRight");
    expect(await focused(page)).to.equal("Article, Change: not allowed");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Article: Change" });
    await dialog.getByRole("radio", { name: "Allowed in part" }).check();
    await dialog.getByRole("checkbox", { name: "All languages, also those to come" }).uncheck();
    for (const language of ["English", "German", "Arabic"])
      await dialog.getByRole("checkbox", { name: language }).uncheck();
    await dialog.getByRole("checkbox", { name: "Only what the person made themselves" }).check();
    await dialog.getByRole("checkbox", { name: "All fields, also those to come" }).uncheck();
    for (const box of await dialog.getByRole("group", { name: "Fields" }).getByRole("checkbox").all())
      if (!["Title", "Summary"].includes(await box.evaluate((input) => input.closest("label")?.textContent ?? "")))
        await box.uncheck();
    await dialog.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Field", { exact: true }).selectOption({ label: "Rank" });
    await page.getByLabel("Condition").selectOption({ label: "is at least" });
    await page.getByLabel("Value").fill("3");
    await page.getByRole("dialog", { name: "Add a filter" }).getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("Rank is at least 3").waitFor();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Find, Open, See drafts", { exact: true }).waitFor();
    await page
      .getByText("Change: only own documents; languages fr; where Rank is at least 3; fields Title, Summary")
      .waitFor();
    await page.getByRole("checkbox", { name: /change what roles may do/ }).check();
    await page.getByRole("checkbox", { name: /Requires a second factor/ }).check();
    await button(page, "Save").click();
    await said(page, "translator was saved").waitFor();
    const stored = await app()
      .plinth.app.documents(ROLE)
      .findFirst({ filters: { name: "translator" } });
    expect(stored?.["requiresSecondFactor"]).to.equal(true);
    expect(stored?.["grant"]).to.deep.equal([
      ...[`${ARTICLE}.find`, `${ARTICLE}.findOne`, `${ARTICLE}.findDrafts`],
      {
        action: `${ARTICLE}.update`,
        where: {
          $and: [
            { createdBy: { id: "{{user.id}}" } },
            { locale: { $in: ["fr"] } },
            { $and: [{ rank: { $gte: "3" } }] },
          ],
        },
        fields: ["title", "summary"],
      },
      "plugin::admin.roles",
    ]);
    await page.reload();
    await cell(page, "Article", "Change").click();
    await page.getByText("Rank is at least 3").first().waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("shows what the code grants as locked, keeps what no cell shows, and asks before changes are lost", async () => {
    const { app: running } = app().plinth;
    const complex = {
      action: `${ARTICLE}.create`,
      set: { rank: 1 },
      where: { author: { name: { $eqi: "Ada" } }, rank: { $not: { $gt: 3 } } },
    };
    const grant = ["api::*.find", "api::tag.*", complex];
    await running.documents(ROLE).create({ data: { name: "complex", grant } });
    const { page, wrong } = await enter("/settings/roles");
    await page.getByRole("link", { name: "visitor" }).click();
    await page.getByText("What is locked is in the configuration").waitFor();
    await cell(page, "Article", "Find").click();
    await page.getByText("The configuration grants this to visitor: config/plugins, admin.roles").waitFor();
    expect(await page.getByRole("radio", { name: "Not allowed" }).isDisabled()).to.equal(true);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("link", { name: "All roles" }).click();
    await page.getByRole("link", { name: "complex" }).click();
    await page.getByRole("heading", { name: "Further rules" }).waitFor();
    await page.getByText("api::tag.*", { exact: true }).first().waitFor();
    await cell(page, "Article", "Create").click();
    await page.getByText("Every write sets these values").waitFor();
    await page.getByText("This condition is kept as it is:").waitFor();
    await page.getByRole("checkbox", { name: "Only what the person made themselves" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByRole("link", { name: "All roles" }).click();
    await page
      .getByRole("alertdialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay here" })
      .click();
    await button(page, "Save").click();
    await said(page, "complex was saved").waitFor();
    expect(await focused(page)).to.equal("Save");
    const stored = await running.documents(ROLE).findFirst({ filters: { name: "complex" } });
    const rule = Array.from(stored?.["grant"] as readonly unknown[]).find((item) => typeof item === "object");
    expect(rule).to.deep.include({ action: complex.action, set: complex.set });
    expect(JSON.stringify(rule)).to.include('"$eqi":"Ada"').and.to.include('{"$gt":3}');
    expect(stored?.["grant"]).to.include.members(["api::*.find", "api::tag.*"]);

    // Somebody else saves it while it is changed here.
    const second = page.getByRole("checkbox", { name: /Requires a second factor/ });
    await second.check();
    const { documentId } = stored as { readonly documentId: string };
    await running.documents(ROLE).update({ documentId, data: { description: "Of somebody else" } });
    await button(page, "Save").click();
    await page.getByText("Somebody else saved this role meanwhile.").waitFor();
    expect(await second.isChecked()).to.equal(true);
    await button(page, "Show the saved one, and drop my changes").click();
    expect(await field(page, "Description").inputValue()).to.equal("Of somebody else");
    expect(await second.isChecked()).to.equal(false);

    await page.getByRole("link", { name: "All roles" }).click();
    const choose = async (role: string, entry: string) => {
      await button(page, `Actions for the role ${role}`).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
    };
    await choose("complex", "Duplicate");
    await field(page, "Name").fill("copied");
    await button(page, "Create the role").click();
    await page.getByRole("heading", { name: "copied" }).waitFor();
    await page.getByRole("link", { name: "All roles" }).click();
    await choose("copied", "Rename");
    await field(page, "Name").fill("renamed");
    await button(page, "Rename").click();
    await page.getByRole("link", { name: "renamed" }).waitFor();
    await administratorOf(running, "renamed");
    await page.reload();
    await choose("renamed", "Delete");
    await page.getByText("This role is in use: 1 account has it").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Close" }).click();
    await choose("complex", "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "complex" }).waitFor({ state: "detached" });
    expect(wrong).to.deep.equal([]);
  });
});
