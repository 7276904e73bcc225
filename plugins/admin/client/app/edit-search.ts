/** What the address of a form says beside its path. */
export interface EditSearch {
  readonly locale?: string;
  readonly tab?: "published";
  /** Of a new document: names its form, so that several can be open, and found again. */
  readonly draft?: string;
  /** Another language that stands beside the form. */
  readonly beside?: string;
  /** Whether the front end stands beside the form. */
  readonly preview?: true;
}

const DRAFT = /^[a-z0-9]{1,40}$/;

/** Reads the address of a form; what it does not understand is left out. */
export const parseEditSearch = ({ locale, tab, draft, beside, preview }: Record<string, unknown>): EditSearch => ({
  ...(typeof locale === "string" ? { locale } : {}),
  ...(tab === "published" ? { tab } : {}),
  ...(typeof draft === "string" && DRAFT.test(draft) ? { draft } : {}),
  ...(typeof beside === "string" ? { beside } : preview === true ? { preview } : {}),
});
