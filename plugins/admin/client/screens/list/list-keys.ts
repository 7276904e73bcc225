import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Entry } from "../../../src/wire/content.js";
import { mayDo, useSession } from "../../app/session.js";
import { isTypedInto } from "../../app/typed-into.js";
import type { Selection } from "./selection.js";

/** What the keys act upon. */
interface KeyOptions {
  readonly uid: string;
  /** Of the content. */
  readonly locale: string | undefined;
  readonly rows: readonly Entry[];
  readonly selection: Selection;
}

/**
 * The keys of a list: J and K move, X selects, Enter opens, N makes a new one, / searches.
 *
 * @returns index of the row that they act upon; -1: none
 */
export function useListKeys({ uid, locale, rows, selection }: KeyOptions): number {
  const navigate = useNavigate();
  const mayCreate = mayDo(useSession(), uid, "create");
  const [active, setActive] = useState(-1);
  useEffect(() => {
    const search = locale === undefined ? {} : { locale };
    const open = (id: string) => void navigate({ to: "/content/$uid/$id", params: { uid, id }, search });
    const keys: Readonly<Record<string, () => void>> = {
      j: () => setActive(Math.min(active + 1, rows.length - 1)),
      k: () => setActive(Math.max(active - 1, 0)),
      n: () => mayCreate && open("new"),
      "/": () => document.getElementById("list-search")?.focus(),
      x: () => {
        const row = rows[active];
        if (row) selection.setMany([row], !selection.has(row.documentId));
      },
    };
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event)) return;
      const row = rows[active];
      const isOnControl = (event.target as Element).closest("a, button, input");
      if (event.key === "Enter" && row && !isOnControl) return open(row.documentId);
      const run = keys[event.key.toLowerCase()];
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [active, rows, selection, uid, locale, navigate, mayCreate]);
  return active;
}
