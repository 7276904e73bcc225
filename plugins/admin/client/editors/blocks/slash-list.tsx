import type { EditorView } from "prosemirror-view";
import { useEffect, useLayoutEffect, useRef } from "react";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import bar from "../bar/bar.module.css";
import styles from "./blocks.module.css";
import { placeBelow } from "./place-below.js";
import { type BlockEntry, entryLabel } from "./slash-entries.js";
import type { SlashMenu } from "./slash-menu.js";

interface SlashListProps {
  readonly id: string;
  readonly view: EditorView;
  readonly menu: SlashMenu;
  readonly entries: readonly BlockEntry[];
  readonly choose: (index: number) => void;
}

/** The entries of the `/` menu, below the cursor; the focus stays in the text. */
export function SlashList({ id, view, menu, entries, choose }: SlashListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => placeBelow(list.current, view, menu.from), [view, menu.from]);
  useEffect(() => {
    list.current?.children[menu.index]?.scrollIntoView({ block: "nearest" });
  }, [menu.index]);
  return (
    <div
      ref={list}
      // Where it scrolls it has to be reachable; Tab itself closes it.
      tabIndex={0}
      onMouseDown={(event) => event.preventDefault()}
      id={id}
      role="listbox"
      aria-label={t("blocks.slash")}
      className={classNames(bar.popup, styles.slash)}
    >
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the editor, which has the focus
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={entry.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === menu.index}
          className={styles.entry}
          onClick={() => choose(index)}
        >
          <Icon name={entry.icon} size={1} />
          {entryLabel(entry)}
        </div>
      ))}
    </div>
  );
}
