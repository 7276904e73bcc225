import type { Page } from "playwright-core";
import { administratorOf, type BrowserApp } from "./browser-app.js";
import type { Screen } from "./screens.js";

const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name }).waitFor();

/** What is open, or said, on a screen about accounts as it is loaded. */
export const accountScreens = (): readonly Screen[] => [
  { name: "forgotten", path: "/forgotten", isSignedOut: true, ready: heading("Forgotten password") },
  {
    name: "reset",
    path: "/reset#code",
    isSignedOut: true,
    ready: (page) => page.getByLabel("Password", { exact: true }).waitFor(),
  },
  {
    name: "account",
    path: "/settings/account",
    ready: (page) => page.getByRole("heading", { name: "Sessions" }).waitFor(),
  },
  { name: "accounts", path: "/settings/accounts", ready: (page) => page.getByRole("row").nth(1).waitFor() },
  {
    name: "accounts-forbidden",
    path: "/settings/accounts",
    role: "visitor",
    ready: (page) => page.getByText("You do not have access").first().waitFor(),
  },
  { name: "roles", path: "/settings/roles", ready: (page) => page.getByRole("link", { name: "editor" }).waitFor() },
  { name: "role", path: "/settings/roles/author", ready: (page) => page.getByRole("grid").waitFor() },
];

/** What is open after something was done with accounts. */
export async function accountStates(app: BrowserApp): Promise<readonly Screen[]> {
  const grant = ["api::tag.*", { action: "api::article.article.create", set: { rank: 1 } }];
  await app.plinth.app.documents("plugin::admin.role").create({ data: { name: "screens", grant } });
  // Somebody to be removed.
  await administratorOf(app.plinth.app, "visitor");
  const state = (name: string, path: string, ready: Screen["ready"], act: NonNullable<Screen["act"]>): Screen => ({
    ...{ name, path, ready, act },
  });
  const accounts = (page: Page) => page.getByRole("row").nth(1).waitFor();
  const grid = (page: Page) => page.getByRole("grid").waitFor();
  return [
    // With one control, the second Tab is the browser's.
    {
      ...{ name: "invited-too-late", path: "/invited#code", isSignedOut: true },
      ready: (page) => page.getByRole("alert").waitFor(),
    },
    state("accounts-invite", "/settings/accounts", accounts, async (page) => {
      await button(page, "Invite somebody").first().click();
      await dialog(page, "Invite an administrator");
    }),
    state("accounts-remove", "/settings/accounts", accounts, async (page) => {
      await page.getByRole("button", { name: /^Actions for .*visitor/ }).click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByRole("alertdialog").waitFor();
    }),
    state(
      "account-confirm",
      "/settings/account",
      (page) => button(page, "Set up").waitFor(),
      async (page) => {
        await button(page, "Set up").click();
        await dialog(page, "Confirm that it is you");
      },
    ),
    state(
      "account-password",
      "/settings/account",
      (page) => button(page, "Set up").waitFor(),
      async (page) => {
        await page.getByLabel("New password", { exact: true }).fill("nanoseconds of");
        await page
          .getByText(/Fair|Weak|Strong/)
          .first()
          .waitFor();
      },
    ),
    state("role-cell-locked", "/settings/roles/author", grid, async (page) => {
      await page.getByRole("button", { name: /^Article, Change:/ }).click();
      await dialog(page, "Article: Change");
    }),
    state("role-cell", "/settings/roles/screens", grid, async (page) => {
      await page.getByRole("button", { name: /^Article, Create:/ }).click();
      await dialog(page, "Article: Create");
      await page.getByRole("checkbox", { name: "All fields, also those to come" }).uncheck();
    }),
  ];
}
