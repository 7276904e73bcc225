import type { RelatedEntry } from "../../src/wire/content.js";
import type { AttributeView } from "../../src/wire/model.js";
import { attributesOf } from "../app/session.js";
import { isAlike } from "./equal.js";
import { below, type Path } from "./paths.js";
import { isSameValue } from "./same-value.js";
import { isWrittenAlike } from "./stored-value.js";
import { type Attributes, type Flat, hasItems, type ItemRef, type Leaves, linkKey, type Shapes } from "./shape.js";

/** A value that two people changed, each in another way. */
export interface Overlap {
  readonly path: Path;
  readonly attribute: AttributeView;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** What comes of two people's changes. */
export interface Merged {
  /** Theirs with mine upon it; at an overlap mine. */
  readonly leaves: Map<Path, unknown>;
  readonly overlaps: readonly Overlap[];
  /** Paths where their changes came in. */
  readonly taken: readonly Path[];
}

/** The three values of a form. */
export interface Sides {
  readonly shapes: Shapes;
  readonly base: Leaves;
  readonly mine: Leaves;
  readonly theirs: Flat;
}

/** Joins two people's changes of one document: by path, of items by their ids, of blocks by block, of links by document. */
export function merge(sides: Sides, attributes: Attributes): Merged {
  const merged = { leaves: new Map(sides.theirs.leaves), overlaps: [] as Overlap[], taken: [] as Path[] };
  mergeBelow(sides, merged, attributes, "");
  return merged;
}

type Work = { readonly leaves: Map<Path, unknown>; readonly overlaps: Overlap[]; readonly taken: Path[] };

function mergeBelow(sides: Sides, work: Work, attributes: Attributes, path: Path): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    const place = below(path, name);
    if (hasItems(attribute)) mergeItems(sides, work, attribute, place);
    else mergeLeaf(sides, work, attribute, place);
  }
}

function mergeLeaf({ base, mine, theirs }: Sides, work: Work, attribute: AttributeView, path: Path): void {
  const values = {
    base: base.get(path) ?? null,
    mine: mine.get(path) ?? null,
    theirs: theirs.leaves.get(path) ?? null,
  };
  const isMineChanged = !isSameValue(attribute, values.mine, values.base);
  const isTheirsChanged = !isSameValue(attribute, values.theirs, values.base);
  if (!isMineChanged) {
    if (isTheirsChanged) work.taken.push(path);
    return;
  }
  // Both changed it to the same: it stands as it is stored.
  if (isTheirsChanged && isWrittenAlike(attribute, values.mine, values.theirs)) return;
  work.leaves.set(path, values.mine);
  if (!isTheirsChanged) return;
  const joined = joinedValue(attribute, values);
  if (joined === undefined) work.overlaps.push({ path, attribute, ...values });
  else {
    work.leaves.set(path, joined);
    work.taken.push(path);
  }
}

