import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppSetup, RawContentType } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { historyPlugin } from "@plinth/plugin-history";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { type AdminApp, startAdminApp } from "../plugins/admin/serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "../plugins/admin/sign-in.js";
import type { Tab } from "./browser.js";

const LOCALIZED = { i18n: { localized: true } };

const type = (singularName: string, attributes: object, more: Partial<RawContentType> = {}) => ({
  kind: "collectionType" as const,
  info: {
    singularName,
    pluralName: `${singularName}s`,
    displayName: singularName[0]?.toUpperCase() + singularName.slice(1),
  },
  attributes: attributes as RawContentType["attributes"],
  ...more,
});

const ARTICLE = "api::article.article";
/** Where previews are; nothing is there, and a test answers in its place. */
export const FRONT_END = "http://front-end.example";
const COUNTRIES = ["Brazil", "Canada", "Chad", "Denmark", "France", "Ghana", "India", "Japan", "Kenya", "Peru"];

/** Every kind of attribute. */
export const contentTypes = {
  "api::article.article": type(
    "article",
    {
      title: { type: "string", required: true, maxLength: 80, pluginOptions: LOCALIZED },
      slug: { type: "uid", targetField: "title", pluginOptions: LOCALIZED },
      summary: { type: "text", pluginOptions: LOCALIZED },
      body: { type: "blocks", pluginOptions: LOCALIZED },
      notes: { type: "richtext", pluginOptions: LOCALIZED },
      kind: { type: "enumeration", enum: ["news", "opinion", "tutorial"] },
      rank: { type: "integer", min: 1, max: 10 },
      price: { type: "decimal" },
      isHot: { type: "boolean", default: false },
      day: { type: "date" },
      at: { type: "datetime" },
      email: { type: "email" },
      settings: { type: "json" },
      cover: { type: "media", allowedTypes: ["images"] },
      author: { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" },
      tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag" },
      seo: { type: "component", component: "shared.seo" },
      sections: { type: "dynamiczone", components: ["shared.quote", "shared.step", "shared.recipe"] },
    },
    { options: { draftAndPublish: true }, pluginOptions: LOCALIZED },
  ),
  "api::author.author": type("author", {
    name: { type: "string", required: true },
    articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
  }),
  "api::tag.tag": type("tag", { name: { type: "string", required: true } }),
  "api::event.event": type(
    "event",
    {
      name: { type: "string", required: true },
      isPublic: { type: "boolean", required: true },
      country: { type: "enumeration", enum: COUNTRIES },
      price: { type: "decimal" },
      seats: { type: "integer" },
      opensAt: { type: "datetime" },
      day: { type: "date" },
    },
    { options: { draftAndPublish: true }, pluginOptions: { admin: { preview: "/events/{documentId}?token={token}" } } },
  ),
  "api::home.home": type(
    "home",
    {
      heading: { type: "string" },
      gallery: { type: "media", multiple: true, allowedTypes: ["images"] },
      featured: { type: "relation", relation: "oneToMany", target: "api::tag.tag" },
    },
    { kind: "singleType" },
  ),
};

/** What they are made of. */
export const components = {
  "shared.seo": {
    info: { displayName: "SEO" },
    attributes: { metaTitle: { type: "string", required: true }, metaDescription: { type: "text" } },
  },
  "shared.recipe": {
    info: { displayName: "Recipe" },
    attributes: {
      name: { type: "string" },
      steps: { type: "component", component: "shared.step", repeatable: true },
    },
  },
  "shared.step": { info: { displayName: "Step" }, attributes: { text: { type: "string" } } },
  "shared.quote": {
    info: { displayName: "Quote" },
    attributes: {
      words: { type: "text", required: true },
      from: { type: "relation", relation: "oneToOne", target: "api::author.author" },
    },
  },
};

const EMBEDDED = { client: "pglite", directory: ":memory:" } as const;

/** Every plugin that has a screen. */
export const plugins = [
  ...[contentApiPlugin, apiTokensPlugin, i18nPlugin, uploadPlugin, usersPermissionsPlugin, adminPlugin],
  ...[eventsPlugin, jobsPlugin, webhooksPlugin, schedulePlugin, historyPlugin, auditPlugin],
];

/** A running app for the tests in a browser, which a test may stop and start again. */
export interface BrowserApp extends AdminApp {
  /** Puts the cookie of a new session into a tab: past the form, as the tests of sign-in go through it. */
  enter(tab: Tab, role?: string): Promise<void>;
  /** Makes a document as super. */
  create(uid: string, data: object, status?: "published"): Promise<string>;
  /** Reads a document as it is stored. */
  read(uid: string, documentId: string, locale?: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Serves an app with every kind of attribute and four locales; stopped after the suite. */
export function serveBrowserApp(): () => BrowserApp {
  let served: BrowserApp | undefined;
  const folder = mkdtempSync(join(tmpdir(), "plinth-browser-app-"));
  before("start the app", async () => {
    served = await startBrowserApp(folder);
  });
  after("stop the app", async () => {
    await served?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

/** Starts the app. @param folder - of its uploads, and of its database where that is kept */
export async function startBrowserApp(
  folder: string,
  { pluginConfigs, ...more }: Partial<AppSetup> = {},
): Promise<BrowserApp> {
  const extras = {
    plugins,
    pluginConfigs: {
      "api-tokens": { loginLimit: 1000 },
      "users-permissions": { jwtSecret: "a secret that only the tests of the page know" },
      // Reads what is live, and nothing that the page shows; apps with other types have no articles.
      admin: { preview: { origins: [FRONT_END] }, ...(more.app ? {} : { roles: { visitor: [`${ARTICLE}.find`] } }) },
      upload: { providerOptions: { directory: join(folder, "uploads") } },
      ...pluginConfigs,
    },
    app: { contentTypes, components } as never,
    config: {
      server: { port: 0 },
      database: EMBEDDED,
      i18n: { defaultLocale: "en", locales: ["en", "fr", "de", "ar"] },
    },
    ...more,
  };
  const app = await startAdminApp({ config: () => EMBEDDED } as never, extras);
  const content = (uid: string, rest: string) => `/admin/api/content/${uid}${rest}`;
  const asSuper = () => signIn(app.plinth.app, "super");
  return {
    ...app,
    enter: async ({ context }, role = "super") => {
      const { cookie = "" } = await signIn(app.plinth.app, role);
      const [name = "", value = ""] = cookie.split("=");
      await context.addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: "Strict" }]);
    },
    create: async (uid, data, status) => {
      const headers = { ...(await asSuper()), "if-none-match": "*" };
      const { body, text } = await app.ask("POST", content(uid, ""), headers, { data, ...(status ? { status } : {}) });
      if (!body?.data) throw new TypeError(text);
      return String(body.data.documentId);
    },
    read: async (uid, documentId, locale) => {
      const query = locale === undefined ? "" : `?locale=${locale}`;
      return (await app.ask("GET", content(uid, `/${documentId}${query}`), await asSuper())).body.data;
    },
  };
}

export { administratorOf, PASSWORD };
