import type { RelatedEntry } from "../../../src/wire/content.js";
import { useForm, useValue } from "../../form/form-context.js";
import { linkKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { focusAfterRemoval, focusRow, keepFocus } from "../../ui/move-focus.js";
import { idOf } from "../field-id.js";

/** What is done with the links of a relation. Each act says what it did, and leaves the focus where one goes on. */
export interface Links {
  readonly items: readonly RelatedEntry[];
  /** Links that were taken out and are still stored. */
  readonly removed: readonly RelatedEntry[];
  /** How many there are beside those that were read. */
  readonly unread: number;
  /** Of the element that has the rows. */
  readonly listId: string;
  add(entry: RelatedEntry): void;
  move(index: number, to: number): void;
  remove(index: number): void;
}

/** The links of the relation at a path. */
export function useLinks(path: string, isMultiple: boolean): Links {
  const { store } = useForm();
  const [links, set] = useValue<readonly RelatedEntry[] | null>(path);
  const items = links ?? [];
  const stored = (store.baseOf(path) ?? []) as readonly RelatedEntry[];
  const listId = `${idOf(path)}-links`;
  return {
    items,
    removed: stored.filter((entry) => !isIn(items, entry)),
    unread: (store.base.totals.get(path) ?? 0) - stored.length,
    listId,
    add: (entry) => {
      // As it is now: a new document is made in the time of a request.
      const now = (store.get(path) as readonly RelatedEntry[] | null) ?? [];
      if (isIn(now, entry)) return;
      const next = isMultiple ? [...now, entry] : [entry];
      set(next);
      announce(t("items.added", { name: entry.title, place: next.length, count: next.length }));
      // What chooses it is gone where one is enough.
      if (!isMultiple) focusRow(listId, 0);
    },
    move: (index, to) => {
      const next = [...items];
      next.splice(to, 0, ...next.splice(index, 1));
      keepFocus();
      set(next);
      announce(t("items.moved", { place: to + 1, count: items.length }));
    },
    remove: (index) => {
      set(items.filter((_entry, place) => place !== index));
      announce(t("items.removed", { name: items[index]?.title ?? "" }));
      focusAfterRemoval(listId, index);
    },
  };
}

const isIn = (entries: readonly RelatedEntry[], entry: RelatedEntry): boolean =>
  entries.some((other) => linkKey(other) === linkKey(entry));
