import { check, checkOptions } from "../base/check-options.js";
import type { ModelLocales } from "../schema/model.js";
import { LocalesConfigError } from "./errors.js";

const DEFAULT_LOCALE = "en";
const KEYS = { defaultLocale: check.anything, locales: check.anything };

/**
 * Reads `config/i18n`: `{ defaultLocale: "en", locales: ["en", { code: "fr", fallback: ["en"] }] }`. A locale's `fallback`
 * names those that stand in for it, in order.
 *
 * @throws PLINTH_CONFIG_LOCALES (500) details `{ problems }`
 */
export function parseLocalesConfig(raw: unknown): Required<ModelLocales> {
  const problems: string[] = [];
  for (const { path, message } of checkOptions(raw ?? undefined, KEYS, { path: "i18n" }))
    problems.push(`${path} ${message}`);
  const { defaultLocale = DEFAULT_LOCALE, locales: listed = [] } = (raw ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCode(defaultLocale)) problems.push("i18n.defaultLocale must be a string such as en");
  if (!Array.isArray(listed)) problems.push('i18n.locales must be a list, as ["en", { code: "fr", fallback: ["en"] }]');
  const items = (Array.isArray(listed) ? (listed as readonly unknown[]) : []).map(itemOf);
  items.forEach((item, index) => {
    if (!item) problems.push(`i18n.locales[${index}] must be a code or { code, fallback: [codes] }`);
  });
  const locales = items.flatMap((item) => item?.code ?? []);
  if (isCode(defaultLocale) && items.length > 0 && !locales.includes(defaultLocale))
    problems.push(
      `i18n.locales does not list the default locale "${defaultLocale}"; add it, or set i18n.defaultLocale`,
    );
  for (const { code, fallback } of items.flatMap((item) => item ?? []))
    for (const other of fallback)
      if (other === code || (other !== defaultLocale && !locales.includes(other)))
        problems.push(`the fallback of "${code}" names "${other}", which is not another locale of the app`);
  if (problems.length > 0) throw new LocalesConfigError({ problems });
  const fallbacks = new Map(
    items.flatMap((item) => (item && item.fallback.length > 0 ? [[item.code, item.fallback]] : [])),
  );
  return { defaultLocale: defaultLocale as string, locales, fallbacks };
}

interface LocaleItem {
  readonly code: string;
  readonly fallback: readonly string[];
}

function itemOf(item: unknown): LocaleItem | undefined {
  if (isCode(item)) return { code: item, fallback: [] };
  const { code, fallback = [] } = (item ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCode(code) || !Array.isArray(fallback) || !fallback.every(isCode)) return undefined;
  return { code, fallback };
}

const isCode = (value: unknown): value is string => typeof value === "string" && value !== "";
