import { attributesOf } from "../../app/session.js";
import { below, type Path } from "../../form/paths.js";
import { hasItems, type ItemRef, newKey } from "../../form/shape.js";
import type { FormStore } from "../../form/store.js";

/** An item that was copied, with its values by their paths below it. It can be pasted into another document. */
export interface CopiedItem {
  readonly component: string;
  readonly values: Readonly<Record<Path, unknown>>;
}

const KEY = "plinth-copied-item";

/** What was copied last in this browser. */
export function copiedItem(): CopiedItem | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as CopiedItem);
}

/** Copies an item. */
export function copyItem(store: FormStore, path: Path, item: ItemRef): void {
  sessionStorage.setItem(KEY, JSON.stringify(valuesOf(store, path, item)));
}

/** Inserts what was copied. @returns the key of the new item; the empty string where there is nothing */
export function pasteItem(store: FormStore, path: Path, index: number): string {
  const copied = copiedItem();
  return copied ? insertCopy(store, path, copied, index) : "";
}

/** Inserts an item like another one. @returns the key of the new item */
export const duplicateItem = (store: FormStore, path: Path, item: ItemRef, index: number): string =>
  insertCopy(store, path, valuesOf(store, path, item), index);

/** An item with its values, which stay as they are now. */
export const valuesOf = (store: FormStore, path: Path, { key, component }: ItemRef): CopiedItem => ({
  component,
  values: Object.fromEntries(entriesBelow(store, component, below(path, key), "")),
});

/** Values by their paths. Items inside of the item are new ones too: the same id cannot stand twice. */
function entriesBelow(
  store: FormStore,
  component: string,
  from: Path,
  to: Path,
): readonly (readonly [Path, unknown])[] {
  return Object.entries(attributesOf(store.shapes, component)).flatMap(([name, attribute]) => {
    const [place, target] = [below(from, name), below(to, name)];
    if (!hasItems(attribute)) return [[target, store.get(place) ?? null] as const];
    const items = store.itemsAt(place).map((item) => ({ old: item, next: { ...item, key: newKey(), id: null } }));
    const inside = items.flatMap(({ old, next }) =>
      entriesBelow(store, old.component, below(place, old.key), below(target, next.key)),
    );
    return [[target, items.map(({ next }) => next)] as const, ...inside];
  });
}

/** Inserts an item with values. @returns its key */
export function insertCopy(store: FormStore, path: Path, { component, values }: CopiedItem, index: number): string {
  const key = newKey();
  const placed = Object.entries(values).map(([name, value]) => [below(below(path, key), name), value] as const);
  store.insert(path, { key, id: null, component }, index, new Map(placed));
  return key;
}
