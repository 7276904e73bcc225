import type { App } from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import type { Place } from "./contract.js";
import { LocaleGoneError, NoDraftsError } from "./errors.js";

/** A document in a locale, as tables keep it. */
export interface StoredPlace {
  readonly uid: string;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
}

/** A content-type whose documents are published. @throws PLINTH_SCHEDULE_NO_DRAFTS (400) */
export function typeOf({ model }: App, uid: string): ContentType {
  const type = model.contentTypes.get(uid);
  if (!type?.hasDrafts) throw new NoDraftsError({ uid });
  return type;
}

/** @throws PLINTH_SCHEDULE_NO_DRAFTS, PLINTH_SCHEDULE_LOCALE_GONE (400) */
export function storedPlace(app: App, { type: uid, documentId, locale }: Place): StoredPlace {
  const { isLocalized } = typeOf(app, uid);
  if (!isLocalized) return { uid, documentId, locale: "" };
  const named = locale ?? app.model.defaultLocale;
  assertLocale(app, named);
  return { uid, documentId, locale: named };
}

/** @throws PLINTH_SCHEDULE_LOCALE_GONE (400) */
export function assertLocale({ model }: App, locale: string): void {
  if (locale !== "" && !model.locales.includes(locale)) throw new LocaleGoneError({ locale });
}

/** `locale` of an operation of documents. */
export const localeParam = (locale: string): { readonly locale?: string } => (locale === "" ? {} : { locale });
