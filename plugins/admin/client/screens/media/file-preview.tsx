import type { FocalPoint, LibraryFile } from "../../../src/wire/files.js";
import { groupOf, iconOf } from "../../fields/media/preview.js";
import { Icon } from "../../ui/icon.js";
import styles from "./detail.module.css";
import { freshUrl, isPicture } from "./file-kind.js";
import { FocalPointField } from "./focal-point.js";

interface FilePreviewProps {
  readonly file: LibraryFile;
  readonly focalPoint: FocalPoint | null;
  readonly onFocalPoint: ((value: FocalPoint) => void) | undefined;
}

/** The file itself, as far as a browser shows it here. */
export function FilePreview({ file, focalPoint, onFocalPoint }: FilePreviewProps) {
  const { name, url, mime } = file;
  if (isPicture(file))
    return (
      <div className={styles.stage}>
        <FocalPointField file={file} value={focalPoint} onChange={onFocalPoint} />
      </div>
    );
  const group = groupOf(mime);
  if (group === "videos" && url !== "")
    return (
      <div className={styles.stage}>
        {/* biome-ignore lint/a11y/useMediaCaption: the library has none */}
        <video controls preload="metadata" src={freshUrl(file)} className={styles.film} aria-label={name} />
      </div>
    );
  return (
    <div className={styles.stage}>
      <span className={styles.sign}>
        <Icon name={iconOf(mime)} size={3} />
        <span>{name.split(".").at(-1)?.toUpperCase()}</span>
      </span>
      {group === "audios" && url !== "" && (
        // biome-ignore lint/a11y/useMediaCaption: the library has none
        <audio controls preload="metadata" src={freshUrl(file)} className={styles.sound} aria-label={name} />
      )}
    </div>
  );
}
