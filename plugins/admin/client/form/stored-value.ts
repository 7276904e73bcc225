import type { RelatedEntry } from "../../src/wire/content.js";
import type { AttributeKind, AttributeView } from "../../src/wire/model.js";
import { attributesOf } from "../app/session.js";
import { isAlike } from "./equal.js";
import { below, type Path } from "./paths.js";
import { type Attributes, hasItems, type ItemRef, itemsIn, type Leaves, linkKey, type Shapes } from "./shape.js";

/** How a value of a kind is written in one way only. */
const PLAIN: Partial<Record<AttributeKind, (value: unknown) => unknown>> = {
  integer: Number,
  float: Number,
  decimal: Number,
  datetime: (value) => Date.parse(String(value)),
  timestamp: (value) => Date.parse(String(value)),
  time: (value) => String(value).replace(/^(\d\d:\d\d)(:00)?(\.0+)?$/, "$1"),
  json: parsed,
  relation: (value) => asList(value).map((link) => linkKey(link as RelatedEntry)),
  media: (value) => asList(value).map((file) => (file as { readonly id: number }).id),
};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Whether two values are one that is written in two ways: numbers, times and JSON. */
export function isWrittenAlike({ kind }: Pick<AttributeView, "kind">, one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  const plain = PLAIN[kind] ?? ((value: unknown) => value);
  return isAlike(plain(one), plain(other));
}

/**
 * Whether a value that was sent is what is stored now: the server writes some in its own way, makes slugs, and never shows
 * a password.
 */
export function isStoredValue(attribute: Pick<AttributeView, "kind">, sent: unknown, stored: unknown): boolean {
  const { kind } = attribute;
  const isMade = kind === "uid" && (isEmpty(sent) || sent === "");
  return kind === "password" || isMade || isWrittenAlike(attribute, sent, stored);
}

/** A place in the values of a form. */
export interface Place {
  readonly leaves: Leaves;
  readonly attributes: Attributes;
  readonly path: Path;
}

/** Whether all that stands below two places is the same; items are compared in their order, without regard to their keys. */
export function isSameBelow(shapes: Shapes, sent: Place, stored: Place): boolean {
  return Object.entries(sent.attributes).every(([name, attribute]) => {
    const [one, other] = [below(sent.path, name), below(stored.path, name)];
    if (!hasItems(attribute)) return isStoredValue(attribute, sent.leaves.get(one), stored.leaves.get(other));
    const items = itemsIn(sent.leaves, one);
    const others = itemsIn(stored.leaves, other);
    return (
      items.length === others.length &&
      items.every((item, index) =>
        isSameItem(shapes, { sent: [sent.leaves, one, item], stored: [stored.leaves, other, others[index]] }),
      )
    );
  });
}

/** An item with the list that it is in. */
type Placed = readonly [leaves: Leaves, list: Path, item: ItemRef | undefined];

/** Whether two items are of one component and have the same values. */
export function isSameItem(
  shapes: Shapes,
  { sent, stored }: { readonly sent: Placed; readonly stored: Placed },
): boolean {
  const [[leaves, list, item], [others, otherList, other]] = [sent, stored];
  if (!item || !other || item.component !== other.component) return false;
  const attributes = attributesOf(shapes, item.component);
  const one = { leaves, attributes, path: below(list, item.key) };
  return isSameBelow(shapes, one, { leaves: others, attributes, path: below(otherList, other.key) });
}
