import { useState } from "react";
import type { FolderView } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Menu, type MenuEntry } from "../../ui/menu.js";
import { DeleteFolder, MoveFolder, NewFolder, RenameFolder } from "./folder-dialogs.js";
import { Breadcrumbs } from "./folder-nav.js";
import type { FolderTree } from "./folder-tree.js";
import styles from "./library.module.css";
import { useMay } from "./library-data.js";
import { usePlace } from "./place.js";

interface HeadProps {
  readonly tree: FolderTree;
  /** The one where one is; undefined at the top, and while all are searched. */
  readonly folder: FolderView | undefined;
  /** Whether it is a screen of its own: its title is that of the page. */
  readonly isScreen: boolean;
  /** Undefined: nothing can be uploaded here. */
  readonly onUpload: (() => void) | undefined;
}

/** Where one is, and what can be done there. */
export function Head({ tree, folder, isScreen, onUpload }: HeadProps) {
  const { search } = usePlace();
  const may = useMay();
  const [isMaking, setMaking] = useState(false);
  const Heading = isScreen ? "h1" : "h3";
  const title = search.q ? t("library.found") : (folder?.name ?? t("library.title"));
  return (
    <header className={styles.head}>
      <Breadcrumbs path={tree.pathTo(folder?.documentId)} />
      <div className={styles.title}>
        <Heading>{title}</Heading>
        {folder && <FolderMenu tree={tree} folder={folder} />}
        <span className={styles.acts}>
          {may.makeFolders && may.seeFolders && (
            <Button icon="folder-plus" onClick={() => setMaking(true)}>
              {t("folder.new")}
            </Button>
          )}
          {onUpload && (
            <Button icon="upload" look={isScreen ? "primary" : "plain"} onClick={onUpload}>
              {t("media.upload")}
            </Button>
          )}
        </span>
      </div>
      {isMaking && <NewFolder parent={folder?.documentId} onClose={() => setMaking(false)} />}
    </header>
  );
}

type Asked = "rename" | "move" | "delete";

function FolderMenu({ tree, folder }: { readonly tree: FolderTree; readonly folder: FolderView }) {
  const { change } = usePlace();
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const entries: readonly MenuEntry[] = [
    { id: "rename", label: t("folder.rename"), icon: "pencil", run: () => setAsked("rename") },
    { id: "move", label: t("library.moveTo"), icon: "folder-input", run: () => setAsked("move") },
  ];
  const deletion: MenuEntry = {
    ...{ id: "delete", label: t("action.delete"), icon: "trash-2", isDangerous: true },
    run: () => setAsked("delete"),
  };
  if (!may.changeFolders && !may.removeFolders) return null;
  const onClose = () => setAsked(undefined);
  return (
    <>
      <Menu
        label={t("folder.actions", { name: folder.name })}
        groups={[may.changeFolders ? entries : [], may.removeFolders ? [deletion] : []]}
      />
      {asked === "rename" && <RenameFolder {...{ folder, onClose }} />}
      {asked === "move" && <MoveFolder {...{ tree, folder, onClose }} />}
      {asked === "delete" && (
        <DeleteFolder {...{ folder, onClose }} onDone={() => change({ folder: folder.parent ?? undefined })} />
      )}
    </>
  );
}
