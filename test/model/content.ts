import type { Slot } from "./world.js";

/** A link of a row. `place` orders the row's list, `inverse` the list that the other side shows; times in milliseconds. */
export interface Link {
  readonly target: Slot;
  readonly place: number;
  readonly inverse: number;
}

/** A component. Its key is its identity: equal in draft and published version. */
export interface Box {
  readonly key: number;
  readonly label: string;
  readonly topics: readonly Slot[];
  readonly author: Slot | null;
  readonly article: Slot | null;
}

/** One version of a document in one locale. Values are never changed in place, so a copy of the row is a copy of all. */
export interface Row {
  title: string | null;
  code: string | null;
  box: Box | null;
  shelf: readonly Box[];
  /** By the names of the relations that the type keeps; sorted by place, no entry where empty. */
  links: Readonly<Record<string, readonly Link[]>>;
}

export type Status = "draft" | "published";

/** The rows of a document in one locale. On types without drafts, the only row counts as published. */
export type Versions = { [status in Status]?: Row };

/** A document: its rows by locale, in the order in which the locales were added; `""` on types without locales. */
export type Content = Map<string, Versions>;

export const emptyRow = (): Row => ({ title: null, code: null, box: null, shelf: [], links: {} });

export const linksOf = (row: Row | undefined, relation: string): readonly Link[] => row?.links[relation] ?? [];

export const linkTo = (row: Row | undefined, relation: string, target: Slot): Link | undefined =>
  linksOf(row, relation).find((link) => link.target === target);

/** Replaces the links of one relation. */
export function setLinks(row: Row, relation: string, links: readonly Link[]): void {
  const sorted = [...links].sort((a, b) => a.place - b.place || a.target - b.target);
  row.links = { ...row.links, [relation]: sorted };
}

/** Takes one target out of a relation. */
export const dropLink = (row: Row, relation: string, target: Slot): void =>
  setLinks(
    row,
    relation,
    linksOf(row, relation).filter((link) => link.target !== target),
  );
