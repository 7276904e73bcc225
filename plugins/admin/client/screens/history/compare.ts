import type { AttributeView } from "../../../src/wire/model.js";
import { attributesOf } from "../../app/session.js";
import { below, isWithin, type Path } from "../../form/paths.js";
import { isSameValue } from "../../form/same-value.js";
import { type Attributes, hasItems, type ItemRef, itemsIn, type Leaves, type Shapes } from "../../form/shape.js";
import type { FormStore } from "../../form/store.js";
import { isWrittenAlike } from "../../form/stored-value.js";

/** Two states of a document, or of a part of one. */
export interface TwoLeaves {
  readonly shapes: Shapes;
  readonly from: Leaves;
  readonly to: Leaves;
}

/** Names of the attributes that differ, in their order. A password is in no version. */
export function differing(sides: TwoLeaves, attributes: Attributes, path: Path = ""): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.kind !== "password" && differs(sides, attribute, below(path, name)) ? [name] : [],
  );
}

function differs(sides: TwoLeaves, attribute: AttributeView, path: Path): boolean {
  const { from, to } = sides;
  if (!hasItems(attribute)) {
    const [a, b] = [from.get(path) ?? null, to.get(path) ?? null];
    return !isSameValue(attribute, a, b) && !isWrittenAlike(attribute, a, b);
  }
  const [before, after] = [itemsIn(from, path), itemsIn(to, path)];
  if (before.length !== after.length) return true;
  return before.some((item, index) => {
    if (item.key !== after[index]?.key || item.component !== after[index]?.component) return true;
    return differing(sides, attributesOf(sides.shapes, item.component), below(path, item.key)).length > 0;
  });
}

/** What became of an item of a list. */
export interface ItemDifference {
  readonly item: ItemRef;
  readonly change: "added" | "removed" | "moved" | "changed" | "same";
  /** Counted from 1, in the list that has it; of those that both have, in the later one. */
  readonly place: number;
  readonly before: number | null;
}

/** Items of two lists, in the order of the later one; those that are gone stand where they were. */
export function compareItems(sides: TwoLeaves, path: Path): readonly ItemDifference[] {
  const [before, after] = [itemsIn(sides.from, path), itemsIn(sides.to, path)];
  const places = new Map(before.map(({ key }, index) => [key, index]));
  const still = after.filter(({ key }) => places.has(key)).map(({ key }) => key);
  const stood = before.filter(({ key }) => still.includes(key)).map(({ key }) => key);
  const found = after.map((item, index): ItemDifference => {
    const old = places.get(item.key);
    if (old === undefined) return { item, change: "added", place: index + 1, before: null };
    const inside = differing(sides, attributesOf(sides.shapes, item.component), below(path, item.key));
    const isMoved = still.indexOf(item.key) !== stood.indexOf(item.key);
    const change = inside.length > 0 ? "changed" : isMoved ? "moved" : "same";
    return { item, change, place: index + 1, before: old + 1 };
  });
  const gone = before.flatMap((item, index): readonly ItemDifference[] =>
    after.some(({ key }) => key === item.key) ? [] : [{ item, change: "removed", place: index + 1, before: index + 1 }],
  );
  return gone.reduce<ItemDifference[]>(
    (all, each) => {
      all.splice(Math.min(each.place - 1, all.length), 0, each);
      return all;
    },
    [...found],
  );
}

/**
 * Puts the value that an attribute has in a version into a form, as a change. What is in the form and in the version keeps its
 * place in the database; other items are new ones.
 *
 * @returns takes it back
 */
export function restoreInto(store: FormStore, name: string, version: Leaves): () => void {
  const before = [...store.leaves].filter(([path]) => isWithin(path, name));
  const known = new Set(before.flatMap(([, value]) => (isItems(value) ? value.map(({ key }) => key) : [])));
  const restored = [...version].filter(([path]) => isWithin(path, name));
  // What is inside of an item is there before the item is.
  for (const [path, value] of restored.toReversed()) store.set(path, isItems(value) ? asNew(value, known) : value);
  return () => {
    const there = new Map(before);
    for (const [path] of restored) if (!there.has(path)) store.set(path, null);
    for (const [path, value] of before.toReversed()) store.set(path, value);
  };
}

const isItems = (value: unknown): value is readonly ItemRef[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => Object.hasOwn(Object(item) as object, "component"));

const asNew = (items: readonly ItemRef[], known: ReadonlySet<string>): readonly ItemRef[] =>
  items.map((item) => (known.has(item.key) ? item : { ...item, id: null }));
