import type { App, ContentTypeUid, Document, InputOf } from "@plinth/core";
import type {} from "@plinth/plugin-upload";
import { FixtureCycleError, FixtureDuplicateError, FixtureUnknownError, PluginNeededError } from "./errors.js";

/** Refers to another fixture in the data of one; JSON files write it as it is: `{ "$fixture": "ada" }`. */
export interface FixtureRef {
  readonly $fixture: string;
}

/** Another fixture by its name, wherever data name a document or a file. */
export function ref(name: string): FixtureRef {
  return { $fixture: name };
}

/** Values, with refs in place of documents. */
type WithRefs<Value> =
  | Value
  | FixtureRef
  | (Value extends readonly (infer Item)[] ? readonly WithRefs<Item>[] : never)
  | (Value extends object ? { readonly [Key in keyof Value]: WithRefs<Value[Key]> } : never);

/** How a document of a fixture is made, beside its data. */
interface FixtureOptions {
  /** `published` publishes it, which only types with drafts know. Default: `draft`. */
  readonly $status?: "draft" | "published";
  readonly $locale?: string;
}

/** Uid of the files that the upload plugin keeps. */
const FILE_TYPE = "plugin::upload.file";

/** The data of one document. */
export type Fixture<Uid extends string = string> = FixtureOptions &
  (Uid extends ContentTypeUid
    ? { readonly [Name in keyof InputOf<Uid>]: WithRefs<InputOf<Uid>[Name]> }
    : Readonly<Record<string, unknown>>);

/** A file of this machine that is kept as an upload is: `{ path: "test/files/logo.png", caption: "Ours" }`. */
export interface FileFixture {
  /** Absolute, or from the working directory. */
  readonly path: string;
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
}

/** Documents by content-type and by a name of the test's own, which is unique among all of them. */
export type Fixtures = {
  readonly [Uid in Exclude<ContentTypeUid, typeof FILE_TYPE>]?: Readonly<Record<string, Fixture<Uid>>>;
} & { readonly [FILE_TYPE]?: Readonly<Record<string, FileFixture>> } & Readonly<
    Record<string, Readonly<Record<string, object>>>
  >;

/** What was made, by name. */
export type Loaded<F> = {
  readonly [Name in { [Uid in keyof F]: keyof F[Uid] }[keyof F] & string]: Document;
};

interface Entry {
  readonly uid: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Makes documents, those that others name before those, in any written order.
 *
 * @returns the documents by name; of those that were published, the published versions.
 * @throws PLINTH_TESTKIT_FIXTURE_DUPLICATE, PLINTH_TESTKIT_FIXTURE_UNKNOWN, PLINTH_TESTKIT_FIXTURE_CYCLE, all of them
 * before anything is made; PLINTH_INPUT_* for data that a type does not take
 */
export async function loadFixtures<const F extends Fixtures>(app: App, fixtures: F): Promise<Loaded<F>> {
  const entries = entriesOf(fixtures);
  const made = new Map<string, Document>();
  for (const name of orderOf(entries)) made.set(name, await make(app, entries.get(name) as Entry, made));
  return Object.fromEntries(made) as Loaded<F>;
}

function entriesOf(fixtures: Fixtures): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [uid, named] of Object.entries(fixtures))
    for (const [name, data] of Object.entries(named ?? {})) {
      const other = entries.get(name);
      if (other) throw new FixtureDuplicateError({ name, uids: [other.uid, uid] });
      entries.set(name, { uid, data: data as Entry["data"] });
    }
  return entries;
}

function orderOf(entries: ReadonlyMap<string, Entry>): readonly string[] {
  const ordered = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (ordered.has(name)) return;
    if (path.includes(name)) throw new FixtureCycleError({ path: [...path.slice(path.indexOf(name)), name] });
    const entry = entries.get(name);
    if (!entry) throw new FixtureUnknownError({ name, in: path.at(-1) ?? "", known: [...entries.keys()] });
    for (const wanted of refsIn(entry.data)) visit(wanted, [...path, name]);
    ordered.add(name);
  };
  for (const name of entries.keys()) visit(name, []);
  return [...ordered];
}

function isRef(value: unknown): value is FixtureRef {
  return typeof value === "object" && value !== null && typeof (value as FixtureRef).$fixture === "string";
}

function refsIn(value: unknown): readonly string[] {
  if (isRef(value)) return [value.$fixture];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refsIn) : [];
}

async function make(app: App, { uid, data }: Entry, made: ReadonlyMap<string, Document>): Promise<Document> {
  if (uid === FILE_TYPE) return await keepFile(app, data as unknown as FileFixture);
  const { $status: status, $locale: locale, ...values } = data as FixtureOptions;
  return await app.documents(uid).create({
    data: resolve(values, made) as Record<string, unknown>,
    ...(status === undefined ? {} : { status }),
    ...(locale === undefined ? {} : { locale }),
  });
}

async function keepFile(app: App, { path, ...info }: FileFixture): Promise<Document> {
  if (!app.has("upload")) throw new PluginNeededError({ plugin: "upload", wanted: "A file" });
  return await app.service("plugin::upload.files").add(path, info);
}

/** The data with documents in place of refs; what is neither list nor plain object, such as a date, stays as it is. */
function resolve(value: unknown, made: ReadonlyMap<string, Document>): unknown {
  if (isRef(value)) return targetOf(made.get(value.$fixture) as Document);
  if (Array.isArray(value)) return value.map((item) => resolve(item, made));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner, made)]));
}

/** Files are named by their row id. */
const targetOf = (document: Document): string | number => ("mime" in document ? document.id : document.documentId);
