import type { Change, Place } from "./steps.js";
import type { Slot } from "./world.js";
import { placeList } from "#core/documents/write/link-list.js";

/** A step that the app has to refuse; nothing of it may have happened. */
export class Refused extends Error {}

/** An item of an ordered list. */
interface Item {
  readonly slot: Slot;
  readonly position: number;
}

/** What a list holds after a change. @param isLenient - an unlinked neighbour means the end, where the app otherwise refuses */
export function changeSlots(
  current: readonly Slot[],
  change: Change,
  isMany: boolean,
  isLenient = false,
): readonly Slot[] {
  if ("set" in change) return change.set;
  if (!isMany && change.connect.length > 0) return change.connect;
  const list = current.filter((slot) => !change.disconnect.includes(slot));
  for (const slot of change.connect) {
    const others = list.filter((other) => other !== slot);
    const at = indexOf(others, change.place);
    if (at < 0 && !isLenient) throw new Refused("There is no such neighbour.");
    others.splice(at < 0 ? others.length : at, 0, slot);
    list.splice(0, list.length, ...others);
  }
  return list;
}

/** Where a place is in a list; below zero beside what is not in it. */
function indexOf(list: readonly Slot[], place: Place): number {
  if ("end" in place) return place.end === "start" ? 0 : list.length;
  const index = list.indexOf(place.slot);
  return index < 0 || place.side === "before" ? index : index + 1;
}

/**
 * Gives the items of a changed list their positions. Those of drafts travel to published rows one link at a time, so
 * the numbers count, not only the order: the app's own arithmetic, which has tests of its own.
 */
export function placeSlots(current: readonly Item[], wanted: readonly Slot[], now: number): ReadonlyMap<Slot, number> {
  const name = (slot: Slot) => ({ documentId: String(slot), type: "" });
  const placed = placeList(
    current.map(({ slot, position }) => ({ ...name(slot), position })),
    wanted.map(name),
    now,
  );
  return new Map(placed.map(({ position }, index) => [wanted[index] as Slot, position]));
}
