import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { App } from "@plinth/core";
import type { RawAttribute } from "@plinth/core/schema";
import type { RawSchema, SchemaView } from "../wire/builder.js";

/** A content-type or component as the app runs with it, and its file. */
export interface SchemaFile {
  readonly uid: string;
  readonly shape: "type" | "component";
  /** From the folder of the project, with slashes; null: code declares it. */
  readonly path: string | null;
  readonly form: SchemaView["form"];
  /** What the file holds; null: there is no file. */
  readonly text: string | null;
  /** The same as data; undefined: it is not a JSON object. */
  readonly own: RawSchema | undefined;
  /** All of it, with what plugins added. */
  readonly running: RunningSchema;
}

/** A schema with what plugins added to it. */
export interface RunningSchema extends RawSchema {
  readonly attributes?: Readonly<Record<string, RawAttribute>>;
}

/** Every content-type and component of an app, with its file as it is now. */
export async function readSchemaFiles(app: App): Promise<readonly SchemaFile[]> {
  const types = app.registry("content-type").entries();
  const components = app.registry("component").entries();
  return await Promise.all([
    ...types.map(([uid, raw]) => readSchemaFile(app.root, { uid, shape: "type" }, raw as RawSchema)),
    ...components.map(([uid, raw]) => readSchemaFile(app.root, { uid, shape: "component" }, raw as RawSchema)),
  ]);
}

type Named = Pick<SchemaFile, "uid" | "shape">;

async function readSchemaFile(root: string, named: Named, raw: RawSchema): Promise<SchemaFile> {
  const { uid: _uid, file, ...running } = raw;
  const place = placeOf(root, named, file);
  const text = place.path === null ? null : await textOf(join(root, place.path));
  const empty = place.form === "addition" ? { attributes: {} } : undefined;
  return { ...named, ...place, text, own: text === null ? empty : parse(text), running: running as RunningSchema };
}

function placeOf(root: string, { uid, shape }: Named, file: unknown): Pick<SchemaFile, "path" | "form"> {
  if (typeof file === "string") {
    const path = relative(root, file);
    return path.startsWith("..") || isAbsolute(path)
      ? { path: null, form: null }
      : { path: path.split(sep).join("/"), form: "whole" };
  }
  const [, plugin, name] = /^plugin::([\w-]+)\.([\w-]+)$/.exec(uid) ?? [];
  if (shape === "component" || plugin === undefined) return { path: null, form: null };
  return { path: `src/extensions/${plugin}/content-types/${name}/schema.json`, form: "addition" };
}

/** The text of a file; null where there is none. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** A file that somebody is writing by hand may be no JSON; the app runs with what it held before. */
function parse(text: string): RawSchema | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RawSchema) : undefined;
  } catch {
    return undefined;
  }
}

const HASH_LENGTH = 22;

/** A short name for a text. */
export const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);

/** The name of a file's text; null where there is no file. */
export const baseOf = ({ text }: Pick<SchemaFile, "text">): string | null => (text === null ? null : hashOf(text));

/** Attributes of a running schema that are not in its file. */
export function othersOf({ own, running }: SchemaFile): Readonly<Record<string, RawAttribute>> {
  const written = (own?.["attributes"] ?? {}) as object;
  return Object.fromEntries(Object.entries(running.attributes ?? {}).filter(([name]) => !Object.hasOwn(written, name)));
}

/** A schema as the page shows it. */
export function viewOf(file: SchemaFile, canChange: boolean): SchemaView {
  const { uid, shape, path, form, own, running } = file;
  const isChangeable = canChange && path !== null && own !== undefined;
  const isWritten = path !== null && own !== undefined;
  return {
    ...{ uid, shape, path, form, isChangeable },
    base: baseOf(file),
    schema: form === "addition" ? { ...running, attributes: own?.["attributes"] ?? {} } : isWritten ? own : running,
    others: isWritten ? othersOf(file) : {},
  };
}
