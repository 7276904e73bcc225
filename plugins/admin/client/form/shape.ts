import type { RelatedEntry, RelationValue } from "../../src/wire/content.js";
import type { AttributeView } from "../../src/wire/model.js";
import { attributesOf, type Session } from "../app/session.js";
import { below, type Path } from "./paths.js";
import { randomText } from "./random-text.js";

/** Attributes by name. */
export type Attributes = Readonly<Record<string, AttributeView>>;

/** What says which attributes components have. */
export type Shapes = Pick<Session, "types" | "components">;

/** An item of a component, of a repeatable one or of a dynamic zone; its values stand below its key. */
export interface ItemRef {
  /** Stays the same for as long as the item is there, also when it is read again. */
  readonly key: string;
  /** null: it was not saved yet. */
  readonly id: number | null;
  /** Uid of the component. */
  readonly component: string;
}

/** The values of a form: a leaf of each attribute by its path; of components the list of their items. */
export type Leaves = ReadonlyMap<Path, unknown>;

/** Whether the value of an attribute is a list of items. */
export const hasItems = ({ kind }: AttributeView): boolean => kind === "component" || kind === "dynamiczone";

/** The key of an item that was saved, as a reading of the document gives it. */
export const keyOfId = (id: number): string => `i${id}`;

/** The key of an item that is new. */
export const newKey = (): string => `n${randomText(8)}`;

/** Numbers of links, of those relations that have more than were read. */
export type Totals = ReadonlyMap<Path, number>;

/** A document taken apart. */
export interface Flat {
  readonly leaves: Map<Path, unknown>;
  readonly totals: Map<Path, number>;
}

/** Chooses the key of an item that the server sent; undefined: that of its id. */
export type KeyOf = (path: Path, item: ReadItem) => string | undefined;

/** An item that the server sent. */
interface ReadItem {
  readonly id: number;
  readonly index: number;
  readonly component: string;
}

/**
 * Takes a document apart, as the server sends it.
 *
 * @param keyOf - gives items the keys that they have in a form already
 */
export function flatten(
  shapes: Shapes,
  attributes: Attributes,
  data: Readonly<Record<string, unknown>>,
  keyOf: KeyOf = () => undefined,
): Flat {
  const flat: Flat = { leaves: new Map(), totals: new Map() };
  flattenInto(flat, { shapes, attributes, data, path: "", keyOf });
  return flat;
}

/** Keys of items as they are in a form, by their ids. */
export const keysById =
  (leaves: Leaves): KeyOf =>
  (path, { id }) =>
    itemsIn(leaves, path).find((item) => item.id === id)?.key;

/** Keys of items as they are in a form, by their places too: what was sent comes back in its order, with new ids. */
export const keysByPlace =
  (leaves: Leaves): KeyOf =>
  (path, { id, index }) => {
    const items = itemsIn(leaves, path);
    return (
      items.find((item) => item.id === id) ?? items.filter((item) => item.id === null && items[index] === item)[0]
    )?.key;
  };

/** Keys of items as they are in another version of a document, whose items have ids of their own: by place and component. */
export const keysByPosition =
  (leaves: Leaves): KeyOf =>
  (path, { index, component }) => {
    const item = itemsIn(leaves, path)[index];
    return item?.component === component ? item.key : undefined;
  };

/** The items of a list in a form. */
export function itemsIn(leaves: Leaves, path: Path): readonly ItemRef[] {
  const value = leaves.get(path);
  return Array.isArray(value) ? (value as readonly ItemRef[]) : [];
}

interface Part {
  readonly keyOf: KeyOf;
  readonly shapes: Shapes;
  readonly attributes: Attributes;
  readonly data: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

function flattenInto(flat: Flat, { shapes, attributes, data, path, keyOf }: Part): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    const place = below(path, name);
    const value = data[name] ?? null;
    if (hasItems(attribute)) flattenItems(flat, { shapes, attribute, value, path: place, keyOf });
    else if (attribute.kind === "relation") {
      const { items, total } = relationOf(value);
      flat.leaves.set(place, items);
      flat.totals.set(place, total);
    } else flat.leaves.set(place, attribute.kind === "json" ? jsonText(value) : value);
  }
}

