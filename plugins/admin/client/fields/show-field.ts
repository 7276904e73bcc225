import type { Path } from "../form/paths.js";
import type { FormStore } from "../form/store.js";
import { firstControl, focusSoon } from "../ui/move-focus.js";
import { idOf } from "./field-id.js";

/** Leads to a field: opens the cards that it is in, brings it into the window, and gives it the focus. */
export function showField(store: FormStore, path: Path): void {
  store.revealed.show(path);
  let isInWindow = false;
  focusSoon(() => {
    const place = document.getElementById(`place-${path}`);
    const field = document.getElementById(idOf(path));
    const shown = place ?? field;
    if (shown && !isInWindow) {
      isInWindow = true;
      shown.scrollIntoView({ block: "center" });
    }
    return field && field.tabIndex >= 0 ? field : firstControl(shown);
  });
}
