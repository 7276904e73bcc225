import type { FolderView, LibraryFile } from "../../../src/wire/files.js";
import { Leaving } from "../../app/leaving.js";
import { acceptOf, pickFiles } from "../../fields/media/pick-files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import { FileDrawer } from "./file-drawer.js";
import { FileGrid } from "./file-grid.js";
import { FolderNav, FolderTiles } from "./folder-nav.js";
import type { FolderTree } from "./folder-tree.js";
import { Head } from "./head.js";
import styles from "./library.module.css";
import { FILE, useFiles, useFolders, useMay } from "./library-data.js";
import { usePlace } from "./place.js";
import type { Selection } from "./selection.js";
import { SelectionBar } from "./selection-bar.js";
import { Toolbar } from "./toolbar.js";
import { UploadsPanel } from "./uploads-panel.js";
import { useFileDrop } from "./use-file-drop.js";
import { useUploads } from "./use-uploads.js";

interface LibraryProps {
  readonly selection: Selection;
  /** The groups that a picker allows; none: all. */
  readonly types: readonly string[];
  /** Whether files are chosen here for something. */
  readonly isPicking: boolean;
  readonly onUploaded?: (file: LibraryFile) => void;
}

/** Folders and files, as a screen of their own and where files are chosen. */
export function Library({ selection, types, isPicking, onUploaded }: LibraryProps) {
  const { search, change } = usePlace();
  const may = useMay();
  const { tree, isReady, error } = useFolders();
  const uploads = useUploads(onUploaded);
  const folder = search.folder === undefined || search.q ? undefined : tree.get(search.folder);
  const add = (files: readonly File[]) => uploads.queue.add(files, folder?.documentId);
  const isOver = useFileDrop(may.upload ? add : undefined);
  const upload = () => pickFiles({ accept: acceptOf(types), isMultiple: true }, add);
  const isLost = isReady && search.folder !== undefined && !search.q && !folder;
  const hasFolders = tree.folders.length > 0;
  return (
    <div className={styles.library} data-folders={hasFolders} data-picking={isPicking}>
      {hasFolders && (
        <div className={styles.side}>
          <FolderNav tree={tree} />
        </div>
      )}
      <div className={styles.main}>
        <Head {...{ tree, folder }} isScreen={!isPicking} onUpload={may.upload ? upload : undefined} />
        <Toolbar types={types} />
        <UploadsPanel {...uploads} />
        <Leaving of="uploads" isAsked={uploads.queue.isBusy} isWithin />
        {!isPicking && <SelectionBar {...{ selection, tree }} />}
        {error && <Failed error={error} />}
        {isLost ? (
          <Empty icon="folder" title={t("folder.lost")} text={t("folder.lost.text")}>
            <Button onClick={() => change({ folder: undefined })}>{t("folder.toTop")}</Button>
          </Empty>
        ) : (
          <Content
            {...{ tree, folder, selection, types, isPicking }}
            isReady={isReady || error !== null}
            onUpload={may.upload ? upload : undefined}
          />
        )}
      </div>
      {isOver && (
        <div className={styles.over}>
          <Icon name="upload" size={2} />
          <p>{t("library.drop", { name: folder?.name ?? t("library.title") })}</p>
        </div>
      )}
      {search.file !== undefined && (
        <FileDrawer
          key={search.file}
          documentId={search.file}
          onOpen={({ documentId }) => change({ file: documentId })}
          onDeleted={(file) => {
            if (selection.has(file.documentId)) selection.toggle(file);
            change({ file: undefined });
          }}
          onClose={() => change({ file: undefined })}
        />
      )}
    </div>
  );
}

interface ContentProps extends Omit<LibraryProps, "onUploaded"> {
  readonly tree: FolderTree;
  /** Whether the folders are known. Files wait for them: they would be moved, and what is pressed meanwhile. */
  readonly isReady: boolean;
  readonly folder: FolderView | undefined;
  readonly onUpload: (() => void) | undefined;
}

function Content({ tree, isReady, folder, selection, types, isPicking, onUpload }: ContentProps) {
  const { search, change } = usePlace();
  const { files, error, isPending, hasNextPage, isFetchingNextPage, ...pages } = useFiles(search, types);
  const isMissing = isPending || !isReady;
  const isStale = useIsSlow(isMissing || pages.isPlaceholderData);
  if (error && !pages.data) return <Failed error={error} retry={() => void pages.refetch()} action={`${FILE}.find`} />;
  if (isMissing) return isStale ? <Bones /> : null;
  const folders = search.q || search.type ? [] : tree.childrenOf(folder?.documentId ?? null);
  return (
    <div className={styles.content} data-stale={isStale} aria-busy={isStale}>
      <FolderTiles folders={folders} />
      {files.length > 0 && (
        <FileGrid
          {...{ files, selection, isPicking }}
          key={search.view ?? "grid"}
          view={search.view ?? "grid"}
          hasMore={hasNextPage}
          isLoadingMore={isFetchingNextPage}
          // One that failed is asked for again by the reader alone.
          loadMore={() => pages.isFetchNextPageError || void pages.fetchNextPage()}
          onOpen={({ documentId }) => change({ file: documentId })}
        />
      )}
      {pages.isFetchNextPageError && <Failed error={error} retry={() => void pages.fetchNextPage()} />}
      {files.length === 0 && folders.length === 0 && <Nothing folder={folder} onUpload={onUpload} />}
      <p className="visually-hidden" role="status">
        {isStale ? "" : t("library.shown", { count: files.length })}
      </p>
    </div>
  );
}

function Nothing({ folder, onUpload }: Pick<ContentProps, "folder" | "onUpload">) {
  const { search, change } = usePlace();
  if (search.q || search.type)
    return (
      <Empty icon="search" title={t("media.empty")} text={t("library.nothing.text")}>
        <Button onClick={() => change({ q: undefined, type: undefined })}>{t("library.showAll")}</Button>
      </Empty>
    );
  return (
    <Empty
      icon="images"
      title={folder ? t("folder.empty") : t("library.empty")}
      text={onUpload ? t("library.empty.text") : t("library.empty.read")}
    >
      {onUpload && (
        <Button icon="upload" onClick={onUpload}>
          {t("library.first")}
        </Button>
      )}
    </Empty>
  );
}

const BONES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

const Bones = () => (
  <div className={styles.bones}>
    {BONES.map((bone) => (
      <Bone key={bone} height="9.5rem" />
    ))}
  </div>
);
