import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AppSetup, Plugin } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import type { BuilderPlan, BuilderView, SchemaChange, SchemaView } from "#plugins/admin/src/wire/builder.js";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { type Developed, developInProcess } from "../../develop-in-process.js";
import { writeProject } from "../../projects.js";
import { type Answered, requestJson } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

/** Where the schema of books is. */
export const BOOK = "src/api/book/content-types/book/schema.json";
/** Where the schema of writers is. */
export const WRITER = "src/api/writer/content-types/writer/schema.json";
const PART = "src/components/shared/part.json";

const BOOK_TEXT = `{
  "kind": "collectionType",
  "collectionName": "books",
  "info": { "singularName": "book", "pluralName": "books", "displayName": "Book" },
  "x-owner": { "team": "red" },
  "attributes": {
    "title": { "type": "string", "required": true, "pluginOptions": { "shop": { "shelf": 3 } } },
    "pages": { "type": "integer" },
    "writer": { "type": "relation", "relation": "manyToOne", "target": "api::writer.writer", "inversedBy": "books" },
    "parts": { "type": "component", "component": "shared.part", "repeatable": true }
  }
}
`;

const WRITER_TEXT = `{
  "kind": "collectionType",
  "info": { "singularName": "writer", "pluralName": "writers", "displayName": "Writer" },
  "attributes": {
    "name": { "type": "string" },
    "books": { "type": "relation", "relation": "oneToMany", "target": "api::book.book", "mappedBy": "writer" }
  }
}
`;

const PART_TEXT = `{ "info": { "displayName": "Part" }, "attributes": { "heading": { "type": "string" }, "count": { "type": "integer" } } }`;

/** It does not start with an attribute "forbidden" of books. */
const INDEX = `export default {
  bootstrap({ app }) {
    if (app.model.contentTypes.get("api::book.book")?.attributes.has("forbidden")) throw new Error("no such thing here");
  },
};`;

/** The plugins of the app. */
export const plugins = [contentApiPlugin, apiTokensPlugin, adminPlugin];

/** A project of books, writers and parts in files. */
export const writeBooks = (): string =>
  writeProject({ [BOOK]: BOOK_TEXT, [WRITER]: WRITER_TEXT, [PART]: PART_TEXT, "src/index.ts": INDEX });

/** What a project's attributes are by name. */
export type Attributes = Record<string, Record<string, unknown>>;

/** A project that is developed, and changed by its page. */
export interface BuilderApp extends Developed {
  readonly root: string;
  /** Text of a file. */
  text(path: string): string;
  /** Writes a file as an editor does. */
  write(path: string, text: string): void;
  ask(method: string, path: string, body?: unknown, role?: string): Promise<Answered>;
  view(uid: string): Promise<SchemaView>;
  /** A change of the attributes of a schema. */
  change(uid: string, edit: (attributes: Attributes) => Attributes | undefined): Promise<SchemaChange>;
  plan(...changes: readonly SchemaChange[]): Promise<BuilderPlan>;
  /** Applies what was planned, and waits until it serves. @returns the answer of the change then */
  apply(changes: readonly SchemaChange[], names?: Readonly<Record<string, string>>): Promise<Answered["body"]>;
}

/** Serves it. @param more - plugins beside those of the app. */
export async function developBooks(config: AppSetup["config"] = {}, more: readonly Plugin[] = []): Promise<BuilderApp> {
  const root = writeBooks();
  const developed = await developInProcess(root, {
    plugins: [...plugins, ...more],
    pluginConfigs: { "api-tokens": { loginLimit: 1000 } },
    config,
  });
  const ask = async (method: string, path: string, body?: unknown, role = "super") => {
    const headers = await signIn(developed.app(), role);
    const send = () => requestJson(`${developed.url}/admin/api/builder${path}`, method, headers, body);
    // A connection that was kept open may be that of the version before, which has ended.
    return await send().catch((error: unknown) => {
      if (error instanceof TypeError && path !== "/apply") return send();
      throw error;
    });
  };
  const view = async (uid: string) => {
    const { shapes } = (await ask("GET", "")).body as BuilderView;
    const found = shapes.find((shape) => shape.uid === uid);
    if (!found) throw new TypeError(`There is no ${uid}.`);
    return found;
  };
  const plan = async (...changes: readonly SchemaChange[]) => {
    const { status, body, text } = await ask("POST", "/plan", { changes });
    if (status !== 200) throw new TypeError(text);
    return body as BuilderPlan;
  };
  return {
    ...developed,
    ...{ root, ask, view, plan },
    text: (path) => readFileSync(join(root, path), "utf8"),
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    change: async (uid, edit) => {
      const { shape, base, schema } = await view(uid);
      const attributes = structuredClone(schema["attributes"] ?? {}) as Attributes;
      return { uid, shape, base, schema: { ...schema, attributes: edit(attributes) ?? attributes } };
    },
    apply: async (changes, names = {}) => {
      const { hash } = await plan(...changes);
      const { status, text } = await ask("POST", "/apply", { changes, hash, names });
      if (status !== 202) throw new TypeError(text);
      await developed.settled();
      return (await ask("GET", "/change")).body.change;
    },
  };
}
