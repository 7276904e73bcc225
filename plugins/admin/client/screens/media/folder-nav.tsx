import { useState } from "react";
import type { FolderView } from "../../../src/wire/files.js";
import { formatGrouped } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import type { FolderTree } from "./folder-tree.js";
import styles from "./folders.module.css";
import { PlaceLink, usePlace } from "./place.js";

interface FolderNavProps {
  readonly tree: FolderTree;
}

/** Leads to any folder. Those on the way to where one is are open. */
export function FolderNav({ tree }: FolderNavProps) {
  const { search } = usePlace();
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const way = tree.pathTo(search.folder).map(({ documentId }) => documentId);
  const isOpen = (documentId: string) => changed.get(documentId) ?? way.includes(documentId);
  const toggle = (documentId: string) => setChanged(new Map(changed).set(documentId, !isOpen(documentId)));
  const isTop = search.folder === undefined && !search.q;
  return (
    <nav className={styles.nav} aria-label={t("folder.all")}>
      <div className={styles.entry}>
        <span className={styles.space} />
        <PlaceLink next={{ folder: undefined, q: undefined }} isCurrent={isTop} className={styles.link}>
          <Icon name="images" size={1} />
          <span className={styles.name}>{t("library.title")}</span>
        </PlaceLink>
      </div>
      <Level {...{ tree, isOpen, toggle }} folders={tree.childrenOf(null)} />
    </nav>
  );
}

interface LevelProps extends FolderNavProps {
  readonly folders: readonly FolderView[];
  readonly isOpen: (documentId: string) => boolean;
  readonly toggle: (documentId: string) => void;
}

function Level({ folders, ...shared }: LevelProps) {
  if (folders.length === 0) return null;
  return (
    <ul className={styles.level}>
      {folders.map((folder) => (
        <li key={folder.documentId}>
          <Entry folder={folder} {...shared} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ folder, ...shared }: Omit<LevelProps, "folders"> & { readonly folder: FolderView }) {
  const { search } = usePlace();
  const { tree, isOpen, toggle } = shared;
  const { documentId, name, files } = folder;
  const children = tree.childrenOf(documentId);
  const isShown = isOpen(documentId);
  return (
    <>
      <div className={styles.entry}>
        {children.length > 0 ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isShown}
            aria-label={t("folder.inside", { name })}
            onClick={() => toggle(documentId)}
          >
            <Icon name="chevron-right" size={0.875} />
          </button>
        ) : (
          <span className={styles.space} />
        )}
        <PlaceLink
          next={{ folder: documentId, q: undefined }}
          isCurrent={search.folder === documentId && !search.q}
          className={styles.link}
        >
          <Icon name="folder" size={1} />
          <span className={styles.name}>{name}</span>
          <Count files={files} />
        </PlaceLink>
      </div>
      {isShown && <Level {...shared} folders={children} />}
    </>
  );
}

function Count({ files }: { readonly files: number }) {
  if (files === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{formatGrouped(files)}</span>
      <span className="visually-hidden">{t("folder.files", { count: files })}</span>
    </span>
  );
}

/** The folders in the one where one is. */
export function FolderTiles({ folders }: { readonly folders: readonly FolderView[] }) {
  if (folders.length === 0) return null;
  return (
    <ul className={styles.tiles} aria-label={t("folder.here")}>
      {folders.map(({ documentId, name, files }) => (
        <li key={documentId}>
          <PlaceLink next={{ folder: documentId, q: undefined }} className={styles.tile}>
            <Icon name="folder" size={1.25} />
            <span className={styles.name}>{name}</span>
            <Count files={files} />
          </PlaceLink>
        </li>
      ))}
    </ul>
  );
}

/** The way to where one is. */
export function Breadcrumbs({ path }: { readonly path: readonly FolderView[] }) {
  if (path.length === 0) return null;
  return (
    <nav aria-label={t("folder.way")}>
      <ol className={styles.crumbs}>
        <li>
          <PlaceLink next={{ folder: undefined, q: undefined }} className={styles.crumb}>
            {t("library.title")}
          </PlaceLink>
        </li>
        {path.slice(0, -1).map(({ documentId, name }) => (
          <li key={documentId}>
            <Icon name="chevron-right" size={0.875} />
            <PlaceLink next={{ folder: documentId, q: undefined }} className={styles.crumb}>
              {name}
            </PlaceLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}
