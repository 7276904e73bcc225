import { useForm } from "../../form/form-context.js";
import type { Path } from "../../form/paths.js";
import type { ItemRef } from "../../form/shape.js";
import type { FormStore } from "../../form/store.js";
import { t } from "../../messages/text.js";
import { focusAfterRemoval, focusRow } from "../../ui/move-focus.js";
import { sayDone } from "../../ui/toast.js";
import { idOf } from "../field-id.js";
import { type CopiedItem, insertCopy, valuesOf } from "./copy-item.js";

/** Takes an item out at once, and offers to put it back at its place with all that was in it. */
export function useRemoval(path: Path): (item: ItemRef, name: string) => void {
  const { store } = useForm();
  return (item, name) => {
    const index = store.itemsAt(path).findIndex(({ key }) => key === item.key);
    const copy = valuesOf(store, path, item);
    store.set(
      path,
      store.itemsAt(path).filter(({ key }) => key !== item.key),
    );
    focusAfterRemoval(idOf(path), index);
    const run = () => focusRow(idOf(path), putBack(store, path, { item, copy, index }));
    sayDone(t("items.removed", { name }), { label: t("action.undo"), run });
  };
}

interface Removed {
  readonly item: ItemRef;
  readonly copy: CopiedItem;
  readonly index: number;
}

/** Puts an item back: as it was while that is what is stored, and as a new one after a save without it. @returns its place */
function putBack(store: FormStore, path: Path, { item, copy, index }: Removed): number {
  const items = store.itemsAt(path);
  const at = Math.min(index, items.length);
  const stored = (store.baseOf(path) ?? []) as readonly ItemRef[];
  if (stored.some(({ key }) => key === item.key)) store.set(path, [...items.slice(0, at), item, ...items.slice(at)]);
  else insertCopy(store, path, copy, at);
  return at;
}
