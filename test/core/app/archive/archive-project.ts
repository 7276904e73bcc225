import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createPlinth, loadProject, type OnConflict, type PlinthApp } from "@plinth/core";
import { pino } from "pino";
import { checkArchive } from "#core/app/archive/check-archive.js";
import { importArchive } from "#core/app/archive/import-archive.js";
import type { ImportedType } from "#core/app/archive/import-options.js";
import { withArchive } from "#core/app/archive/open-archive.js";
import { READ_LIMITS, type ReadLimits } from "#core/app/archive/read-guard.js";
import { declareProject } from "#core/cli/inspect.js";
import { codeFormOf, loadSetup } from "#core/cli/load-setup.js";
import type { TestDatabase } from "../../../databases.js";
import { writeProject } from "../../../projects.js";

const SECRET = "signs what a test needs to have signed";
const schema = (name: string, attributes: object, isLocalized = false) =>
  JSON.stringify({
    kind: "collectionType",
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: isLocalized },
    pluginOptions: { i18n: { localized: isLocalized } },
    attributes,
  });

const article = {
  title: { type: "string", required: true, pluginOptions: { i18n: { localized: true } } },
  slug: { type: "uid", targetField: "title" },
  views: { type: "biginteger" },
  price: { type: "decimal" },
  rating: { type: "float" },
  day: { type: "date" },
  at: { type: "datetime" },
  extra: { type: "json" },
  key: { type: "password" },
  cover: { type: "media", multiple: false },
  pictures: { type: "media", multiple: true },
  seo: { type: "component", component: "shared.seo", repeatable: true },
  zone: { type: "dynamiczone", components: ["shared.seo"] },
  tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag", inversedBy: "articles" },
  main: { type: "relation", relation: "manyToOne", target: "api::tag.tag", inversedBy: "leads" },
};
const tag = {
  name: { type: "string", unique: true },
  articles: { type: "relation", relation: "manyToMany", target: "api::article.article", mappedBy: "tags" },
  leads: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "main" },
};
const seo = {
  collectionName: "seos",
  info: { displayName: "SEO" },
  attributes: {
    words: { type: "string" },
    image: { type: "media", multiple: false },
    about: { type: "relation", relation: "oneToOne", target: "api::tag.tag" },
  },
};

/** A project of two types with everything that an archive carries; its database outlives its runs. */
export function archiveProject(without: readonly string[] = [], database?: TestDatabase): string {
  const attributes = Object.fromEntries(Object.entries(article).filter(([name]) => !without.includes(name)));
  return writeProject({
    "config/plugins.json": JSON.stringify({
      "content-api": { resolve: "@plinth/plugin-content-api" },
      "api-tokens": { resolve: "@plinth/plugin-api-tokens", config: { salt: SECRET, adminSecret: SECRET } },
      upload: { resolve: "@plinth/plugin-upload" },
      i18n: { resolve: "@plinth/plugin-i18n" },
      "users-permissions": { resolve: "@plinth/plugin-users-permissions", config: { jwtSecret: SECRET } },
    }),
    "config/database.json": JSON.stringify(database?.config() ?? { client: "pglite", directory: ".plinth/data" }),
    "config/log.json": JSON.stringify({ level: "silent" }),
    "config/permissions.json": JSON.stringify({
      public: ["api::article.article.find", "api::article.article.findDrafts", "api::tag.tag.find"],
    }),
    "src/components/shared/seo.json": JSON.stringify(seo),
    "src/api/article/content-types/article/schema.json": schema("article", attributes, true),
    "src/api/tag/content-types/tag/schema.json": schema("tag", tag),
  });
}

/** Serves a project for the time of some work. */
export async function whileServed<T>(root: string, work: (plinth: PlinthApp, url: string) => Promise<T>): Promise<T> {
  const setup = await loadProject({ root, code: root }, { variables: {}, environment: "test" });
  const config = { ...setup.config, server: { host: "127.0.0.1", port: 0 } };
  const plinth = createPlinth({ ...setup, config, log: pino({ level: "silent" }) });
  const url = await plinth.start();
  try {
    return await work(plinth, url ?? "");
  } finally {
    await plinth.stop();
  }
}

