import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPasswords } from "#core/access/passwords/passwords.js";
import { isPlinthError } from "#core/base/error.js";
import { parseInput } from "#core/documents/input/parse-input.js";
import type { InputOptions } from "#core/documents/input/parse-input.js";
import type { WriteInput } from "#core/documents/input.js";
import { buildModel } from "#core/schema/build-model.js";
import type { ContentModel, ContentType } from "#core/schema/model.js";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";

const CORPUS = fileURLToPath(new URL("../../../apps/corpus/src", import.meta.url));

/** The content model of the corpus app: articles (localised, with drafts), authors, categories, global, homepage. */
export const corpus = buildModel({ contentTypes: readTypes(), components: readComponents(), locales: ["fr"] });

/** A model with what the corpus app lacks: every rule that a schema can have. */
export const rules = buildModel({
  contentTypes: [
    {
      uid: "api::page.page",
      kind: "collectionType",
      collectionName: "pages",
      info: { singularName: "page", pluralName: "pages", displayName: "Page" },
      options: { draftAndPublish: true },
      attributes: pageAttributes(),
    },
    {
      uid: "api::leaf.leaf",
      kind: "collectionType",
      collectionName: "leaves",
      info: { singularName: "leaf", pluralName: "leaves", displayName: "Leaf" },
      options: { draftAndPublish: false },
      attributes: pageAttributes(),
    },
  ],
  components: [
    {
      uid: "part.box",
      info: { displayName: "Box" },
      attributes: {
        label: { type: "string", required: true },
        size: { type: "integer", default: 3 },
        key: { type: "password" },
        locked: { type: "string", writable: false },
        inner: { type: "component", component: "part.lid" },
      },
    },
    { uid: "part.lid", info: { displayName: "Lid" }, attributes: { color: { type: "string", required: true } } },
  ],
});

const { hash: hashPassword } = createPasswords(1);

/** What `parseInput` makes of a body for a type, by its uid. */
export function parse(
  model: ContentModel,
  uid: string,
  data: unknown,
  options: Partial<InputOptions> = {},
): Promise<WriteInput> {
  const all = { mode: "create", visibility: "public", hashPassword, ...options } as const;
  return parseInput(model, typeOf(model, uid), data, all);
}

/** The answer that a refused body gets; fails when the body is accepted. */
export async function refusal(
  model: ContentModel,
  uid: string,
  data: unknown,
  options: Partial<InputOptions> = {},
): Promise<unknown> {
  try {
    await parse(model, uid, data, options);
  } catch (error) {
    if (!isPlinthError(error)) throw error;
    const { status, name, message, details } = error.toJSON();
    return JSON.parse(JSON.stringify({ status, name, message, details }));
  }
  throw new Error(`${uid} accepted ${JSON.stringify(data)}`);
}

/** The answer for refused values: the only problem's message, or their number. */
export function invalid(
  ...problems: readonly { readonly path: readonly string[]; readonly message: string; readonly value?: unknown }[]
): object {
  const errors = problems.map(({ path, message, ...rest }) => ({ path, message, name: "ValidationError", ...rest }));
  const message = errors.length === 1 ? errors[0]?.message : `${errors.length} errors occurred`;
  return { status: 400, name: "ValidationError", message, details: { errors } };
}

export function typeOf(model: ContentModel, uid: string): ContentType {
  const type = model.contentTypes.get(uid);
  if (!type) throw new Error(`no content-type ${uid}`);
  return type;
}

function pageAttributes(): NonNullable<RawContentType["attributes"]> {
  return {
    title: { type: "string", required: true, minLength: 2, maxLength: 10, default: "Untitled" },
    code: { type: "string", required: true, regex: "^[A-Z]+$" },
    slug: { type: "uid", targetField: "title", autoGenerate: true },
    rank: { type: "integer", min: 1, max: 5 },
    day: { type: "date", required: true },
    secret: { type: "password", minLength: 3, maxLength: 20 },
    locked: { type: "string", writable: false },
    subject: { type: "relation", relation: "morphToOne" },
    subjects: { type: "relation", relation: "morphToMany" },
    box: { type: "component", component: "part.box", required: true },
    boxes: { type: "component", component: "part.box", repeatable: true, required: true, min: 1, max: 2 },
    zone: { type: "dynamiczone", components: ["part.box", "part.lid"], min: 2 },
  };
}

function readTypes(): RawContentType[] {
  return readdirSync(join(CORPUS, "api")).map((name) => ({
    uid: `api::${name}.${name}`,
    ...readJson(join(CORPUS, "api", name, "content-types", name, "schema.json")),
  }));
}

function readComponents(): RawComponent[] {
  return readdirSync(join(CORPUS, "components")).flatMap((category) =>
    readdirSync(join(CORPUS, "components", category)).map((file) => ({
      uid: `${category}.${file.replace(".json", "")}`,
      ...readJson(join(CORPUS, "components", category, file)),
    })),
  );
}

function readJson(file: string): object {
  return JSON.parse(readFileSync(file, "utf8")) as object;
}
