import type { FileView } from "../../../src/wire/files.js";
import { Icon } from "../../ui/icon.js";
import type { IconName } from "../../ui/icon-paths.js";
import styles from "./media.module.css";

/** The group that a file belongs to, as `allowedTypes` of a media attribute has it. */
export function groupOf(mime: string): "images" | "videos" | "audios" | "files" {
  if (mime.startsWith("image/")) return "images";
  if (mime.startsWith("video/")) return "videos";
  return mime.startsWith("audio/") ? "audios" : "files";
}

const ICONS: Readonly<Record<ReturnType<typeof groupOf>, IconName>> = {
  images: "images",
  videos: "film",
  audios: "music",
  files: "file",
};

/** The icon of a kind of file. */
export const iconOf = (mime: string): IconName => (mime === "application/pdf" ? "file-text" : ICONS[groupOf(mime)]);

/** A small picture, or the kind of the file. */
export function Preview({ file: { mime, thumbnail, url, alternativeText } }: { readonly file: FileView }) {
  if (mime.startsWith("image/"))
    return <img className={styles.picture} src={thumbnail ?? url} alt={alternativeText ?? ""} loading="lazy" />;
  return (
    <span className={styles.plain}>
      <Icon name={iconOf(mime)} size={1.75} />
    </span>
  );
}
