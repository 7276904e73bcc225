import type { RawSchema, SchemaChange, SchemaView } from "../../../src/wire/builder.js";

/** An attribute as a schema file has it. */
export type RawAttribute = Readonly<Record<string, unknown>>;

/** Attributes by name, in the order of the file. */
export type Attributes = Readonly<Record<string, RawAttribute>>;

/** Schemas as they are, and what of them is to be otherwise. */
export interface Draft {
  readonly views: ReadonlyMap<string, SchemaView>;
  /** By uid. */
  readonly changes: Readonly<Record<string, SchemaChange>>;
}

/** A schema with what was changed of it. */
export interface DraftedShape extends Pick<SchemaView, "uid" | "shape" | "path" | "form" | "isChangeable" | "others"> {
  readonly schema: RawSchema;
  readonly state: "same" | "changed" | "new" | "removed";
}

/** All schemas in their order, new ones last. */
export function shapesOf(draft: Draft): readonly DraftedShape[] {
  const known = [...draft.views.keys()];
  const added = Object.keys(draft.changes).filter((uid) => !draft.views.has(uid));
  return [...known, ...added].flatMap((uid) => shapeOf(draft, uid) ?? []);
}

/** A schema by its uid; undefined where there is none. */
export function shapeOf({ views, changes }: Draft, uid: string): DraftedShape | undefined {
  const view = views.get(uid);
  const change = changes[uid];
  if (!view) return change?.schema ? newShape(change, change.schema) : undefined;
  if (!change) return { ...view, state: "same" };
  if (change.schema === null) return { ...view, state: "removed" };
  const schema = view.form === "addition" ? { ...view.schema, ...change.schema } : change.schema;
  return { ...view, schema, state: "changed" };
}

const newShape = ({ uid, shape }: SchemaChange, schema: RawSchema): DraftedShape => ({
  ...{ uid, shape, schema, path: null, form: "whole", isChangeable: true, others: {}, state: "new" },
});

/** The same schema, or none any more; what is as it was is no change. */
export function withSchema(draft: Draft, uid: string, schema: RawSchema | null): Draft {
  const view = draft.views.get(uid);
  const { [uid]: last, ...others } = draft.changes;
  if (view ? schema !== null && isSame(partOf(view, view.schema), partOf(view, schema)) : schema === null)
    return { ...draft, changes: others };
  const shape = view?.shape ?? last?.shape ?? "type";
  const written = schema === null || !view ? schema : partOf(view, schema);
  return {
    ...draft,
    changes: { ...draft.changes, [uid]: { uid, shape, base: last?.base ?? view?.base ?? null, schema: written } },
  };
}

/** Of a type of a plugin, a file of the app has nothing but attributes. */
function partOf({ form }: Pick<SchemaView, "form">, schema: RawSchema): RawSchema {
  return form === "addition" ? { attributes: schema["attributes"] ?? {} } : schema;
}

/** Adds a schema that is not there yet. */
export function withNew(draft: Draft, change: Omit<SchemaChange, "base">): Draft {
  return { ...draft, changes: { ...draft.changes, [change.uid]: { ...change, base: null } } };
}

/** Takes back what was changed of one schema. */
export function reverted(draft: Draft, uid: string): Draft {
  const { [uid]: _gone, ...changes } = draft.changes;
  return { ...draft, changes };
}

/** Attributes of a schema. */
export const attributesOf = ({ schema }: Pick<DraftedShape, "schema">): Attributes =>
  (schema["attributes"] ?? {}) as Attributes;

/** All attributes that a schema will have, those of others included. */
export const allAttributesOf = (shape: DraftedShape): Attributes => ({
  ...(shape.others as Attributes),
  ...attributesOf(shape),
});

/** Replaces the attributes of a schema. */
export function withAttributes(draft: Draft, uid: string, attributes: Attributes): Draft {
  const shape = shapeOf(draft, uid);
  return shape ? withSchema(draft, uid, setKey(shape.schema, "attributes", attributes)) : draft;
}

/** Sets one attribute, a new one as the last. */
export function withAttribute(draft: Draft, uid: string, name: string, attribute: RawAttribute): Draft {
  const shape = shapeOf(draft, uid);
  return shape ? withAttributes(draft, uid, { ...attributesOf(shape), [name]: attribute }) : draft;
}

/** Moves an attribute to another place. */
export function movedAttribute(draft: Draft, uid: string, from: number, to: number): Draft {
  const shape = shapeOf(draft, uid);
  if (!shape) return draft;
  const entries = moved(Object.entries(attributesOf(shape)), from, to);
  return withAttributes(draft, uid, Object.fromEntries(entries));
}

/** The same items, one of them elsewhere; as they are where that is no place. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  if (to < 0 || to >= items.length) return items;
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** The name that an attribute has in the file; undefined for a new one. */
export function storedName({ views }: Draft, uid: string, name: string, attribute: RawAttribute): string | undefined {
  const stored = (views.get(uid)?.schema["attributes"] ?? {}) as Attributes;
  if (Object.hasOwn(stored, name)) return name;
  const former = attribute["renamedFrom"];
  return typeof former === "string" && Object.hasOwn(stored, former) ? former : undefined;
}

/** An object with another value of a key; undefined removes it. The key keeps its place. */
export function setKey(object: RawSchema, key: string, value: unknown): RawSchema {
  if (value !== undefined) return { ...object, [key]: value };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The same at a path; objects that are empty then are removed. */
export function setAt(object: RawSchema, [key = "", ...rest]: readonly string[], value: unknown): RawSchema {
  if (rest.length === 0) return setKey(object, key, value);
  const inner = setAt(recordOf(object[key]), rest, value);
  return setKey(object, key, Object.keys(inner).length === 0 ? undefined : inner);
}

/** The value at a path. */
export function getAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => recordOf(value)[key], object);
}

/** An object; an empty one in place of anything else. */
export const recordOf = (value: unknown): RawSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RawSchema) : {};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Path of what a schema says to the page. */
export const PAGE = ["pluginOptions", "admin"] as const;

/** What people call a schema. */
export function labelOf({ uid, schema }: Pick<DraftedShape, "uid" | "schema">): string {
  const name = recordOf(schema["info"])["displayName"];
  return typeof name === "string" && name !== "" ? name : (uid.split(/[.:]+/).at(-1) ?? uid);
}
