import type { ContentModel, ContentType } from "../../schema/model.js";
import { LocaleWildcardError, UnknownLocaleError } from "../errors.js";

/** The locale of a create or update, `""` on types that are not localised, and the one that its relations are written in. */
export interface WriteLocale {
  readonly row: string;
  readonly relations: string;
}

/**
 * Reads the `locale` of a create or update.
 *
 * @throws PLINTH_DOCUMENT_LOCALE_WILDCARD (400) details `{}`
 * @throws PLINTH_DOCUMENT_UNKNOWN_LOCALE (400) details `{ locale, known }`
 */
export function writeLocale(model: ContentModel, type: ContentType, locale: string | undefined): WriteLocale {
  if (locale === "*") throw new LocaleWildcardError({});
  const known = knownLocale(model, locale);
  return { row: type.isLocalized ? known : "", relations: known };
}

/**
 * Reads the `locale` of an operation on versions: one, several, or `*` for all there are.
 *
 * @returns undefined for all.
 * @throws PLINTH_DOCUMENT_UNKNOWN_LOCALE (400)
 */
export function versionLocales(
  model: ContentModel,
  type: ContentType,
  locale: string | readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (locale === "*") return undefined;
  const named = typeof locale === "object" ? locale : [locale];
  const known = named.map((name) => knownLocale(model, name));
  return new Set(type.isLocalized ? known : [""]);
}

function knownLocale(model: ContentModel, locale: string | undefined): string {
  if (locale === undefined || locale === "") return model.defaultLocale;
  if (typeof locale !== "string" || !model.locales.includes(locale))
    throw new UnknownLocaleError({ locale: String(locale), known: model.locales });
  return locale;
}
