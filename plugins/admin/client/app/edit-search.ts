/** What the address of a form says beside its path. */
export interface EditSearch {
  readonly locale?: string;
  readonly tab?: "published" | "history";
  /** Of the tab of versions: the one that is looked at. */
  readonly version?: string;
  /** The one that it is compared with; nothing: the form as it is. */
  readonly with?: string;
  /** Of a new document: names its form, so that several can be open, and found again. */
  readonly draft?: string;
  /** Another language that stands beside the form. */
  readonly beside?: string;
  /** Whether the front end stands beside the form. */
  readonly preview?: true;
}

const DRAFT = /^[a-z0-9]{1,40}$/;
const VERSION = /^[\w-]{1,64}$/;
const isVersion = (value: unknown): value is string => typeof value === "string" && VERSION.test(value);

/** Reads the address of a form; what it does not understand is left out. */
export const parseEditSearch = ({
  locale,
  tab,
  draft,
  version,
  with: other,
  beside,
  preview,
}: Record<string, unknown>): EditSearch => ({
  ...(typeof locale === "string" ? { locale } : {}),
  ...(tab === "published" || tab === "history" ? { tab } : {}),
  ...(tab === "history" && isVersion(version) ? { version } : {}),
  ...(tab === "history" && isVersion(other) ? { with: other } : {}),
  ...(typeof draft === "string" && DRAFT.test(draft) ? { draft } : {}),
  ...(typeof beside === "string" ? { beside } : preview === true ? { preview } : {}),
});
