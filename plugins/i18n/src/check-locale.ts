import { allowed, noList, parseOptions } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { Locale, LocaleChanges, NewLocale } from "./contract.js";
import { InvalidLocaleError, type LocaleProblem } from "./errors.js";

/** Characters that a query parameter carries unescaped; no wildcards. */
const CODE = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;
const MAX_CODE_LENGTH = 35;
const MAX_NAME_LENGTH = 200;

const locale = v.strictObject({
  code: v.pipe(
    v.string(),
    v.regex(CODE),
    v.minLength(2),
    v.maxLength(MAX_CODE_LENGTH),
    allowed(`a language tag such as fr or pt-BR, of at most ${MAX_CODE_LENGTH} characters`),
  ),
  name: v.optional(
    v.pipe(
      v.string(),
      v.check((name) => name.trim() !== ""),
      v.minLength(1),
      v.maxLength(MAX_NAME_LENGTH),
    ),
  ),
  isDefault: v.optional(v.boolean()),
  fallback: v.optional(
    v.pipe(
      v.array(v.string()),
      allowed("a list of codes of locales"),
      v.description("Codes of the locales that stand in, in this order"),
    ),
  ),
});

/** The body that adds a locale. */
export const newLocaleBody = noList(locale);

/** The body that changes one. */
export const localeBody = noList(v.omit(locale, ["code"]));

/**
 * Checks a new locale.
 *
 * @param known - the locales there are.
 * @throws PLINTH_I18N_INVALID (400)
 */
export function assertNewLocale(values: NewLocale, known: readonly Locale[]): void {
  const problems: LocaleProblem[] = [...(parseOptions(newLocaleBody, values, "").problems ?? [])];
  const taken = known.find(({ code }) => code.toLowerCase() === String(values.code).toLowerCase());
  if (taken) problems.push({ path: "code", message: `is taken by "${taken.code}"` });
  problems.push(...fallbackProblems(values.fallback, { code: values.code, known }));
  refuse(problems);
}

/**
 * Checks the change of a locale. Its code is in every document and every link to it, so it cannot change.
 *
 * @param known - the locales there are.
 * @throws PLINTH_I18N_INVALID (400)
 */
export function assertChanges(changes: LocaleChanges, locale: Locale, known: readonly Locale[]): void {
  const { code, ...others } = changes as Partial<NewLocale>;
  const problems: LocaleProblem[] = [...(parseOptions(localeBody, others, "").problems ?? [])];
  if (code !== undefined && code !== locale.code) {
    problems.push({ path: "code", message: `is "${locale.code}" and cannot change; make another locale` });
  }
  if (locale.isDefault && changes.isDefault === false) {
    problems.push({ path: "isDefault", message: "cannot be taken away; make another locale the default" });
  }
  problems.push(...fallbackProblems(changes.fallback, { code: locale.code, known }));
  refuse(problems);
}

interface FallbackOf {
  readonly code: string;
  readonly known: readonly Locale[];
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** A list of other locales, each once; what is not a list of strings was reported already. */
function fallbackProblems(fallback: unknown, { code, known }: FallbackOf): readonly LocaleProblem[] {
  if (!isListOfTexts(fallback)) return [];
  const others = known.map((locale) => locale.code).filter((other) => other !== code);
  const wrong = fallback.filter((other, index) => !others.includes(other) || fallback.indexOf(other) !== index);
  const message = `names ${wrong.join(", ")}; it takes other locales, each once: ${others.join(", ")}`;
  return wrong.length === 0 ? [] : [{ path: "fallback", message }];
}

function refuse(errors: readonly LocaleProblem[]): void {
  if (errors.length > 0) throw new InvalidLocaleError({ errors });
}
