/** How an act ended. */
export const RESULTS = ["accepted", "refused", "limited", "failed"] as const;

/** Since when, counted from now; the server reads them. */
export const SPANS = ["1h", "24h", "7d", "30d"] as const;

/** What the address of the log says: which entries are shown. */
export interface AuditSearch {
  /** One of `SPANS`, or a time in ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** `admin:k2v9…`, a kind or an id. */
  readonly actor?: string;
  /** `document.update`, or `auth.*`. */
  readonly action?: string;
  readonly result?: (typeof RESULTS)[number];
  readonly uid?: string;
  readonly documentId?: string;
}

/** Changes the address; undefined takes something out of it. */
export type ChangeAuditSearch = (
  next: { readonly [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined },
) => void;

const TEXTS = ["since", "until", "actor", "action", "uid", "documentId"] as const;

/** Reads the address; what it does not understand is left out. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    // An id of digits alone is a number in an address.
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && text !== "" ? [[name, text] as const] : [];
  });
  const result = RESULTS.find((each) => each === search["result"]);
  return { ...Object.fromEntries(texts), ...(result ? { result } : {}) };
}

/** The query string that asks for these entries. */
export const queryOf = (search: AuditSearch, more: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({ ...(search as Record<string, string>), ...more }).toString();
