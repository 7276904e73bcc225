import type { Locale, LocaleChanges, NewLocale } from "./contract.js";
import { InvalidLocaleError, type LocaleProblem } from "./errors.js";

/** What a query parameter carries unescaped, and what no wildcard looks like. */
const CODE = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;
const MAX_CODE_LENGTH = 35;
const MAX_NAME_LENGTH = 200;

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

type Check = (value: unknown) => string | undefined;

const CHECKS: Readonly<Record<keyof NewLocale, Check>> = {
  code: (value) =>
    typeof value === "string" && CODE.test(value) && value.length <= MAX_CODE_LENGTH
      ? undefined
      : `must be a language tag such as fr or pt-BR, of at most ${MAX_CODE_LENGTH} characters`,
  name: (value) =>
    typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME_LENGTH
      ? undefined
      : `must be a string of 1 to ${MAX_NAME_LENGTH} characters`,
  isDefault: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  fallback: (value) => (isListOfTexts(value) ? undefined : "must be a list of codes of locales"),
};

/**
 * Checks what is asked of a new locale.
 *
 * @param known - the locales there are.
 * @throws PLINTH_I18N_INVALID (400)
 */
export function assertNewLocale(values: NewLocale, known: readonly Locale[]): void {
  const problems = problemsOf({ ...values, code: values.code });
  const taken = known.find(({ code }) => code.toLowerCase() === String(values.code).toLowerCase());
  if (taken) problems.push({ path: "code", message: `is taken by "${taken.code}"` });
  problems.push(...fallbackProblems(values.fallback, { code: values.code, known }));
  refuse(problems);
}

/**
 * Checks what is to change of a locale. Its code is in every document and every link to it, so it stays.
 *
 * @param known - the locales there are.
 * @throws PLINTH_I18N_INVALID (400)
 */
export function assertChanges(changes: LocaleChanges, locale: Locale, known: readonly Locale[]): void {
  const { code, ...others } = changes as Partial<NewLocale>;
  const problems = problemsOf(others);
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

/** A locale stands in for others, each once; what is no list of texts was reported already. */
function fallbackProblems(fallback: unknown, { code, known }: FallbackOf): readonly LocaleProblem[] {
  if (!isListOfTexts(fallback)) return [];
  const others = known.map((locale) => locale.code).filter((other) => other !== code);
  const wrong = fallback.filter((other, index) => !others.includes(other) || fallback.indexOf(other) !== index);
  const message = `names ${wrong.join(", ")}; it takes other locales, each once: ${others.join(", ")}`;
  return wrong.length === 0 ? [] : [{ path: "fallback", message }];
}

function problemsOf(values: object): LocaleProblem[] {
  return Object.entries(values).flatMap(([path, value]: [string, unknown]) => {
    const check = Object.hasOwn(CHECKS, path) ? CHECKS[path as keyof NewLocale] : unknownKey;
    const message = value === undefined && path !== "code" ? undefined : check(value);
    return message === undefined ? [] : [{ path, message }];
  });
}

const unknownKey: Check = () => `is not known; known are ${Object.keys(CHECKS).join(", ")}`;

function refuse(errors: readonly LocaleProblem[]): void {
  if (errors.length > 0) throw new InvalidLocaleError({ errors });
}
