import { useState } from "react";
import { useSession } from "../../app/session.js";
import { useForm, useItems } from "../../form/form-context.js";
import { type ItemRef, newKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { focusRow, keepFocus } from "../../ui/move-focus.js";
import { idOf } from "../field-id.js";
import { duplicateItem, pasteItem } from "./copy-item.js";
import { useRemoval } from "./use-removal.js";

/** From which item on they start closed. */
const MAX_OPEN = 10;

/** Marks the fields of a card. */
export const CARD_BODY = { "data-card-body": "" } as const;

/** What is done with the items of a list. Each act says what it did, and leaves the focus where one goes on. */
export interface ItemList {
  readonly items: readonly ItemRef[];
  /** Keys of the items whose fields are shown. */
  readonly open: ReadonlySet<string>;
  toggle(key: string, isOpen: boolean): void;
  toggleAll(): void;
  insert(component: string, index: number): void;
  duplicate(item: ItemRef, index: number): void;
  paste(): void;
  move(from: number, to: number): void;
  remove(item: ItemRef): void;
}

/** The items at a path. */
export function useItemList(path: string): ItemList {
  const { store } = useForm();
  const { components } = useSession();
  const items = useItems(path);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstOpen(items));
  const remove = useRemoval(path);
  const toggle = (key: string, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, key] : [...before].filter((other) => other !== key)));
  const nameOf = (component: string) => components.get(component)?.label ?? component;
  const show = (key: string, index: number) => {
    toggle(key, true);
    const name = nameOf(store.itemsAt(path)[index]?.component ?? "");
    announce(t("items.added", { name, place: index + 1, count: store.itemsAt(path).length }));
    focusRow(idOf(path), index, `[${Object.keys(CARD_BODY)[0]}]`);
  };
  return {
    items,
    open,
    toggle,
    toggleAll: () => setOpen(open.size > 0 ? new Set() : new Set(items.map(({ key }) => key))),
    insert: (component, index) => {
      const item = { key: newKey(), id: null, component };
      store.insert(path, item, index);
      show(item.key, index);
    },
    duplicate: (item, index) => show(duplicateItem(store, path, item, index), index),
    paste: () => show(pasteItem(store, path, items.length), items.length),
    move: (from, to) => {
      const place = Math.max(0, Math.min(items.length - 1, to));
      const moved = items[from];
      if (place === from || !moved) return;
      const rest = items.filter((item) => item !== moved);
      keepFocus();
      store.set(path, [...rest.slice(0, place), moved, ...rest.slice(place)]);
      announce(t("items.moved", { place: place + 1, count: items.length }));
    },
    remove: (item) => remove(item, nameOf(item.component)),
  };
}

const firstOpen = (items: readonly ItemRef[]): ReadonlySet<string> =>
  new Set(items.length > MAX_OPEN ? [] : items.slice(0, 1).map(({ key }) => key));
