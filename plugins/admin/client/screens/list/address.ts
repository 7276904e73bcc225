import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { ListSearch } from "../../app/list-search.js";

const listRoute = getRouteApi("/content/$uid");

/** What is to be another; undefined takes it out of the address. */
export type AddressChange = { readonly [Name in keyof ListSearch]?: ListSearch[Name] | undefined };

/**
 * Changes the address of a list.
 *
 * @param trail - cursors of the pages before, where it leads to another page; `stay`: it is the same page
 * @param isReplaced - whether the browser's way back does not lead to the present one
 */
export type ChangeAddress = (
  next: AddressChange,
  trail?: readonly (string | null)[] | "stay",
  isReplaced?: boolean,
) => void;

/** The address of a list, and the ways to another one. */
interface Address {
  readonly search: ListSearch;
  readonly change: ChangeAddress;
  /** Puts a whole state in place of the one that is shown, also in the history of the browser. */
  readonly open: (search: ListSearch) => void;
}

/** The address, which holds the state of the list. A new question begins at its first page. */
export function useAddress(): Address {
  const search = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  const change: ChangeAddress = (next, trail = [], isReplaced = "q" in next || trail === "stay") =>
    void navigate({
      search: { ...search, cursor: undefined, ...next } as ListSearch,
      state: trail === "stay" ? true : { trail },
      replace: isReplaced,
    });
  const open = useCallback((next: ListSearch) => void navigate({ search: next, replace: true }), [navigate]);
  return { search, change, open };
}
