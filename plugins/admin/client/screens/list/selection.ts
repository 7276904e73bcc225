import { useMemo, useState } from "react";
import type { Entry } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import { titleOf } from "./row-title.js";

/** How many documents one action may be about. */
export const MAX_SELECTED = 1_000;

/** Titles of documents by their ids. */
export type Titles = ReadonlyMap<string, string>;

/** Selected documents, over pages. */
export interface Selection {
  readonly titles: Titles;
  has(documentId: string): boolean;
  setMany(rows: readonly Entry[], isSelected: boolean): void;
  clear(): void;
}

/** Keeps which documents of a type are selected. */
export function useSelection(type: TypeView): Selection {
  const [titles, setTitles] = useState<Titles>(new Map());
  return useMemo(
    () => ({
      titles,
      has: (documentId) => titles.has(documentId),
      setMany: (rows, isSelected) => {
        const named = rows.map((row) => [row.documentId, titleOf(type, row)] as const);
        const ids = new Set(named.map(([id]) => id));
        const rest = [...titles].filter(([id]) => !ids.has(id));
        setTitles(new Map((isSelected ? [...rest, ...named] : rest).slice(0, MAX_SELECTED)));
      },
      clear: () => setTitles(new Map()),
    }),
    [titles, type],
  );
}
