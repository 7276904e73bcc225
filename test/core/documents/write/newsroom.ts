import { createPasswords } from "#core/access/passwords/passwords.js";
import type { Database } from "#core/database/driver/database.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import type { Document } from "#core/documents/documents.js";
import { documentHooks } from "#core/documents/hooks.js";
import { createDocuments } from "#core/documents/service.js";
import type { DocumentsOf } from "#core/documents/typed/typed-documents.js";
import { HookBus } from "#core/kernel/hook-bus.js";
import { buildModel } from "#core/schema/build-model.js";
import type { ContentModel } from "#core/schema/model.js";
import type { RawAttribute, RawContentType } from "#core/schema/raw.js";
import { CHEAP_ROUNDS } from "../../../projects.js";

const DRAFTS = { options: { draftAndPublish: true } };
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

/** A relation of a schema file. */
const to = (relation: string, name: string, sides: RawAttribute = {}): RawAttribute => ({
  type: "relation",
  relation,
  target: uid(name),
  ...sides,
});

/** The uid of a content-type of these tests. */
export const uid = (name: string): string => `api::${name}.${name}`;

const type = (
  name: string,
  attributes: RawContentType["attributes"],
  more: Partial<RawContentType> = {},
): RawContentType => ({
  uid: uid(name),
  info: { singularName: name, pluralName: `${name}s` },
  attributes: attributes ?? {},
  ...more,
});

/** The content-types that writes are tested on: every storage of a relation, with and without drafts and locales. */
const CONTENT_TYPES: readonly RawContentType[] = [
  type(
    "article",
    {
      title: { type: "string", required: true },
      slug: { type: "uid" },
      code: { type: "string", unique: true },
      views: { type: "integer", default: 0 },
      author: to("manyToOne", "author", { inversedBy: "articles" }),
      tags: to("manyToMany", "tag", { inversedBy: "articles" }),
      related: to("oneToMany", "article"),
      badge: to("oneToOne", "badge", { inversedBy: "holder" }),
      editor: to("manyToOne", "editor", { inversedBy: "articles" }),
      topics: to("manyToMany", "topic", { inversedBy: "articles" }),
      subject: { type: "relation", relation: "morphToOne" },
      mentions: { type: "relation", relation: "morphToMany" },
      seo: { type: "component", component: "shared.seo" },
      links: { type: "component", component: "shared.link", repeatable: true },
      sections: { type: "dynamiczone", components: ["sections.quote", "sections.list"] },
      cover: { type: "media" },
    },
    DRAFTS,
  ),
  type("author", {
    name: { type: "string", required: true, unique: true },
    articles: to("oneToMany", "article", { mappedBy: "author" }),
  }),
  type("tag", {
    name: { type: "string" },
    articles: to("manyToMany", "article", { mappedBy: "tags" }),
    parent: to("manyToOne", "tag", { inversedBy: "children" }),
    children: to("oneToMany", "tag", { mappedBy: "parent" }),
  }),
  type("badge", {
    name: { type: "string" },
    holder: to("oneToOne", "article", { mappedBy: "badge" }),
    subjectOf: to("morphMany", "article", { morphBy: "subject" }),
    mentionedIn: to("morphMany", "article", { morphBy: "mentions" }),
  }),
  type(
    "editor",
    {
      name: { type: "string" },
      articles: to("oneToMany", "article", { mappedBy: "editor" }),
      pages: to("oneToMany", "page", { mappedBy: "editor" }),
    },
    DRAFTS,
  ),
  type("topic", { name: { type: "string" }, articles: to("manyToMany", "article", { mappedBy: "topics" }) }, DRAFTS),
  type(
    "page",
    {
      title: { type: "string", required: true, ...LOCALIZED },
      tone: { type: "string", default: "plain", ...LOCALIZED },
      views: { type: "integer", default: 0 },
      key: { type: "string", unique: true },
      seo: { type: "component", component: "shared.seo" },
      tags: to("manyToMany", "tag"),
      editor: to("manyToOne", "editor", { inversedBy: "pages" }),
    },
    { ...DRAFTS, ...LOCALIZED },
  ),
  type("setting", { name: { type: "string" } }, { kind: "singleType" }),
  type(
    "person",
    { name: { type: "string" }, email: { type: "email" }, salary: { type: "integer", private: true } },
    { authors: { fields: ["name", "email"] } },
  ),
];

const COMPONENTS = [
  {
    uid: "shared.seo",
    attributes: {
      title: { type: "string", required: true, maxLength: 60 },
      text: { type: "text" },
      meta: { type: "component", component: "shared.meta", repeatable: true },
    },
  },
  { uid: "shared.meta", attributes: { property: { type: "string", unique: true }, content: { type: "string" } } },
  {
    uid: "shared.link",
    attributes: {
      label: { type: "string" },
      url: { type: "string" },
      tag: to("oneToOne", "tag"),
      tags: to("oneToMany", "tag"),
    },
  },
  { uid: "sections.quote", attributes: { text: { type: "text", required: true }, author: to("oneToOne", "author") } },
  {
    uid: "sections.list",
    attributes: { title: { type: "string" }, items: { type: "component", component: "shared.link", repeatable: true } },
  },
];

/** The model of these tests; locales en (default) and fr. */
export const newsroomModel: ContentModel = buildModel({
  contentTypes: CONTENT_TYPES,
  components: COMPONENTS,
  locales: ["en", "fr"],
});

/** An empty newsroom. */
export interface Newsroom {
  readonly db: Database;
  readonly documents: DocumentsOf;
}

/** Brings a database to the model and opens its documents. @param listen - adds handlers before the hooks are sealed. */
export async function openNewsroom(
  db: Database,
  listen: (hooks: HookBus) => void = () => undefined,
  model: ContentModel = newsroomModel,
): Promise<Newsroom> {
  const layout = await syncDatabase(db, model);
  const hooks = new HookBus((error) => {
    throw error;
  });
  for (const target of documentHooks(model.contentTypes.keys())) hooks.declare(target, "documents");
  listen(hooks);
  hooks.seal();
  return {
    db,
    documents: createDocuments({
      db,
      layout,
      hooks,
      hashPassword: createPasswords(1, CHEAP_ROUNDS).hash,
      isNamed: () => false,
    }),
  };
}

/** Runs what is going to fail and gives back what it threw, as clients see it. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ status: number; name: string; message: string; details: unknown }> {
  try {
    await work;
  } catch (error) {
    const { status, wireName, message, details } = error as {
      status: number;
      wireName: string;
      message: string;
      details: unknown;
    };
    if (status === undefined) throw error;
    return { status, name: wireName, message, details: JSON.parse(JSON.stringify(details)) };
  }
  throw new Error("This write was meant to be refused.");
}

/** A populated list of a document: `[{ id, documentId, ... }]`; empty without the document. */
export function listOf(document: Document | null | undefined, field: string): readonly Document[] {
  const value = document?.[field];
  return Array.isArray(value) ? (value as Document[]) : [];
}

/** The texts of one field of a populated list, one after the other: `ab`. */
export function textOf(document: Document | null | undefined, field: string, name = "name"): string {
  return listOf(document, field)
    .map((item) => item[name])
    .join("");
}
