type Values = Readonly<Record<string, unknown>>;

/** What the app's storage says of files that it keeps now. */
export interface StoredFiles {
  /** Name of the provider: `local`. */
  readonly provider: string;
  /** By key, such as `photo_1a2b.png`. */
  readonly byKey: ReadonlyMap<string, { readonly url: string; readonly metadata?: unknown }>;
}

/** The key of a file, or of one of its formats. */
export const keyOfFile = ({ hash, ext }: Values): string => `${String(hash)}${typeof ext === "string" ? ext : ""}`;

/** The formats of a file, by name. */
export const formatsOf = ({ formats }: Values): readonly (readonly [string, Values])[] =>
  Object.entries((formats ?? {}) as Readonly<Record<string, Values>>);

/** A file's entry with the addresses of where its bytes are now; one whose bytes were not stored keeps its own. */
export function adaptFile(data: Values, files: StoredFiles | undefined): Values {
  const stored = files?.byKey.get(keyOfFile(data));
  if (!files || !stored) return data;
  const formats = formatsOf(data).map(([name, format]) => {
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
