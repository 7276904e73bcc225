import { createHash } from "node:crypto";
import type { CursorPage, Sort } from "../../database/reads/query.js";
import { findField } from "../../schema/find-field.js";
import type { Attribute, ContentModel, ContentType, ScalarAttribute, SystemId } from "../../schema/model.js";
import { parseValue } from "../../schema/parse-value.js";
import { InvalidCursorError } from "./errors.js";
import { isScalar, type ParseContext, type ReadShape } from "./parse-context.js";

/** The cursor of the first page. */
const FIRST_PAGE = "*";

/** Bytes of the hash in a cursor: enough against chance matches. */
const HASH_BYTES = 12;

/** The list that a cursor belongs to. Its filters may change between two pages: a place is a place in any selection. */
export interface CursorOrder {
  /** A uid. */
  readonly type: string;
  readonly sort: readonly Sort[];
}

/**
 * A place in an order as a text for clients. It holds the values by which the row was sorted, which the client may see,
 * and a hash over them and the order, so that a text that was changed, or that belongs to another order, is noticed. It
 * is not a protection: a forged cursor reads rows that a filter would return as well.
 *
 * @param place - the values of the keys, as they are on the wire, the row id last unless the order names it.
 */
export function encodeCursor(order: CursorOrder, place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([hashOf(order, place), ...place])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @returns slots of its values.
 * @throws PLINTH_QUERY_INVALID_CURSOR (400)
 */
export function parseCursor(
  reading: ParseContext,
  type: ContentType,
  sort: readonly Sort[],
  text: string,
): CursorPage["after"] {
  if (text === FIRST_PAGE) return [];
  const place = placeIn({ type: type.uid, sort }, text);
  return place.map((value, index) => {
    const field = sortedField(reading.model, type, sort[index]?.path ?? ["id"]);
    if (!field) throw new InvalidCursorError({});
    const parsed = parseValue(field, value, { path: ["cursor"], use: "filter" });
    if (parsed.problems) throw new InvalidCursorError({});
    return parsed.value === null ? null : reading.values.add(parsed.value);
  });
}

function placeIn(order: CursorOrder, text: string): readonly unknown[] {
  const bytes = Buffer.from(text, "base64url");
  // Node reads past what is not base64url; a cursor has to be exactly as it was made.
  if (bytes.toString("base64url") !== text) throw new InvalidCursorError({});
  const [hash, ...place] = parseList(bytes.toString());
  if (hash !== hashOf(order, place)) throw new InvalidCursorError({});
  return place;
}

function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

function hashOf({ type, sort }: CursorOrder, place: readonly unknown[]): string {
  const keys = sort.map(({ path, direction }) => [path, direction]);
  const hash = createHash("sha256").update(JSON.stringify([type, keys, place]));
  return hash.digest().subarray(0, HASH_BYTES).toString("base64url");
}

/** The field that a path of names leads to. */
function sortedField(
  model: ContentModel,
  shape: ReadShape,
  path: readonly string[],
): ScalarAttribute | SystemId | undefined {
  const [name = "", ...rest] = path;
  const field = findField(shape, name);
  if (!field || isScalar(field)) return field;
  const next = nextShape(model, field);
  return next && sortedField(model, next, rest);
}

function nextShape({ contentTypes, components }: ContentModel, field: Attribute): ReadShape | undefined {
  if (field.kind === "component") return components.get(field.component);
  return field.kind === "relation" || field.kind === "media" ? contentTypes.get(field.target ?? "") : undefined;
}
