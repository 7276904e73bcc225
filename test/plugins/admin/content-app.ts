import { type RawContentType, type RegisterContext, transformOutput, type WriteEvent, writeHooks } from "@plinth/core";
import type { Grant } from "@plinth/core/access";
import { uploadPlugin } from "@plinth/plugin-upload";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { adminPlugin } from "@plinth/plugin-admin";
import { signIn } from "./sign-in.js";
import { serveAdmin, type AdminApp, type Answered } from "./serve-admin.js";
import type { TestDatabase } from "../../databases.js";

const type = (singularName: string, attributes: object, more: Partial<RawContentType> = {}) => ({
  kind: "collectionType" as const,
  info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
  attributes: attributes as RawContentType["attributes"],
  ...more,
});

const LOCALIZED = { i18n: { localized: true } };
const DRAFTS = { draftAndPublish: true };

/** Every kind of attribute that leads somewhere, drafts, locales, a single type and a type that the page does not show. */
export const contentTypes = {
  "api::article.article": type(
    "article",
    {
      title: { type: "string", required: true, maxLength: 60, pluginOptions: LOCALIZED },
      slug: { type: "uid", targetField: "title", pluginOptions: LOCALIZED },
      code: { type: "string", unique: true },
      rank: { type: "integer" },
      body: { type: "richtext", pluginOptions: LOCALIZED },
      diary: { type: "string", private: true },
      pin: { type: "password" },
      author: { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" },
      tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag" },
      about: { type: "relation", relation: "morphToMany" },
      cover: { type: "media", allowedTypes: ["images"] },
      gallery: { type: "media", multiple: true },
      seo: { type: "component", component: "shared.seo" },
      steps: { type: "component", component: "shared.step", repeatable: true },
      sections: { type: "dynamiczone", components: ["shared.quote", "shared.step"] },
    },
    { options: DRAFTS, pluginOptions: LOCALIZED },
  ),
  "api::author.author": type("author", {
    name: { type: "string", required: true },
    email: { type: "email" },
    avatar: { type: "media" },
    articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
  }),
  "api::tag.tag": type("tag", { label: { type: "string" } }, { pluginOptions: { admin: { title: "label" } } }),
  "api::home.home": type("home", { heading: { type: "string" } }, { kind: "singleType", options: DRAFTS }),
  "api::vault.vault": type("vault", { secret: { type: "string" } }, { pluginOptions: { admin: { visible: false } } }),
};

export const components = {
  "shared.seo": {
    info: { displayName: "SEO" },
    attributes: { metaTitle: { type: "string" }, key: { type: "password" }, image: { type: "media" } },
  },
  "shared.step": {
    info: { displayName: "Step" },
    attributes: {
      text: { type: "string" },
      by: { type: "relation", relation: "oneToOne", target: "api::author.author" },
    },
  },
  "shared.quote": {
    info: { displayName: "Quote" },
    attributes: {
      words: { type: "string" },
      lock: { type: "password" },
      from: { type: "relation", relation: "oneToMany", target: "api::author.author" },
    },
  },
};

/** What the roles of the tests may do, beside those that are given. */
export const roles: Readonly<Record<string, Grant>> = {
  /** Sees only articles with a rank below 100 and not their diary, and no tags. */
  clerk: [
    ...["find", "update", "publish", "delete"].map((action) => ({
      action: `api::article.article.${action}`,
      where: { rank: { $lt: 100 } },
      ...(["find", "update"].includes(action) ? { fields: CLERK_FIELDS() } : {}),
    })),
    "api::article.article.findDrafts",
    "api::article.article.create",
    { action: "api::author.author.find", where: { name: { $ne: "Hidden" } } },
  ],
  /** Translates into French, and sees no other locale. */
  translator: [
    ...["find", "findDrafts", "update"].map((action) => ({
      action: `api::article.article.${action}`,
      where: { locale: { $in: ["fr"] } },
    })),
  ],
  reader: ["api::article.article.find", "api::article.article.findDrafts", "api::author.author.find"],
  nobody: [],
};

function CLERK_FIELDS() {
  return ["title", "slug", "rank", "body", "author", "about", "steps", "sections"];
}

/** The headers of a write that makes what is not there. */
export const NEW = { "if-none-match": "*" } as const;

/** What a request has beside its path. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running app with content, and roles to ask as. */
export interface ContentApp extends AdminApp {
  /** Sends a request of the page below `/admin/api`, by an administrator with a role; "" for nobody. */
  as(role: string, method: string, path: string, sent?: Sent): Promise<Answered>;
  /** Makes a document as super. @returns its documentId */
  create(path: string, data: object): Promise<string>;
  /** All rows of the content and of working copies, by table. */
  rows(): Promise<Readonly<Record<string, unknown>>>;
  /** The stages of creating tags that handlers were called in. */
  readonly tagWrites: readonly string[];
}

/** Serves the content; stopped after the suite. */
export function serveContent(database: TestDatabase): () => ContentApp {
  const tagWrites: string[] = [];
  const served = serveAdmin(database, {
    plugins: [contentApiPlugin, apiTokensPlugin, uploadPlugin, adminPlugin],
    pluginConfigs: { admin: { roles } },
    app: {
      contentTypes,
      components,
      register: ({ on }: RegisterContext<object>) => {
        on(transformOutput("api::tag.tag"), (tag) => ({ ...tag, label: String(tag["label"]).toUpperCase() }));
        for (const stage of ["before", "after", "on"] as const) {
          const note = ({ isTrial }: WriteEvent) => void tagWrites.push(isTrial ? `${stage}, tried` : stage);
          on(writeHooks.create[stage], note, { about: ["api::tag.tag"] });
        }
      },
    } as never,
    config: {
      server: { port: 0 },
      database: database.config(),
      log: { level: "silent" },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
    },
  });
  const as: ContentApp["as"] = async (role, method, path, { body, headers = {} } = {}) => {
    const signedIn = role === "" ? {} : await signIn(served().plinth.app, role);
    return await served().ask(method, `/admin/api${path}`, { ...signedIn, ...headers }, body);
  };
  const create: ContentApp["create"] = async (path, data) => {
    const { status, body, text } = await as("super", "POST", path, { body: { data } });
    if (status !== 201) throw new TypeError(`POST ${path} was answered ${status}: ${text}`);
    return String(body.data.documentId);
  };
  const rows = async () => {
    const { db, model } = served().plinth.app;
    const uids = [...Object.keys(contentTypes), "plugin::admin.working-copy"];
    const tables = uids.flatMap((uid) => model.contentTypes.get(uid)?.table ?? []);
    const found: Record<string, unknown> = {};
    for (const table of [...tables, "articles_links"])
      found[table] = await db.query({ text: `select * from "${table}" t order by t::text`, values: [] });
    return found;
  };
  return () => ({ ...served(), as, create, rows, tagWrites });
}
