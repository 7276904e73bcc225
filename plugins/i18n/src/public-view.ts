import type { Locale } from "./contract.js";

/** A locale as visitors may see it. @source plugins/content-api/WIRE.md#locales, these keys and no others */
export function publicView({ fallback: _fallback, ...locale }: Locale): Omit<Locale, "fallback"> {
  return locale;
}
