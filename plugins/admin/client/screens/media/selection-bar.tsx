import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { DeleteFiles } from "./delete-files.js";
import { MoveFiles } from "./folder-dialogs.js";
import type { FolderTree } from "./folder-tree.js";
import styles from "./library.module.css";
import { useMay } from "./library-data.js";
import { MAX_SELECTED, type Selection } from "./selection.js";

/** What may be done with the selected files: all of them, or none. */
export function SelectionBar({ selection, tree }: { readonly selection: Selection; readonly tree: FolderTree }) {
  const may = useMay();
  const [asked, setAsked] = useState<"move" | "delete">();
  const { files, clear } = selection;
  if (files.length === 0) return null;
  const closing = { files, onDone: clear, onClose: () => setAsked(undefined) };
  return (
    <div className={styles.selection} role="toolbar" aria-label={t("library.selection")}>
      <span aria-live="polite">
        {t(files.length === MAX_SELECTED ? "library.selectedMost" : "library.selected", { count: files.length })}
      </span>
      {may.change && may.seeFolders && (
        <Button isSmall icon="folder-input" onClick={() => setAsked("move")}>
          {t("library.moveTo")}
        </Button>
      )}
      {may.remove && (
        <Button isSmall icon="trash-2" onClick={() => setAsked("delete")}>
          {t("action.delete")}
        </Button>
      )}
      <IconButton isSmall icon="x" label={t("library.clear")} onClick={clear} />
      {asked === "move" && <MoveFiles {...closing} tree={tree} />}
      {asked === "delete" && <DeleteFiles {...closing} />}
    </div>
  );
}
