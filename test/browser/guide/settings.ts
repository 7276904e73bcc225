import { audit } from "@plinth/plugin-audit";
import { webhooks } from "@plinth/plugin-webhooks";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { administratorOf, PASSWORD, signIn } from "../../plugins/admin/sign-in.js";
import type { BrowserApp } from "../browser-app.js";
import { ARTICLE, changeArticle, type Magazine } from "./magazine.js";

const ADMINISTRATOR = "plugin::api-tokens.admin";
const FRENCH = { locale: { $in: ["fr"] } };
const PEOPLE = { author: "Ida Brandt", translator: "Louis Amar" };

/** What owners of the magazine have set: people and roles, tokens, webhooks. */
export async function writeSettings(app: BrowserApp, magazine: Magazine): Promise<void> {
  const { app: server } = app.plinth;
  const grant = [
    `${ARTICLE}.find`,
    `${ARTICLE}.findOne`,
    `${ARTICLE}.findDrafts`,
    { action: `${ARTICLE}.update`, where: FRENCH, fields: ["title", "summary", "body"] },
    { action: `${ARTICLE}.publish`, where: FRENCH },
    "api::author.author.find",
    "api::tag.tag.find",
  ];
  await server
    .documents("plugin::admin.role")
    .create({ data: { name: "translator", description: "Writes French", grant } });
  for (const [role, name] of Object.entries(PEOPLE)) {
    const { documentId } = await administratorOf(server, role);
    await signIn(server, role);
    await server.documents(ADMINISTRATOR).update({ documentId, data: { name } });
  }
  const by = await signIn(server, "super");
  await app.ask("POST", "/admin/api/invitations", by, { email: "mara@example.com", role: "editor" });
  const tokens = server.service(apiTokens);
  await tokens.create({ name: "Website", type: "read-only" });
  await tokens.create({ name: "Newsletter", type: "custom", permissions: [`${ARTICLE}.find`] });
  const { documentId } = await tokens.create({ name: "Import of 2025", type: "full-access" });
  const data = { expiresAt: "2026-01-31T00:00:00.000Z" };
  await server.documents("plugin::api-tokens.token").update({ documentId, data });
  await writeWebhooks(app);
  await work(app, magazine);
  await server.service(audit).seal();
}

async function writeWebhooks({ plinth: { app } }: BrowserApp): Promise<void> {
  const service = app.service(webhooks);
  const rows = [
    { name: "Build of the site", url: "https://build.example.com/hooks/magazine", events: ["entry.publish"] },
    { name: "Search", url: "https://search.example.com/plinth", events: ["entry.*"] },
    { name: "Chat of the desk", url: "https://chat.example.com/in/7421", events: ["entry.publish"] },
  ];
  for (const row of rows) {
    const { documentId } = await service.create(row);
    if (row.name.startsWith("Chat")) await service.update(documentId, { enabled: false });
  }
}

/** What the audit log begins with. */
async function work(app: BrowserApp, { soup, ferry, lighthouse }: Magazine): Promise<void> {
  const enter = (email: string, password: string) =>
    app.ask("POST", "/admin/api/session", { "sec-fetch-site": "same-origin" }, { email, password, stay: false });
  await changeArticle(app, lighthouse, "super", { summary: "One winter with the woman who keeps the light." });
  await enter("translator@example.com", "the password of another site");
  await enter("translator@example.com", PASSWORD);
  await changeArticle(app, soup, "editor", { summary: "Half an hour, one pot, and bread." });
  const publish = `/admin/api/content/${ARTICLE}/${ferry}/actions/publish`;
  await app.ask("POST", publish, await signIn(app.plinth.app, "editor"), {});
  await changeArticle(app, ferry, "super", { issue: 13 });
}
