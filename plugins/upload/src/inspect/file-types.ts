import { supportedExtensions } from "file-type";

/** What a file is. */
export interface FileType {
  /** `image/png`. */
  readonly mime: string;
  /** With its dot, in lower case: `.png`. */
  readonly ext: string;
}

/** What nothing is known of. */
export const UNKNOWN_TYPE: FileType = { mime: "application/octet-stream", ext: ".bin" };

/** Spellings of one ending. Endings are without their dot here and below. */
const ALIASES: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  jpe: "jpg",
  jfif: "jpg",
  tiff: "tif",
  apng: "png",
  htm: "html",
  mpeg: "mpg",
  markdown: "md",
  yml: "yaml",
};

/** The usual spelling of an ending. */
export const canonicalExt = (ext: string): string => ALIASES[ext] ?? ext;

/** Texts that no browser runs, with any content: here the extension decides. */
const INERT_TEXTS: Readonly<Record<string, string>> = {
  txt: "text/plain",
  log: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  geojson: "application/geo+json",
  yaml: "application/yaml",
  vtt: "text/vtt",
  srt: "application/x-subrip",
  ics: "text/calendar",
  vcf: "text/vcard",
};

/** Mime type of a text that no browser runs, by its ending; undefined for every other ending. */
export function inertTextMime(ext: string): string | undefined {
  const canonical = canonicalExt(ext);
  return Object.hasOwn(INERT_TEXTS, canonical) ? INERT_TEXTS[canonical] : undefined;
}

const list = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A wrong extension within one of these groups is a common mistake, and corrected. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  list("jpg png gif webp bmp tif avif heic heif jxl jp2 ico cur bpg jxr"),
  list(
    "mp4 m4v m4a m4b m4p mov qt mp3 mp2 mpg aac ogg oga ogv ogm opus wav flac webm mkv avi 3gp 3g2 mts wmv wma asf aif",
  ),
  list("ttf otf ttc woff woff2 eot"),
];

/** Whether both endings are of images, of audio and video, or of fonts. */
export function isSameFamily(one: string, other: string): boolean {
  return FAMILIES.some((family) => family.has(canonicalExt(one)) && family.has(canonicalExt(other)));
}

/** Formats that are written in others, and that not every one of its files shows: mime types by ending. */
const WRITTEN_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "application/zip": {
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    odt: "application/vnd.oasis.opendocument.text",
    ods: "application/vnd.oasis.opendocument.spreadsheet",
    odp: "application/vnd.oasis.opendocument.presentation",
    epub: "application/epub+zip",
    "3mf": "model/3mf",
    kmz: "application/vnd.google-earth.kmz",
  },
  "application/x-cfb": {
    doc: "application/msword",
    xls: "application/vnd.ms-excel",
    ppt: "application/vnd.ms-powerpoint",
    msg: "application/vnd.ms-outlook",
  },
};

/** The type of a file whose content shows only what it is written in. */
export function typeWrittenIn(mime: string, ext: string): FileType | undefined {
  const formats = Object.hasOwn(WRITTEN_IN, mime) ? WRITTEN_IN[mime] : undefined;
  const found = formats && Object.hasOwn(formats, ext) ? formats[ext] : undefined;
  return found === undefined ? undefined : { mime: found, ext: `.${ext}` };
}

const VERIFIABLE: ReadonlySet<string> = new Set(
  [...supportedExtensions, "svg", "xml", "xhtml", "json", "geojson", "doc", "xls", "ppt"].map((ext) =>
    canonicalExt(ext),
  ),
);

/** Whether the content of every file with this ending shows that it is one. */
export const isVerifiable = (ext: string): boolean => VERIFIABLE.has(canonicalExt(ext));

/** The ending of a name, in lower case and without its dot; empty when it has none of letters and digits. */
export const extOfName = (name: string): string => /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
