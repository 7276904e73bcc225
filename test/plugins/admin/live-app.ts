import { setTimeout as sleep } from "node:timers/promises";
import type { AppSetup } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { i18nPlugin } from "@plinth/plugin-i18n";
import type { TestDatabase } from "../../databases.js";
import { type OpenedEvents, openEvents, type ReadEvent } from "../live/open-events.js";
import { type AdminApp, startAdminApp } from "./serve-admin.js";
import { signIn } from "./sign-in.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

/** A type with drafts and locales, one without either, and one that only super may find. */
export const ARTICLE = "api::article.article";
export const NOTE = "api::note.note";
export const DOSSIER = "api::dossier.dossier";

const type = (singularName: string, attributes: object, more: object = {}) => ({
  kind: "collectionType",
  info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
  attributes,
  ...more,
});
const LOCALIZED = { i18n: { localized: true } };

const contentTypes = {
  [ARTICLE]: type(
    "article",
    {
      title: { type: "string", required: true, pluginOptions: LOCALIZED },
      rank: { type: "integer", pluginOptions: LOCALIZED },
      secret: { type: "string", pluginOptions: LOCALIZED },
    },
    { options: { draftAndPublish: true }, pluginOptions: LOCALIZED },
  ),
  [NOTE]: type("note", { text: { type: "text" } }),
  [DOSSIER]: type("dossier", { name: { type: "string" } }),
};

/** Roles that see a part of it. */
const roles = {
  /** Articles of a low rank, drafts too, in English, without their secret; notes. */
  limited: [
    {
      ...{ action: `${ARTICLE}.find`, fields: ["title", "rank"] },
      where: { rank: { $lt: 10 }, locale: { $in: ["en"] } },
    },
    { action: `${ARTICLE}.findDrafts`, where: { rank: { $lt: 10 } } },
    `${NOTE}.find`,
  ],
  /** What is published, and no draft. */
  publicist: [`${ARTICLE}.find`],
  nobody: [`${NOTE}.find`],
};

/** Starts an app of these. */
export const startLiveApp = (
  database: TestDatabase,
  more: Partial<AppSetup> = {},
  live: object = {},
): Promise<AdminApp> =>
  startAdminApp(database, {
    plugins: [contentApiPlugin, apiTokensPlugin, i18nPlugin, graphqlPlugin, adminPlugin],
    pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles, live } },
    app: { contentTypes } as never,
    config: {
      server: { port: 0 },
      database: database.config(),
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      access: { tokens: { "token-of-everything": "all" } },
    },
    ...more,
  });

const EVERYTHING = [ARTICLE, NOTE, DOSSIER].join(",");
const ms = 20;

/** A stream, with what a test asks of it. */
export interface Listener extends OpenedEvents {
  /** What came by name, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: events have every form there is
  got(event: string): readonly any[];
  /** Waits until one came that is like this. */
  // biome-ignore lint/suspicious/noExplicitAny: events have every form there is
  wait(event: string, isIt: (data: any) => boolean): Promise<any>;
}

/** Listens as an administrator with a role. @param by - headers of a session that is there already */
export async function listen(
  app: AdminApp,
  role: string,
  watch = EVERYTHING,
  by?: Readonly<Record<string, string>>,
): Promise<Listener> {
  const headers = by ?? (await signIn(app.plinth.app, role));
  const opened = await openEvents(`${app.url}/admin/api/events?watch=${encodeURIComponent(watch)}`, { headers });
  const got = (name: string) =>
    opened.events.filter(({ event }: ReadEvent) => event === name).map(({ data }) => JSON.parse(data));
  const wait: Listener["wait"] = async (name, isIt) => {
    for (const end = Date.now() + LONGEST_WAIT; Date.now() < end; await sleep(ms)) {
      const found = got(name).find(isIt);
      if (found) return found;
    }
    throw new TypeError(`There was no such event "${name}": ${opened.text()}`);
  };
  return Object.assign(opened, { got, wait });
}
