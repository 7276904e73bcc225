import { useNavigate } from "@tanstack/react-router";
import type { EditSearch } from "../../app/edit-search.js";

/** What stands beside a form. */
export type BesideSearch = Pick<EditSearch, "beside" | "preview">;

/**
 * Shows the form with something else beside it, or nothing; what was typed stays.
 *
 * @returns done once the address is the new one; `replace`: in place of the present one in the browser's history
 */
export function useBesideAddress(): (beside: BesideSearch, replace?: boolean) => Promise<void> {
  const navigate = useNavigate();
  return (beside, replace = false) =>
    navigate({
      to: ".",
      replace,
      search: ({ beside: _beside, preview: _preview, tab: _tab, ...rest }: EditSearch) => ({ ...rest, ...beside }),
      resetScroll: false,
    });
}
