import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";
import type { MediaSearch } from "../../app/media-search.js";

/** What is to be another; undefined takes it out. */
export type PlaceChange = { readonly [Name in keyof MediaSearch]?: MediaSearch[Name] | undefined };

/** Where somebody is in the library: on its screen the address says it, in a picker the picker keeps it. */
export interface Place {
  readonly search: MediaSearch;
  readonly isAddress: boolean;
  change(next: PlaceChange): void;
}

const PlaceContext = createContext<Place | undefined>(undefined);

/** Gives the place to what is inside. */
export const PlaceProvider = PlaceContext.Provider;

/** The place in the library. */
export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("There is no place in the library around this.");
  return place;
}

/** A place with a change. */
export function changedPlace(search: MediaSearch, next: PlaceChange): MediaSearch {
  const merged = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(merged) as MediaSearch;
}

interface PlaceLinkProps {
  readonly next: PlaceChange;
  readonly className: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** Else each link to a place would be the current one in the places below it. */
const EXACT = { exact: true, includeSearch: true } as const;

/** Leads elsewhere in the library: a link where the address says where one is, which can be opened beside. */
export function PlaceLink({ next, className, isCurrent = false, children }: PlaceLinkProps) {
  const { search, isAddress, change } = usePlace();
  const current = isCurrent ? ({ "aria-current": "page" } as const) : {};
  return isAddress ? (
    <Link to="/media" search={changedPlace(search, next)} className={className} activeOptions={EXACT} {...current}>
      {children}
    </Link>
  ) : (
    <button type="button" className={className} onClick={() => change(next)} {...current}>
      {children}
    </button>
  );
}