const JSON_INDENT = 2;

/** JSON is a text in a form: what is typed stays as it is typed, and the server reads the text. */
const jsonText = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value, undefined, JSON_INDENT);

const NO_LINKS: RelationValue = { total: 0, items: [] };

function relationOf(value: unknown): RelationValue {
  if (value === null) return NO_LINKS;
  return value as RelationValue;
}

interface ItemsPart {
  readonly keyOf: KeyOf;
  readonly shapes: Shapes;
  readonly attribute: AttributeView;
  readonly value: unknown;
  readonly path: Path;
}

type StoredItem = Readonly<Record<string, unknown>> & { readonly id?: number; readonly __component?: string };

function flattenItems(flat: Flat, { shapes, attribute, value, path, keyOf }: ItemsPart): void {
  const items = (Array.isArray(value) ? value : value === null ? [] : [value]) as readonly StoredItem[];
  const refs = items.map(({ id, __component }, index): ItemRef => {
    const component = __component ?? attribute.component ?? "";
    if (id === undefined) return { key: newKey(), id: null, component };
    return { key: keyOf(path, { id, index, component }) ?? keyOfId(id), id, component };
  });
  flat.leaves.set(path, refs);
  for (const [index, { key, component }] of refs.entries())
    flattenInto(flat, {
      shapes,
      attributes: attributesOf(shapes, component),
      data: items[index] ?? {},
      path: below(path, key),
      keyOf,
    });
}

/** The values that a new document, or a new item, begins with. */
export function initialLeaves(shapes: Shapes, attributes: Attributes, path: Path = ""): Map<Path, unknown> {
  const data = Object.fromEntries(
    Object.entries(attributes).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
  const flat: Flat = { leaves: new Map(), totals: new Map() };
  flattenInto(flat, { shapes, attributes, data, path, keyOf: () => undefined });
  return flat.leaves;
}

/** The attribute at a path; undefined for a path of none. */
export function attributeAt(
  shapes: Shapes,
  attributes: Attributes,
  leaves: Leaves,
  path: Path,
): AttributeView | undefined {
  let known = attributes;
  let place = "";
  let found: AttributeView | undefined;
  for (const step of path.split(".")) {
    const item = found && hasItems(found) ? itemsIn(leaves, place).find(({ key }) => key === step) : undefined;
    place = below(place, step);
    if (item) known = attributesOf(shapes, item.component);
    found = item ? undefined : known[step];
  }
  return found;
}

/** A path with the keys that a later reading of the document gives to its items: those of their ids. */
export function storedPath(leaves: Leaves, path: Path): Path {
  let place = "";
  const steps = path.split(".").map((step) => {
    const item = itemsIn(leaves, place).find(({ key }) => key === step);
    place = below(place, step);
    return item ? storedKey(item) : step;
  });
  return steps.join(".");
}

/** A value with such keys, where it is a list of items. */
export function storedValue(attribute: AttributeView | undefined, value: unknown): unknown {
  if (!attribute || !hasItems(attribute) || !Array.isArray(value)) return value;
  return (value as readonly ItemRef[]).map((item) => ({ ...item, key: storedKey(item) }));
}

const storedKey = ({ key, id }: ItemRef): string => (id === null ? key : keyOfId(id));

/** What tells two linked documents apart. */
export const linkKey = ({ uid, documentId }: RelatedEntry): string => `${uid} ${documentId}`;

/**
 * Leaves a form the links that it shows: an answer has the first ones of a relation, and what was just linked can come after
 * them.
 *
 * @param read - what the server answered; its lists of links get longer
 * @param sent - the values that it was sent, or that it has had
 */
export function keepLinks(read: Flat, sent: Leaves): void {
  for (const [path, total] of read.totals) {
    const first = (read.leaves.get(path) ?? []) as readonly RelatedEntry[];
    const shown = (sent.get(path) ?? []) as readonly RelatedEntry[];
    const isFirstPart = first.every((link, index) => shown[index] && linkKey(shown[index]) === linkKey(link));
    if (isFirstPart && shown.length > first.length && shown.length <= total)
      read.leaves.set(path, [...first, ...shown.slice(first.length)]);
  }
}
