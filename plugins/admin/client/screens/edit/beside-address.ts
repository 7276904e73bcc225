import { useNavigate } from "@tanstack/react-router";
import type { EditSearch } from "../../app/edit-search.js";

/** What stands beside a form. */
export type BesideSearch = Pick<EditSearch, "beside" | "preview">;

/** Shows something else beside the form, or nothing; the form stays as it is. */
export function useBesideAddress(): (beside: BesideSearch) => void {
  const navigate = useNavigate();
  return (beside) =>
    void navigate({
      to: ".",
      search: ({ beside: _beside, preview: _preview, tab: _tab, ...rest }: EditSearch) => ({ ...rest, ...beside }),
      resetScroll: false,
    });
}
