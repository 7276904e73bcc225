import type { AppSetup } from "@plinth/core";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { i18nPlugin, type Locale } from "@plinth/plugin-i18n";
import type { TestDatabase } from "../../databases.js";
import { type Answered, startTokenApp, type TokenApp } from "../api-tokens/serve-tokens.js";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

/** A running app with localised pages, and the keys to it. */
export interface LocaleApp extends TokenApp {
  /** Sends a request as somebody who may do everything with content. */
  content(method: string, path: string, body?: unknown): Promise<Answered>;
  /** Sends a request below `/admin/i18n` as an administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Answered>;
  /** The locale of a code, as the list of administrators has it. */
  localeOf(code: string): Promise<Locale>;
}

/** What is configured beside a database: English, which is the default, and French. */
export const CONFIG = { i18n: { defaultLocale: "en", locales: ["en", "fr"] } };

/** Starts an app on a database that several may share. */
export async function startLocaleApp(
  database: TestDatabase,
  { config = CONFIG, plugins = [contentApiPlugin, apiTokensPlugin, i18nPlugin], app }: Partial<AppSetup> = {},
): Promise<LocaleApp> {
  const started = await startTokenApp(database, {
    plugins,
    app: app ?? {
      contentTypes: {
        "api::page.page": {
          kind: "collectionType",
          info: { singularName: "page", pluralName: "pages", displayName: "Page" },
          options: { draftAndPublish: true },
          ...LOCALIZED,
          attributes: { title: { type: "string", ...LOCALIZED } },
        },
      },
    },
    config: { server: { port: 0 }, database: database.config(), ...config },
  });
  const name = `${Date.now()}-${Math.random()}`;
  const content = (await started.tokens.create({ name, type: "full-access" })).accessKey;
  const admin = (await started.tokens.create({ name: `${name} admin`, type: "admin" })).accessKey;
  const asAdmin = (method: string, path: string, body?: unknown) =>
    started.ask(method, `/admin/i18n${path}`, admin, body);
  return {
    ...started,
    content: (method, path, body) => started.ask(method, `/api${path}`, content, body),
    admin: asAdmin,
    localeOf: async (code) => {
      const { body } = await asAdmin("GET", "/locales");
      const found = (body.data as readonly Locale[]).find((locale) => locale.code === code);
      if (!found) throw new TypeError(`There is no locale ${code}: ${JSON.stringify(body)}`);
      return found;
    },
  };
}

/** The same, stopped after the suite. */
export function serveLocales(database: TestDatabase, setup?: Partial<AppSetup>): () => LocaleApp {
  let served: LocaleApp | undefined;
  before("start the app", async () => {
    served = await startLocaleApp(database, setup);
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}
