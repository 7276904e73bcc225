import { messageOnly, UnlinkedPositionError } from "../errors.js";

/** What a link leads to. */
export interface Target {
  readonly documentId: string;
  /** Uid on polymorphic relations, else `""`. */
  readonly type: string;
}

/** A link and its place in the list. */
export interface Placed extends Target {
  /** Any number; greater is later. New links get a point in time, so an end is found without reading the list. */
  readonly position: number;
}

/** A RelationChange whose targets are known documents. */
export type ListChange =
  | { readonly set: readonly Target[] }
  | { readonly connect: readonly Connect[]; readonly disconnect: readonly Target[] };

/** A target to link, and where. */
export interface Connect {
  readonly target: Target;
  readonly place: Place;
  /** False: an unknown reference in `place` means the end. */
  readonly isStrict: boolean;
}

/** A place in a list: an end of it, or beside another item. */
export type Place =
  | { readonly end: "start" | "end" }
  | { readonly side: "before" | "after"; readonly reference: Target };

/** Distance between links that are placed together; leaves room for some links in between, in float8. */
const STEP = 1 / 64;

/**
 * Applies a change to an ordered list of links; in the order disconnect, connect. A target that is linked already moves,
 * duplicates collapse.
 *
 * @throws PLINTH_DOCUMENT_UNLINKED_POSITION (400) for a strict reference that is not in the list
 * @source plugins/content-api/WIRE.md#relations-in-bodies
 */
export function changeList(current: readonly Target[], change: ListChange, attribute: string): readonly Target[] {
  if ("set" in change) return unique(change.set);
  const list = current.filter((item) => !change.disconnect.some((target) => isSame(item, target)));
  for (const connect of unique(change.connect.map((item) => ({ item, ...item.target }))))
    place(list, connect.item, attribute);
  return list;
}

function place(list: Target[], { target, place, isStrict }: Connect, attribute: string): void {
  const linked = list.findIndex((item) => isSame(item, target));
  if (linked >= 0) list.splice(linked, 1);
  list.splice(indexOf(list, { place, isStrict }, attribute), 0, target);
}

function indexOf(
  list: readonly Target[],
  { place, isStrict }: Pick<Connect, "place" | "isStrict">,
  attribute: string,
): number {
  if ("end" in place) return place.end === "start" ? 0 : list.length;
  const index = list.findIndex((item) => isSame(item, place.reference));
  if (index >= 0) return place.side === "before" ? index : index + 1;
  if (isStrict)
    throw new UnlinkedPositionError({ [messageOnly]: { attribute, documentId: place.reference.documentId } });
  return list.length;
}

/**
 * Gives the items of a changed list positions that keep as many of the present ones as possible.
 *
 * @param now - milliseconds since 1970; what comes last is placed there.
 */
export function placeList(current: readonly Placed[], wanted: readonly Target[], now: number): readonly Placed[] {
  const known = new Map(current.map((item) => [keyOf(item), item.position]));
  const kept = keepAscending(wanted.map((item) => known.get(keyOf(item))));
  const positions = fillGaps(kept, now) ?? wanted.map((_, index) => now + index * STEP);
  return wanted.map(({ documentId, type }, index) => ({ documentId, type, position: positions[index] ?? now }));
}

/** Drops every position that is not greater than those kept before it. */
function keepAscending(positions: readonly (number | undefined)[]): readonly (number | undefined)[] {
  let last = Number.NEGATIVE_INFINITY;
  return positions.map((position) => {
    if (position === undefined || position <= last) return undefined;
    last = position;
    return position;
  });
}

/** Spreads what has no position between its neighbours; undefined when float8 leaves no room. */
function fillGaps(kept: readonly (number | undefined)[], now: number): readonly number[] | undefined {
  const positions: number[] = [];
  for (let index = 0; index < kept.length; ) {
    const end = kept.findIndex((position, at) => at >= index && position !== undefined);
    const next = end < 0 ? undefined : kept[end];
    const count = (end < 0 ? kept.length : end) - index;
    positions.push(...spread(positions.at(-1), next, count, now));
    if (next !== undefined) positions.push(next);
    index += count + 1;
  }
  return positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? position))
    ? positions
    : undefined;
}

function spread(last: number | undefined, next: number | undefined, count: number, now: number): readonly number[] {
  if (next === undefined) {
    const start = last === undefined ? now : Math.max(now, last + STEP);
    return Array.from({ length: count }, (_, index) => start + index * STEP);
  }
  const step = last === undefined ? STEP : (next - last) / (count + 1);
  const start = last === undefined ? next - (count + 1) * STEP : last;
  return Array.from({ length: count }, (_, index) => start + (index + 1) * step);
}

/** Each target once, at its first place. */
function unique<Item extends Target>(items: readonly Item[]): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** Equal for equal targets. */
export const keyOf = ({ type, documentId }: Target): string => `${type} ${documentId}`;

const isSame = (a: Target, b: Target): boolean => a.documentId === b.documentId && a.type === b.type;
