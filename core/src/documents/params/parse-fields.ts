import { findField } from "../../schema/find-field.js";
import {
  invalidForm,
  invalidKey,
  isReadable,
  isScalar,
  lookUp,
  type ParseContext,
  type ReadShape,
} from "./parse-context.js";

/**
 * Turns `fields` into the names to return, in the order of the schema: `id` and `documentId` always, then what was
 * asked for, by default every readable scalar and system field.
 *
 * @param input - `"title,views"`, `["title", "views"]`, `"*"`; undefined and an empty list mean all.
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE (400)
 * @source plugins/content-api/WIRE.md#fields
 */
export function parseFields(reading: ParseContext, shape: ReadShape, input: unknown): readonly string[] {
  const all = readableFields(shape, reading.withPrivate);
  if (input === undefined || input === null) return all;
  const names = namesOf(input);
  for (const name of names) if (name !== "*") assertField(reading, shape, name);
  if (names.length === 0 || names.includes("*")) return all;
  const asked = new Set(names);
  return all.filter((name) => name === "id" || name === "documentId" || asked.has(name));
}

function namesOf(input: unknown): readonly string[] {
  const items = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  return items.flatMap((item) => {
    if (typeof item !== "string") throw invalidForm("fields");
    return item.split(",").map((name) => name.trim());
  });
}

function assertField(reading: ParseContext, shape: ReadShape, name: string): void {
  if (!isScalar(lookUp(reading, shape, name, []))) throw invalidKey(reading, name, [name]);
}

const cache = new WeakMap<ReadShape, Map<boolean, readonly string[]>>();

/** Every name that a selection of a shape may hold, in output order. Worked out once per shape. */
function readableFields(shape: ReadShape, withPrivate: boolean): readonly string[] {
  const known = cache.get(shape) ?? new Map<boolean, readonly string[]>();
  cache.set(shape, known);
  const names = known.get(withPrivate) ?? Object.freeze(listFields(shape, withPrivate));
  known.set(withPrivate, names);
  return names;
}

function listFields(shape: ReadShape, withPrivate: boolean): string[] {
  const system = shape.shape === "content-type" ? [...shape.systemFields.keys()] : [];
  const attributes = [...shape.attributes.keys()].filter((name) => {
    const field = findField(shape, name);
    return field !== undefined && isScalar(field) && isReadable(field, withPrivate);
  });
  const first = shape.shape === "content-type" ? ["id", "documentId"] : ["id"];
  return [...first, ...attributes, ...system.filter((name) => !first.includes(name))];
}
