import { lazy, Suspense, useEffect, useState } from "react";
import { t } from "../messages/text.js";
import { IconButton } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import styles from "./frame.module.css";
import { isMod, keysText } from "./keys/key-names.js";
import { type FinderPart, onOpen, openPalette } from "./open-finder.js";
import { isTypedInto } from "./typed-into.js";

/** Both are needed by a key, and not for the first screen. */
const Palette = lazy(() => import("./palette/palette.js"));
const KeysDialog = lazy(() => import("./keys/keys-dialog.js"));

/** The search of everything and the list of keys, with the keys that open them. */
export function Finder() {
  const [opened, setOpened] = useState<FinderPart>();
  useEffect(() => onOpen(setOpened), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isSearch = isMod(event) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
      const isHelp = event.key === "?" && !event.ctrlKey && !event.metaKey && !isTypedInto(event);
      // An editor that has the key for a link takes it first, and a window above the page keeps it.
      if (event.defaultPrevented || !(isSearch || isHelp) || isInWindow(event)) return;
      event.preventDefault();
      setOpened(isSearch ? "palette" : "keys");
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const close = () => setOpened(undefined);
  return (
    <Suspense>
      {opened === "palette" && <Palette onClose={close} />}
      {opened === "keys" && <KeysDialog onClose={close} />}
    </Suspense>
  );
}

const isInWindow = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null;

/** Opens the search of everything; it looks like a box to type into. */
export function SearchButton() {
  return (
    <button type="button" className={styles.find} aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
      <Icon name="search" size={1} />
      <span>{t("palette.button")}</span>
      <kbd>{keysText("Mod+K")}</kbd>
    </button>
  );
}

/** The same as an icon alone, for narrow screens. */
export const SearchIcon = () => <IconButton icon="search" label={t("palette.button")} onClick={openPalette} />;
