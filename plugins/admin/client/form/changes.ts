import type { RelatedEntry, RelationChange, RelationTarget } from "../../src/wire/content.js";
import type { AttributeView } from "../../src/wire/model.js";
import { attributesOf } from "../app/session.js";
import { below, type Path } from "./paths.js";
import { type Attributes, hasItems, type ItemRef, linkKey } from "./shape.js";
import type { FormStore } from "./store.js";

type Data = Record<string, unknown>;

/** What a save sends: attributes that changed; of components, their ids and what changed in them. */
export function changesOf(store: FormStore): Data {
  return changesBelow(store, store.attributes, "", false);
}

/** What a new document sends: everything that has a value. */
export function wholeOf(store: FormStore): Data {
  return changesBelow(store, store.attributes, "", true);
}

function changesBelow(store: FormStore, attributes: Attributes, path: Path, isWhole: boolean): Data {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const place = below(path, name);
      const isSent = attribute.isEditable && (isWhole || store.changedBelow(place) > 0);
      return isSent && !isUnset(store, attribute, place, isWhole)
        ? [[name, sentValue(store, attribute, place, isWhole)]]
        : [];
    }),
  );
}

/** A password that was not typed stays as it is, and what is new is left out where it has no value. */
function isUnset(store: FormStore, { kind }: AttributeView, path: Path, isWhole: boolean): boolean {
  const value = store.get(path) ?? null;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty && (isWhole || kind === "password");
}

function sentValue(store: FormStore, attribute: AttributeView, path: Path, isWhole: boolean): unknown {
  const value = store.get(path) ?? null;
  if (hasItems(attribute)) return sentItems(store, attribute, path, isWhole);
  if (attribute.kind === "media") return sentFiles(value);
  if (attribute.kind !== "relation") return value;
  return sentLinks((store.baseOf(path) ?? []) as readonly RelatedEntry[], value as readonly RelatedEntry[], attribute);
}

function sentItems(store: FormStore, attribute: AttributeView, path: Path, isWhole: boolean): unknown {
  const before = new Set(((store.baseOf(path) ?? []) as readonly ItemRef[]).map(({ key }) => key));
  const items = store.itemsAt(path).map(({ key, id, component }) => {
    const place = below(path, key);
    const values = changesBelow(store, attributesOf(store.shapes, component), place, isWhole || !before.has(key));
    const known = id !== null && before.has(key) ? { id } : {};
    return { ...(attribute.kind === "dynamiczone" ? { __component: component } : {}), ...known, ...values };
  });
  return attribute.kind === "component" && !attribute.isMultiple ? (items[0] ?? null) : items;
}

interface HasId {
  readonly id: number;
}

function sentFiles(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly HasId[]).map(({ id }) => id);
  return value === null ? null : (value as HasId).id;
}

/** Who was taken out, and who came or moved, each after the one before it. Links that were not read stay as they are. */
export function sentLinks(
  before: readonly RelatedEntry[],
  after: readonly RelatedEntry[],
  attribute: Pick<AttributeView, "isMultiple">,
): RelationChange {
  const target = (entry: RelatedEntry): RelationTarget => ({
    documentId: entry.documentId,
    ...(entry.locale === null ? {} : { locale: entry.locale }),
    ...("target" in attribute && attribute.target === null ? { __type: entry.uid } : {}),
  });
  if (!attribute.isMultiple) return { set: after.slice(0, 1).map(target) };
  const kept = new Set(after.map(linkKey));
  const gone = before.filter((entry) => !kept.has(linkKey(entry)));
  const placed = placedLinks(before, after);
  return {
    ...(gone.length > 0 ? { disconnect: gone.map(target) } : {}),
    ...(placed.length > 0 ? { connect: placed.map(({ entry, position }) => ({ ...target(entry), position })) } : {}),
  };
}

interface PlacedLink {
  readonly entry: RelatedEntry;
  readonly position: NonNullable<RelationTarget["position"]>;
}

/** Those that are new, or stand after another one than before: the longest run that kept its order is left alone. */
function placedLinks(before: readonly RelatedEntry[], after: readonly RelatedEntry[]): readonly PlacedLink[] {
  const ranks = new Map(before.map((entry, index) => [linkKey(entry), index]));
  const still = longestRise(after.map((entry) => ranks.get(linkKey(entry)) ?? -1));
  return after.flatMap((entry, index) => {
    if (still.has(index)) return [];
    const previous = after[index - 1];
    return [{ entry, position: previous ? { after: previous.documentId } : { start: true as const } }];
  });
}

/** Indexes of the longest rising run of numbers from 0 on. */
export function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const previous = numbers.map(() => -1);
  for (const [index, number] of numbers.entries()) {
    if (number < 0) continue;
    let place = ends.findIndex((end) => (numbers[end] ?? 0) >= number);
    if (place < 0) place = ends.length;
    previous[index] = ends[place - 1] ?? -1;
    ends[place] = index;
  }
  const run = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) run.add(index);
  return run;
}
