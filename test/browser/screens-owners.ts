import type { Page } from "playwright-core";
import { apiTokens } from "@plinth/plugin-api-tokens";
import type { BrowserApp } from "./browser-app.js";
import type { Screen } from "./screens.js";

const ARTICLE = "api::article.article";
const USER = "plugin::users-permissions.user";
const ROLE = "plugin::users-permissions.role";

const heading = (name: string) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();
const row = (name: RegExp) => (page: Page) => page.getByRole("row", { name }).waitFor();

/** What the settings of the owners show, as they are loaded. */
export async function ownersScreens(app: BrowserApp): Promise<readonly Screen[]> {
  const { documents, service } = app.plinth.app;
  const tokens = service(apiTokens);
  const permissions = [`${ARTICLE}.find`, { action: `${ARTICLE}.update`, where: { isHot: true }, fields: ["title"] }];
  const { documentId: token } = await tokens.create({ name: "Website", type: "custom", permissions: [...permissions] });
  const { documentId } = await tokens.create({ name: "Old script", type: "read-only" });
  const data = { expiresAt: "2020-01-31T00:00:00.000Z" };
  await documents("plugin::api-tokens.token").update({ documentId, data });
  const role = await documents(ROLE).findFirst({ filters: { type: "authenticated" } });
  const values = { username: "ada", email: "ada@example.com", confirmed: true, role: role?.id };
  const { documentId: user } = await documents(USER).create({ data: { ...values, password: "Analytical-1" } });
  return [
    { name: "tokens", path: "/settings/tokens", ready: row(/Website/) },
    {
      name: "token",
      path: `/settings/tokens/${token}`,
      ready: (page) => page.getByLabel("Read one: Article").waitFor(),
    },
    { name: "end-users", path: "/settings/users", ready: row(/ada/) },
    { name: "end-user", path: `/settings/users/${user}`, ready: heading("ada") },
    { name: "user-roles", path: "/settings/user-roles", ready: heading("Roles of end users") },
    {
      name: "user-role",
      path: `/settings/user-roles/${role?.documentId}`,
      ready: (page) => page.getByLabel("Read one: Article").waitFor(),
    },
    { name: "languages", path: "/settings/languages", ready: (page) => page.getByText("French (fr)").waitFor() },
    { name: "audit", path: "/settings/audit", ready: (page) => page.getByRole("listitem").nth(30).waitFor() },
    {
      name: "audit-forbidden",
      path: "/settings/audit",
      role: "visitor",
      ready: (page) => page.getByText("You do not have access to this").waitFor(),
    },
  ];
}

/** What is open on them after something was done. */
export const ownersStates: readonly Screen[] = [
  {
    name: "token-new",
    path: "/settings/tokens/new",
    ready: heading("New token"),
    act: async (page) => {
      await page.getByRole("button", { name: "Create the token" }).click();
      await page.getByText("This is needed").waitFor();
    },
  },
  {
    name: "token-key",
    path: "/settings/tokens/new",
    ready: heading("New token"),
    act: async (page) => {
      await page.getByRole("textbox", { name: "Name" }).fill(`Key ${Date.now()}`);
      await page.getByRole("button", { name: "Create the token" }).click();
      await page.getByRole("textbox", { name: "Key" }).waitFor();
    },
  },
  {
    name: "language-add",
    path: "/settings/languages",
    ready: (page) => page.getByText("French (fr)").waitFor(),
    act: async (page) => {
      await page.getByRole("button", { name: "Add a language" }).click();
      await page.getByRole("combobox", { name: "Language" }).fill("Ital");
      await page.getByRole("option", { name: "Italian it", exact: true }).waitFor();
    },
    isPopover: true,
  },
  {
    name: "audit-entry",
    path: "/settings/audit?action=document.create",
    ready: (page) => page.getByRole("listitem").nth(5).waitFor(),
    act: async (page) => {
      await page.getByText(/^Sealed|^Nothing is sealed/).click();
      await page.getByRole("button", { name: "Document created" }).first().click();
      await page.getByRole("dialog", { name: "Document created" }).waitFor();
    },
  },
];
