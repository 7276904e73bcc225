import type { WorkingCopy } from "../wire/working-copy.js";

/** What somebody typed at one place of a form, and what was there before. @source plugins/admin/client/form/journal.ts */
export interface TypedChange {
  readonly mine: unknown;
  readonly base: unknown;
}

/** An item of a component or a zone in a form. @source plugins/admin/client/form/shape.ts, ItemRef */
export interface TypedItem {
  readonly key: string;
  /** null: it was not saved yet. */
  readonly id: number | null;
  readonly component: string;
}

/** What was typed into a document and not saved, by paths of its form: `title`, `sections.i7.words`. */
export class Typed {
  readonly #changes: Readonly<Record<string, unknown>>;

  constructor(copy: Pick<WorkingCopy, "changes"> | null) {
    this.#changes = copy?.changes ?? {};
  }

  /** The change at a path; undefined where nothing was typed. A copy is a text of its sender: what has another form is none. */
  at(path: string): TypedChange | undefined {
    const change = Object.hasOwn(this.#changes, path) ? this.#changes[path] : undefined;
    if (typeof change !== "object" || change === null || !Object.hasOwn(change, "mine")) return undefined;
    const { mine = null, base = null } = change as Partial<TypedChange>;
    return { mine, base };
  }

  /** The items of a list as they were left; undefined where none was added, taken out or moved. */
  itemsAt(path: string): readonly TypedItem[] | undefined {
    const change = this.at(path);
    return change && listOf(change.mine).filter(isItem);
  }
}

/** A value as a list: of nothing none, of one itself. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

function isItem(value: unknown): value is TypedItem {
  if (typeof value !== "object" || value === null) return false;
  const { key, id, component } = value as Partial<TypedItem>;
  return typeof key === "string" && (id === null || typeof id === "number") && typeof component === "string";
}

/** The key in paths of an item that is stored. */
export const keyOfId = (id: unknown): string => `i${String(id)}`;

/** One step below a path. */
export const below = (path: string, step: string): string => (path === "" ? step : `${path}.${step}`);
