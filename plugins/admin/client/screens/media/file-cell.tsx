import type { LibraryFile } from "../../../src/wire/files.js";
import { iconOf } from "../../fields/media/preview.js";
import { formatBytes, formatDate, formatPixels } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { isPicture, thumbnailUrl } from "./file-kind.js";
import styles from "./grid.module.css";
import type { Selection } from "./selection.js";

/** What can be done with a cell. */
export interface CellActions {
  readonly selection: Selection;
  /** Whether files are chosen here: a click on one chooses it then, and else shows its details. */
  readonly isPicking: boolean;
  readonly onOpen: (file: LibraryFile) => void;
}

interface FileCellProps extends CellActions {
  readonly file: LibraryFile;
  readonly index: number;
  readonly isList: boolean;
  /** Whether the focus comes here by Tab. */
  readonly isActive: boolean;
}

/** A file among others. */
export function FileCell({ file, index, isList, isActive, isPicking, selection, onOpen }: FileCellProps) {
  const isSelected = selection.has(file.documentId);
  const tabIndex = isActive ? 0 : -1;
  const { name } = file;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it stands in a grid that draws some of its rows only
    <div
      role="gridcell"
      tabIndex={-1}
      aria-selected={isSelected}
      className={classNames(isList ? styles.listCell : styles.card, isSelected && styles.selected)}
    >
      <button
        type="button"
        data-cell={index}
        tabIndex={tabIndex}
        className={styles.open}
        title={name}
        {...(isPicking ? { "aria-pressed": isSelected } : {})}
        onClick={() => (isPicking ? selection.toggle(file) : onOpen(file))}
      >
        <Thumbnail file={file} />
        <span className={styles.text}>
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <Meta file={file} isList={isList} />
        </span>
      </button>
      {isPicking ? (
        <>
          {isSelected && (
            <span className={styles.tick}>
              <Icon name="check" size={1} />
            </span>
          )}
          <IconButton
            isSmall
            icon="info"
            className={styles.corner}
            tabIndex={tabIndex}
            label={t("library.details", { name })}
            onClick={() => onOpen(file)}
          />
        </>
      ) : (
        <label className={classNames(styles.corner, styles.check)}>
          <input
            type="checkbox"
            tabIndex={tabIndex}
            checked={isSelected}
            aria-label={t("library.select", { name })}
            onChange={() => selection.toggle(file)}
          />
        </label>
      )}
    </div>
  );
}

/** Its name is beside it: the picture says no more here. */
function Thumbnail({ file }: { readonly file: LibraryFile }) {
  return isPicture(file) ? (
    <img className={styles.picture} src={thumbnailUrl(file)} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={styles.plain}>
      <Icon name={iconOf(file.mime)} size={1.75} />
    </span>
  );
}

function Meta({ file, isList }: { readonly file: LibraryFile; readonly isList: boolean }) {
  const { width, height, size, createdAt, folder } = file;
  const pixels = width !== null && height !== null ? formatPixels(width, height) : undefined;
  if (!isList) return <span className={styles.meta}>{[pixels, formatBytes(size)].filter(Boolean).join(" · ")}</span>;
  return (
    <span className={styles.columns}>
      <span>{folder?.name}</span>
      <span>{pixels}</span>
      <span>{formatBytes(size)}</span>
      <span>{createdAt === "" ? "" : formatDate(new Date(createdAt), { dateStyle: "medium" })}</span>
    </span>
  );
}
