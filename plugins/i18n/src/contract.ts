import { type ServiceRef, serviceRef } from "@plinth/core";

/** A language, or a regional form of one, that documents can be written in. */
export interface Locale {
  readonly id: number;
  readonly documentId: string;
  /** The code in requests: `fr`, `pt-BR`. Unique without regard to letter case; never changes. */
  readonly code: string;
  /** For people: `French (fr)`. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string;
  /** Whether requests without a locale mean this one; true of exactly one. */
  readonly isDefault: boolean;
  /** Codes of the locales that stand in, in this order, for documents that are not in this one; may be empty. */
  readonly fallback: readonly string[];
}

/** A locale to be made. */
export interface NewLocale {
  readonly code: string;
  /** Default: the English name of the language, `French (fr)`. */
  readonly name?: string;
  /** Default: false. */
  readonly isDefault?: boolean;
  /** Codes of other locales; default: none. */
  readonly fallback?: readonly string[];
}

/** How a locale is deleted. */
export interface RemovalOptions {
  /** Deletes what documents have in the locale as well, drafts included; default: false. */
  readonly force?: boolean;
}

/** What can change of a locale. */
export type LocaleChanges = Partial<Omit<NewLocale, "code">>;

/**
 * The locales of an app, for code that the server trusts. When a promise resolves, the change holds for every request
 * that this process gets from then on; inside of a transaction, from the commit on.
 */
export interface Locales {
  /** In the order in which they were made. */
  list(): Promise<readonly Locale[]>;
  /** Undefined when there is no such locale. */
  findOne(documentId: string): Promise<Locale | undefined>;
  /** @throws PLINTH_I18N_INVALID (400) */
  create(values: NewLocale): Promise<Locale>;
  /**
   * Attributes that are not named keep their values. Undefined when there is no such locale. @throws
   * PLINTH_I18N_INVALID (400)
   */
  update(documentId: string, changes: LocaleChanges): Promise<Locale | undefined>;
  /**
   * Deletes a locale, also from the fallbacks of others: one that has no content, or by force together with the versions
   * that documents have in it, in one transaction, each deleted like any other, hooks included. The default locale
   * stays. False when there is no such locale.
   *
   * @throws PLINTH_I18N_DEFAULT_NEEDED (409), PLINTH_I18N_LOCALE_IN_USE (409)
   */
  remove(documentId: string, options?: RemovalOptions): Promise<boolean>;
}

/** The service behind locales. */
export const locales: ServiceRef<Locales> = serviceRef<Locales>("plugin::i18n.locales");

declare module "@plinth/core" {
  interface Services {
    "plugin::i18n.locales": Locales;
  }
}
