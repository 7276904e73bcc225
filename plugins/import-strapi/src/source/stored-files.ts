import type { StoredFile } from "@plinth/plugin-upload";
import { isObject } from "./check-line.js";

type Values = Readonly<Record<string, unknown>>;

/** The stored files of the app's storage. */
export interface StoredFiles {
  /** Name of the provider: `local`. */
  readonly provider: string;
  /** By key, such as `photo_1a2b.png`. */
  readonly byKey: ReadonlyMap<string, StoredFile>;
}

/** Names that a storage accepts, as the upload plugin's providers do: no path, and nothing that has to be escaped. */
const KEY = /^[\w-][\w.-]{0,254}$/;

/** Whether a storage would keep and serve a file under a key. */
export const isFileKey = (key: string): boolean => KEY.test(key);

/** The key of a file, or of one of its formats. */
export const keyOfFile = ({ hash, ext }: Values): string => `${String(hash)}${typeof ext === "string" ? ext : ""}`;

/** The formats of a file, by name. */
export const formatsOf = ({ formats }: Values): readonly (readonly [string, Values])[] =>
  Object.entries(isObject(formats) ? formats : {}).filter((entry): entry is [string, Values] => isObject(entry[1]));

/** A file's entry with the addresses of where its bytes are now; one whose bytes were not stored keeps its own. */
export function adaptFile(entry: Values, files: StoredFiles | undefined): Values {
  const data = { ...entry, formats: storableFormats(entry) };
  const stored = files?.byKey.get(keyOfFile(data));
  if (!files || !stored) return data;
  const formats = Object.entries(data.formats ?? {}).map(([name, format]) => {
    const url = files.byKey.get(keyOfFile(format))?.url ?? format["url"];
    return [name, { ...format, url }] as const;
  });
  return {
    ...data,
    url: stored.url,
    provider: files.provider,
    provider_metadata: stored.metadata ?? null,
    formats: formats.length > 0 ? Object.fromEntries(formats) : null,
  };
}

/** The formats whose keys a storage takes; null without any. */
function storableFormats(data: Values): Readonly<Record<string, Values>> | null {
  const formats = formatsOf(data).filter(([, format]) => isFileKey(keyOfFile(format)));
  return formats.length > 0 ? Object.fromEntries(formats) : null;
}
