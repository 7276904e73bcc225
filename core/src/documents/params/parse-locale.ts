import { DEFAULT_LOCALE_SLOT, type Query, type Slot } from "../../database/reads/query.js";
import type { ContentType } from "../../schema/model.js";
import { FallbackOfAllError, UnknownFallbackError } from "./errors.js";
import { invalidShape, parseText, type ParseContext } from "./parse-context.js";

/** More than any real query has; each costs a step of every statement. */
const MAX_FALLBACKS = 10;

/** `locale` and `fallbackLocale` of a read. */
export interface LocaleParams {
  readonly locale?: unknown;
  readonly fallbackLocale?: unknown;
}

/** The locales of a read, as its Query has them. */
export type LocalePart = Pick<Query, "locale" | "fallback">;

/**
 * Reads in which locale documents are shown, and which stand in for it, in order, where a document has no version in it.
 * Without `fallbackLocale` those stand in that the locale itself names (`model.fallbacks`); an empty text, `none` or an
 * empty list: none do. A locale that no version has finds nothing; as a fallback, one that the app does not have is an
 * error, because then it would seem to work.
 *
 * @throws PLINTH_QUERY_INVALID_SHAPE (400) for what is not a string, and for lists of other things
 * @throws PLINTH_QUERY_UNKNOWN_FALLBACK (400) details `{ locale, known }`
 * @throws PLINTH_QUERY_FALLBACK_OF_ALL (400) beside `locale=*`
 * @source plugins/content-api/WIRE.md#locales
 */
export function parseLocales(reading: ParseContext, type: ContentType, params: LocaleParams): LocalePart {
  const locale = parseLocale(reading, type, params.locale);
  const { model } = reading;
  const named = parseFallback({ ...reading, param: "fallbackLocale" }, params.fallbackLocale);
  if (locale === "*" && named && named.length > 0) throw new FallbackOfAllError({});
  const first = locale ?? model.defaultLocale;
  const fallback = [...new Set(named ?? model.fallbacks.get(first) ?? [])].filter((code) => code !== first);
  return {
    locale: locale === undefined || locale === "*" ? locale : localeSlot(reading, locale),
    ...(locale === "*" || fallback.length === 0 ? {} : { fallback: fallback.map((code) => localeSlot(reading, code)) }),
  };
}

/** The text of the locale asked for; `*` for all, undefined on types that are not localised. */
function parseLocale(reading: ParseContext, type: ContentType, input: unknown): string | undefined {
  if (!type.isLocalized) return undefined;
  if (input === undefined || input === null || input === "") return reading.model.defaultLocale;
  return parseText(reading, "locale", input);
}

/** The locales that are named; undefined where nothing is said. */
function parseFallback(reading: ParseContext, input: unknown): readonly string[] | undefined {
  if (input === undefined || input === null) return undefined;
  const isList = Array.isArray(input);
  const items = isList ? (input as readonly unknown[]) : parseText(reading, "fallbackLocale", input).split(",");
  const codes = items.map((item) => parseText(reading, "fallbackLocale", item).trim());
  if (codes.length === 0 || (codes.length === 1 && (codes[0] === "" || codes[0] === "none"))) return [];
  const { locales } = reading.model;
  const unknown = codes.find((code) => !locales.includes(code));
  if (unknown !== undefined) throw new UnknownFallbackError({ locale: unknown, known: locales });
  if (codes.length > MAX_FALLBACKS)
    throw invalidShape(reading, "fallbackLocale", [], `at most ${MAX_FALLBACKS} locales`);
  return codes;
}

/** The default locale has a slot already, so a request that names it is the same Query as one that names none. */
function localeSlot({ values }: ParseContext, locale: string): Slot {
  return values.isDefaultLocale(locale) ? DEFAULT_LOCALE_SLOT : values.add(locale);
}