/** A picture of one point. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Writes drafts, published versions, two locales, components, relations, files, a role and a user. */
export async function fill({ app }: PlinthApp): Promise<void> {
  await app.service("plugin::i18n.locales").create({ code: "fr", name: "Français" });
  const picture = join(mkdtempSync(join(tmpdir(), "plinth-picture-")), "dot.png");
  writeFileSync(picture, PIXEL);
  const file = await app.service("plugin::upload.files").add(picture, { alternativeText: "A dot" });
  const tags = app.documents("api::tag.tag");
  const [one, two] = [await tags.create({ data: { name: "one" } }), await tags.create({ data: { name: "two" } })];
  const articles = app.documents("api::article.article");
  const data = {
    ...{ title: "First\u2028line", views: "9007199254740993", price: 10.25, rating: 0.1, day: "2026-01-31" },
    ...{ at: "2026-01-31T12:00:00.123Z", extra: { b: [1, null], a: "ü" }, key: "a secret of an article" },
    ...{ cover: file.id, pictures: [file.id], main: one.documentId, tags: [two.documentId, one.documentId] },
    seo: [{ words: "inner", image: file.id, about: two.documentId }],
    zone: [{ __component: "shared.seo", words: "zone" }],
  };
  const { documentId } = await articles.create({ data, status: "published" });
  await articles.update({ documentId, data: { title: "First, changed" } });
  await articles.create({ documentId, locale: "fr", data: { title: "Première" } } as never);
  await articles.create({ data: { title: "Only a draft" } });
  const roles = app.documents("plugin::users-permissions.role");
  const editor = await roles.create({ data: { name: "Editor", type: "editor", description: "Edits" } });
  const permissions = app.documents("plugin::users-permissions.permission");
  await permissions.create({ data: { action: "api::tag.tag.create", role: editor.documentId } });
  await app.documents("plugin::users-permissions.user").create({
    data: {
      username: "ada",
      email: "ada@example.com",
      password: "long enough",
      confirmed: true,
      role: editor.documentId,
    },
  });
}

/** All stored versions of what archives carry, by type, without their row ids. */
export async function storedVersions({ app }: PlinthApp): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const { uid } of app.model.contentTypes.values()) {
    if (uid.endsWith(".session")) continue;
    const versions = await app.loader.read(uid, { after: 0, limit: 100_000 });
    found[uid] = versions.map(({ text }) => JSON.stringify({ ...JSON.parse(text), id: 0 })).sort();
  }
  return found;
}

/** sha256 of what is stored, and of what REST shows of it. */
export async function contentHash(plinth: PlinthApp, url: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(await storedVersions(plinth)));
  for (const path of [
    "articles?populate=*",
    "articles?populate=*&status=draft",
    "articles?locale=fr&status=draft",
    "tags",
  ]) {
    const answer = await fetch(`${url}/api/${path}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    hash.update(await answer.text());
  }
  return hash.digest("hex");
}

/** Imports into a project in this process. */
export async function importHere(
  root: string,
  source: string,
  onConflict: OnConflict = "skip",
  fewer: Partial<ReadLimits> = {},
): Promise<readonly ImportedType[]> {
  const project = declareProject(await loadSetup(root, codeFormOf(root), { ...process.env }));
  const limits = { ...READ_LIMITS, ...fewer };
  return withArchive({ source, input: process.stdin, limits }, async (archive) => {
    const checked = await checkArchive(archive, project.model);
    return project.withApp((app) => importArchive(app, checked, { onConflict, isDryRun: false, say: () => undefined }));
  });
}

/** The parts of an archive, read by nothing but the format of tar. */
export function partsOf(archive: Buffer): Map<string, Buffer> {
  const tar = gunzipSync(archive);
  const parts = new Map<string, Buffer>();
  for (let at = 0; tar[at]; ) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*/s, "");
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    parts.set(name, tar.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return parts;
}

/** Writes parts to a new folder. */
export function writeParts(parts: ReadonlyMap<string, Buffer | string>): string {
  const folder = mkdtempSync(join(tmpdir(), "plinth-parts-"));
  for (const [name, content] of parts) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