interface Values {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Of kinds whose parts can be joined. Undefined: somebody has to choose. */
function joinedValue(attribute: AttributeView, values: Values): unknown {
  const lists = [values.base ?? [], values.mine ?? [], values.theirs ?? []];
  if (!lists.every(Array.isArray)) return undefined;
  const [base, mine, theirs] = lists as unknown as [readonly unknown[], readonly unknown[], readonly unknown[]];
  if (attribute.kind === "relation" && attribute.isMultiple)
    return mergeKeyed({ base, mine, theirs }, (link) => linkKey(link as RelatedEntry));
  if (attribute.kind === "media" && attribute.isMultiple)
    return mergeKeyed({ base, mine, theirs }, (file) => String((file as { readonly id: number }).id));
  return attribute.kind === "blocks" ? mergeBlocks(base, mine, theirs) : undefined;
}

function mergeItems(sides: Sides, work: Work, attribute: AttributeView, path: Path): void {
  const [base, mine, theirs] = [sides.base, sides.mine, sides.theirs.leaves].map(
    (leaves) => (leaves.get(path) ?? []) as readonly ItemRef[],
  ) as [readonly ItemRef[], readonly ItemRef[], readonly ItemRef[]];
  const edited = withEdits(sides, path, { base, mine, theirs });
  const stored = new Map(theirs.map((item) => [item.key, item]));
  // What was new for me may have an id by now.
  const items = mergeKeyed(edited, ({ key }) => key).map((item) => stored.get(item.key) ?? item);
  if (!isAlike(items, mine)) work.taken.push(path);
  work.leaves.set(path, items);
  const isNew = new Set(mine.map(({ key }) => key));
  for (const { key, component } of items) {
    const place = below(path, key);
    if (theirs.some((item) => item.key === key)) mergeBelow(sides, work, attributesOf(sides.shapes, component), place);
    else if (isNew.has(key)) copyBelow(sides.mine, work.leaves, place);
  }
  const isOne = attribute.kind === "component" && !attribute.isMultiple;
  if (isOne && items.length > 1)
    work.overlaps.push({ path, attribute, base, mine: mine.slice(0, 1), theirs: theirs.slice(0, 1) });
  if (isOne && items.length > 1) work.leaves.set(path, mine.slice(0, 1));
}

/** An item that one took out and the other changed stays: what was written is not lost. */
function withEdits(sides: Sides, path: Path, lists: Keyed<ItemRef>): Keyed<ItemRef> {
  const { base, mine, theirs } = lists;
  const isEdited = (leaves: Leaves, key: string) =>
    [...leaves].some(
      ([place, value]) =>
        place.startsWith(`${below(path, key)}.`) && !isAlike(value ?? null, sides.base.get(place) ?? null),
    );
  const has = (items: readonly ItemRef[], wanted: string) => items.some(({ key }) => key === wanted);
  const freed = base.filter(
    ({ key }) =>
      (!has(theirs, key) && has(mine, key) && isEdited(sides.mine, key)) ||
      (!has(mine, key) && has(theirs, key) && isEdited(sides.theirs.leaves, key)),
  );
  return { ...lists, base: base.filter((item) => !freed.includes(item)) };
}

function copyBelow(from: Leaves, to: Map<Path, unknown>, path: Path): void {
  for (const [place, value] of from) if (place.startsWith(`${path}.`)) to.set(place, value);
}

interface Keyed<T> {
  readonly base: readonly T[];
  readonly mine: readonly T[];
  readonly theirs: readonly T[];
}

/** Joins two lists of things with keys: what either added is there, what either took out is gone; the order is mine where I moved something, else theirs. */
export function mergeKeyed<T>({ base, mine, theirs }: Keyed<T>, keyOf: (item: T) => string): readonly T[] {
  const keys = (items: readonly T[]) => new Set(items.map(keyOf));
  const [inBase, inMine, inTheirs] = [keys(base), keys(mine), keys(theirs)];
  const stays = (item: T) => {
    const key = keyOf(item);
    return inBase.has(key) ? inMine.has(key) && inTheirs.has(key) : true;
  };
  const order = (items: readonly T[]) => items.map(keyOf).filter((key) => inBase.has(key));
  const common = order(base).filter((key) => inMine.has(key));
  const isMoved = !isAlike(order(mine), common);
  const [first, second] = isMoved ? [mine, theirs] : [theirs, mine];
  const result = first.filter(stays);
  const present = keys(result);
  for (const [index, item] of second.entries()) {
    if (!stays(item) || present.has(keyOf(item))) continue;
    const before = second.slice(0, index).findLast((other) => present.has(keyOf(other)));
    const at = before === undefined ? 0 : result.findIndex((other) => keyOf(other) === keyOf(before)) + 1;
    result.splice(at, 0, item);
    present.add(keyOf(item));
  }
  return result;
}

/** Joins changes of blocks where no block was changed by both. Undefined where one was. */
export function mergeBlocks(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
): readonly unknown[] | undefined {
  const changes = [changedRange(base, mine), changedRange(base, theirs)] as const;
  const [first, second] = changes[0].start <= changes[1].start ? changes : [changes[1], changes[0]];
  // Two insertions at one place, or ranges that share a block, are for somebody to decide.
  if (first.end > second.start || (first.start === second.start && first.end === second.end)) return undefined;
  return [
    ...base.slice(0, first.start),
    ...first.blocks,
    ...base.slice(first.end, second.start),
    ...second.blocks,
    ...base.slice(second.end),
  ];
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly unknown[];
}

/** The part of the base that was changed, and what stands there now. */
function changedRange(base: readonly unknown[], other: readonly unknown[]): Range {
  const shortest = Math.min(base.length, other.length);
  let start = 0;
  while (start < shortest && isAlike(base[start], other[start])) start += 1;
  let tail = 0;
  while (tail < shortest - start && isAlike(base[base.length - 1 - tail], other[other.length - 1 - tail])) tail += 1;
  return { start, end: base.length - tail, blocks: other.slice(start, other.length - tail) };
}
