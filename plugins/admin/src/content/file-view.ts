import { type Ability, type DocumentUse, type ServiceRef, serviceRef } from "@plinth/core";
import type { PopulateNode } from "@plinth/core/reads";
import type { ContentModel } from "@plinth/core/schema";
import type { UsesOfFile } from "../wire/file-uses.js";
import type { FileView, LibraryFile } from "../wire/files.js";
import { personOf, type StoredFacts } from "./facts.js";

/** How the page gets files, for the plugin that keeps them. */
export interface FileViews {
  /** @param file - its row, with all that the caller may see */
  viewOf(file: object): LibraryFile;
  /**
   * The documents that use a file, as far as the caller sees them, the newest first.
   *
   * @param most - documents of each type, each locale for itself; default: 100
   */
  usesOf(uses: readonly DocumentUse[], ability: Ability, most?: number): Promise<UsesOfFile>;
}

/** The service `plugin::admin.file-views`, which the upload plugin knows by that name. */
export const fileViews: ServiceRef<FileViews> = serviceRef<FileViews>("plugin::admin.file-views");

/** What viewOfFile needs of a file. */
export const FILE_FIELDS = [
  ...["id", "documentId", "name", "alternativeText", "caption", "url", "formats"],
  ...["mime", "size", "width", "height", "createdAt"],
];

/** What thumbnailOf needs of a file. */
export const THUMBNAIL_FIELDS = ["url", "formats", "mime"];

/** A media attribute, with some fields of its files. */
export function fileNode(
  { contentTypes, fileType }: ContentModel,
  name: string,
  fields: readonly string[],
): PopulateNode {
  const type = contentTypes.get(fileType ?? "");
  const known = fields.filter((field) => type?.attributes.has(field) || type?.systemFields.has(field));
  return { name, fields: known.map((field) => ({ name: field })), populate: [] };
}

/** Columns of a file, as far as they were read: a rule may leave some out. */
interface FileRow {
  readonly id: number;
  readonly documentId: string;
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly url?: string;
  readonly formats?: Readonly<Record<string, { readonly url: string; readonly width?: number }>> | null;
  readonly mime?: string;
  /** Kilobytes. */
  readonly size?: number;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly createdAt?: string;
}

const BYTES_PER_KB = 1000;

/** A file as the page gets it. What the caller may not see is empty. */
export function viewOfFile(file: object): FileView {
  const { id, documentId, name, alternativeText, caption, url, mime, size, width, height, createdAt } = file as FileRow;
  return {
    ...{ id, documentId, name: name ?? "" },
    ...{ alternativeText: alternativeText ?? null, caption: caption ?? null },
    ...{ url: url ?? "", thumbnail: thumbnailOf(file), mime: mime ?? "" },
    size: Math.round((size ?? 0) * BYTES_PER_KB),
    ...{ width: width ?? null, height: height ?? null, createdAt: createdAt ?? "" },
  };
}

/** Columns of a file that only the library shows. */
interface LibraryRow {
  readonly focalPoint?: LibraryFile["focalPoint"];
  readonly folder?: LibraryFile["folder"];
  readonly updatedAt?: string;
  readonly _facts?: StoredFacts;
}

/** A file as the library shows it. What the caller may not see is empty. */
export function libraryFileOf(file: object): LibraryFile {
  const { focalPoint, folder, updatedAt, _facts } = file as LibraryRow;
  return {
    ...viewOfFile(file),
    ...{ focalPoint: focalPoint ?? null, folder: folder ?? null, updatedAt: updatedAt ?? "" },
    createdBy: personOf(_facts?.createdBy),
  };
}

/** Value of a media attribute as the page gets it: one file, a list of them, or null. */
export function viewOfMedia(value: unknown): FileView | readonly FileView[] | null {
  if (Array.isArray(value)) return value.map((file: object) => viewOfFile(file));
  return value ? viewOfFile(value) : null;
}

/** The url of the smallest form of a picture. One without smaller forms is small itself, or drawn by lines as SVG. */
export function thumbnailOf(file: object): string | null {
  const { url, mime, formats } = file as Partial<FileRow>;
  const widthOf = ({ width = Number.POSITIVE_INFINITY }: { readonly width?: number }) => width;
  const [smallest] = Object.values(formats ?? {}).toSorted((a, b) => widthOf(a) - widthOf(b));
  return smallest?.url ?? (mime?.startsWith("image/") ? (url ?? null) : null);
}
