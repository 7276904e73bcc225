import * as v from "@plinth/core/valibot";
import { parseOptions } from "../base/options/parse-options.js";
import { allowed, option, options, text } from "../base/options/values.js";
import type { ModelLocales } from "../schema/model.js";
import { LocalesConfigError } from "./errors.js";

const code = text("en");
const locale = v.pipe(
  v.union([code, options({ code, fallback: v.optional(v.array(code), []) })]),
  allowed("a code or { code, fallback: [codes] }"),
  v.transform((item) => (typeof item === "string" ? { code: item, fallback: [] } : item)),
);

/** What config/i18n may hold: a locale's `fallback` names those that stand in for it, in order. */
export const localesConfig = options({
  defaultLocale: option(code, "The locale of requests and documents that name none.", "en"),
  locales: option(
    v.pipe(v.array(locale), allowed('a list, as ["en", { code: "fr", fallback: ["en"] }]')),
    "All of them, the default one included; default: that one alone.",
    [],
  ),
});

type LocalesConfig = v.InferOutput<typeof localesConfig>;

/**
 * Reads `config/i18n`: `{ defaultLocale: "en", locales: ["en", { code: "fr", fallback: ["en"] }] }`.
 *
 * @throws PLINTH_CONFIG_LOCALES (500) details `{ problems }`
 */
export function parseLocalesConfig(raw: unknown): Required<ModelLocales> {
  const { value, problems } = parseOptions(localesConfig, raw ?? undefined, "i18n");
  const wrong = (problems ?? []).map(({ path, message }) => `${path} ${message}`);
  const found = [...wrong, ...problemsOf(value ?? validPart(raw))];
  if (!value || found.length > 0) throw new LocalesConfigError({ problems: found });
  const { defaultLocale, locales: items } = value;
  const fallbacks = new Map(
    items.filter(({ fallback }) => fallback.length > 0).map(({ code, fallback }) => [code, fallback] as const),
  );
  return { defaultLocale, locales: items.map((item) => item.code), fallbacks };
}

/** The valid part of a configuration with faults, so that all of them are reported at once. */
function validPart(raw: unknown): Partial<LocalesConfig> {
  const { defaultLocale, locales } = Object(raw) as Readonly<Record<string, unknown>>;
  const items = Array.isArray(locales) ? locales.map((item) => v.safeParse(locale, item)) : [];
  return {
    ...(v.is(code, defaultLocale) ? { defaultLocale } : {}),
    locales: items.flatMap((item) => (item.success ? [item.output] : [])),
  };
}

/** Problems between locales. */
function problemsOf({ defaultLocale, locales = [] }: Partial<LocalesConfig>): readonly string[] {
  const listed = locales.map((item) => item.code);
  const codes = [...listed, ...(defaultLocale === undefined ? [] : [defaultLocale])];
  const isListed = defaultLocale === undefined || locales.length === 0 || listed.includes(defaultLocale);
  const missing = `i18n.locales does not list the default locale "${defaultLocale}"; add it, or set i18n.defaultLocale`;
  const wrong = locales.flatMap(({ code, fallback }) =>
    fallback
      .filter((other) => other === code || !codes.includes(other))
      .map((other) => `the fallback of "${code}" names "${other}", which is not another locale of the app`),
  );
  return isListed ? wrong : [missing, ...wrong];
}
