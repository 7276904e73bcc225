import { readFileSync } from "node:fs";
import { expect } from "chai";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { administratorOf, PASSWORD, serveBrowserApp } from "./browser-app.js";
import { type Tab, useBrowser } from "./browser.js";

const ROLE = "plugin::admin.role";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const secret = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Gives a tab an authenticator of Chromium, as fingerprint readers are, which answers by itself. */
async function addAuthenticator({ context, page }: Tab): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

describe("a second factor on the page", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  /** Passkeys are for names: the browser takes `localhost` for a safe address. */
  const url = () => app().url.replace("127.0.0.1", "localhost");
  const signIn = async (page: Page, role: string) => {
    const { email } = await administratorOf(app().plinth.app, role);
    await page.goto(`${url()}/admin/sign-in`);
    await field(page, "E-mail address").fill(email);
    await secret(page, "Password").fill(PASSWORD);
    await button(page, "Sign in").click();
  };
  const confirm = async (page: Page, password = PASSWORD) => {
    await page
      .getByRole("dialog", { name: "Confirm that it is you" })
      .getByLabel("Password", { exact: true })
      .fill(password);
    await button(page, "Continue").click();
  };
  const secretOf = async (page: Page) => (await page.locator("code[dir=ltr]").first().innerText()).replaceAll(" ", "");
  const codesOf = async (page: Page) => {
    const list = page.getByRole("list", { name: "Recovery codes" });
    await list.waitFor();
    return list.getByRole("listitem").allInnerTexts();
  };

  it("by an app is set up with a picture, asked for at the next sign-in, and replaced by a recovery code that is lost then", async () => {
    const { page, wrong } = await open();
    await signIn(page, "editor");
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${url()}/admin/settings/account`);
    await button(page, "Set up").click();
    await page.getByRole("dialog", { name: "Authenticator app" }).waitFor();
    await confirm(page, "not the password");
    await page.getByText("This is not your password.").waitFor();
    await confirm(page);
    await page.getByRole("img", { name: "Picture for the authenticator app" }).waitFor();
    const shared = await secretOf(page);
    const codeField = field(page, "Code of six digits");
    await codeField.fill("000000");
    await button(page, "Turn it on").click();
    await page.getByText("This code is not valid.").waitFor();
    await codeField.fill(new TOTP({ secret: shared }).generate({ timestamp: Date.now() - 30_000 }));
    await button(page, "Turn it on").click();
    const codes = await codesOf(page);
    expect(codes).to.have.length(10);
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Download").click()]);
    expect(readFileSync(await download.path(), "utf8")).to.include(codes[9]);
    await button(page, "I have kept them").click();
    await page.getByText("On", { exact: true }).waitFor();

    await page.context().clearCookies();
    await signIn(page, "editor");
    await field(page, "Code of six digits").fill("000000");
    await button(page, "Sign in").click();
    await page.getByText("This code is not valid.").waitFor();
    await field(page, "Code of six digits").fill(new TOTP({ secret: shared }).generate());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Hello/ }).waitFor();

    await page.context().clearCookies();
    await signIn(page, "editor");
    await button(page, "Use a recovery code instead").click();
    await field(page, "Recovery code").fill(codes[0] ?? "");
    await button(page, "Sign in").click();
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${url()}/admin/settings/account`);
    await button(page, "New recovery codes (9 left)").click();
    await confirm(page);
    expect(await codesOf(page)).to.not.include(codes[1]);
    await button(page, "I have kept them").click();
    await page.getByText("Authenticator app", { exact: true }).waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Authenticator app" })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByText("Off", { exact: true }).waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("by a passkey is added with a name, signs in after the password and without it, is renamed and removed", async () => {
    const tab = await open();
    const { page, wrong } = tab;
    await addAuthenticator(tab);
    await signIn(page, "author");
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${url()}/admin/settings/account`);
    await button(page, "Add a passkey").click();
    await field(page, "Name of the passkey").fill("Laptop");
    await button(page, "Create the passkey").click();
    await confirm(page);
    expect(await codesOf(page)).to.have.length(10);
    await button(page, "I have kept them").click();
    await page.getByText("localhost · since").waitFor();

    await page.context().clearCookies();
    await signIn(page, "author");
    await page.getByText("Confirm with your passkey that it is you.").waitFor();
    await button(page, "Use a passkey").click();
    await page.getByRole("heading", { name: /Hello/ }).waitFor();

    await page.context().clearCookies();
    await page.goto(`${url()}/admin`);
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${url()}/admin/settings/account`);
    await page.getByText("last used").first().waitFor();
    await button(page, "Rename Laptop").click();
    await field(page, "Name of the passkey").fill("Old laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await button(page, "Remove Old laptop").click();
    await confirm(page);
    await page.getByText("Old laptop", { exact: true }).waitFor({ state: "detached" });
    expect(wrong).to.deep.equal([]);
  });

  it("that a role requires is set up before anything else, and at once in a tab that is open", async () => {
    const { app: running } = app().plinth;
    const data = { name: "guarded", grant: ["api::tag.tag.find"], requiresSecondFactor: true };
    const { documentId } = await running.documents(ROLE).create({ data });
    const { page, wrong } = await open();
    await signIn(page, "guarded");
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await button(page, "Use an authenticator app").click();
    await confirm(page);
    const shared = await secretOf(page);
    await field(page, "Code of six digits").fill(new TOTP({ secret: shared }).generate());
    await button(page, "Turn it on").click();
    await button(page, "Go on").click();
    await page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${url()}/admin/settings/account`);
    await page.getByText("Your role requires one.").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Authenticator app" })
      .getByRole("button", { name: "Remove" })
      .click();
    await confirm(page);
    await page.getByText("Your role requires a second factor, and this is the only one.").waitFor();

    await running.documents(ROLE).update({ documentId, data: { requiresSecondFactor: false } });
    const other = await open();
    await app().enter(other, "visitor");
    await other.page.goto(`${app().url}/admin`);
    await other.page.getByRole("heading", { name: /Hello/ }).waitFor();
    const visitors = { name: "visitor", grant: [], requiresSecondFactor: true };
    await running.documents(ROLE).create({ data: visitors });
    // Its stream of events ends and is refused: nobody has to click.
    await other.page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(wrong).to.deep.equal([]);
  });

  it("and name, address, password, sessions, language and theme are in one's own account", async () => {
    const first = await open();
    const { page, wrong } = first;
    await app().enter(first, "mover");
    const second = await open({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" });
    await signIn(second.page, "mover");
    await second.page.getByRole("heading", { name: /Hello/ }).waitFor();
    await page.goto(`${app().url}/admin`);
    await page.getByRole("button", { name: "mover@example.com" }).click();
    await page.getByRole("menuitem", { name: "My account" }).click();
    await field(page, "Name").fill("Maria Mover");
    await button(page, "Save the name").click();
    await page.getByText("Firefox, Linux").waitFor();
    await page.getByText("This one").waitFor();
    await button(page, "End the session in Firefox, Linux").click();
    await page.getByText("Firefox, Linux").waitFor({ state: "detached" });
    await second.page.reload();
    await second.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await field(page, "E-mail address").fill("maria@example.com");
    await secret(page, "Present password").first().fill(PASSWORD);
    await button(page, "Change the address").click();
    await page.getByText("Your e-mail address was changed").waitFor();
    await secret(page, "Present password").last().fill("wrong");
    await secret(page, "New password").fill("a sentence of my own");
    await button(page, "Change the password").click();
    await page.getByText("This is not your password.").waitFor();
    await secret(page, "Present password").last().fill(PASSWORD);
    await button(page, "Change the password").click();
    await page.getByText("Your password was changed").waitFor();
    await page.getByLabel("Theme").selectOption("dark");
    expect(await page.locator("html").getAttribute("data-theme")).to.equal("dark");
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Mein Konto" }).waitFor();
    expect(wrong).to.deep.equal([]);
  });
});
