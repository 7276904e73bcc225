import { getRouteApi } from "@tanstack/react-router";
import { NotFound } from "../../app/not-found.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Library } from "./library.js";
import { changedPlace, type Place, PlaceProvider } from "./place.js";
import { useSelection } from "./selection.js";

const mediaRoute = getRouteApi("/media");

/** The files of the site. */
export function MediaScreen() {
  const search = mediaRoute.useSearch();
  const navigate = mediaRoute.useNavigate();
  const { plugins } = useSession();
  const selection = useSelection(true);
  if (!plugins.includes("upload")) return <NotFound />;
  const place: Place = {
    search,
    isAddress: true,
    change: (next) =>
      void navigate({
        search: (before) => changedPlace(before, next),
        // What is typed is no step that somebody goes back to.
        replace: "q" in next,
        resetScroll: !("file" in next),
      }),
  };
  return (
    <PlaceProvider value={place}>
      <title>{t("library.title")}</title>
      <Library selection={selection} types={[]} isPicking={false} />
    </PlaceProvider>
  );
}
