/** A locale of the content, as administrators see it. */
export interface LocaleView {
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** Codes of the locales that stand in for it, in this order. */
  readonly fallback: readonly string[];
}

/** `GET /admin/i18n/locales`. */
export interface LocaleList {
  readonly data: readonly LocaleView[];
}
