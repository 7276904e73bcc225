import { type LocalizedString, LocalizedStringDictionary, LocalizedStringFormatter } from "@internationalized/string";
import type { MessageKey } from "./message-key.js";

export type { MessageKey } from "./message-key.js";

type Variables = Record<string, string | number | boolean>;
type Loader = () => Promise<{ readonly default: Record<string, LocalizedString> }>;

/** The languages of the page, by BCP 47; `en-XA` is for tests: it shows which text is in no file. */
const LOADERS: Readonly<Record<string, Loader>> = {
  en: () => import("virtual:messages/en"),
  de: () => import("virtual:messages/de"),
  fr: () => import("virtual:messages/fr"),
  es: () => import("virtual:messages/es"),
  "en-XA": () => import("virtual:messages/pseudo"),
};

/** Languages that a reader may choose. */
export const LANGUAGES: readonly string[] = ["en", "de", "fr", "es"];

const RIGHT_TO_LEFT = new Set(["ar", "he", "fa", "ur"]);

let formatter: LocalizedStringFormatter | undefined;
let current = "en";
let ofTexts = "en";

/** The language that dates and numbers are written in, with the reader's country: `de-CH`. */
export const language = (): string => current;

/** The language of the texts: one of `LANGUAGES`. */
export const textLanguage = (): string => ofTexts;

/** Whether a language is written from right to left. */
export const isRightToLeft = (code: string): boolean => RIGHT_TO_LEFT.has(code.split("-")[0] ?? "");

/**
 * Loads the texts of the page. Where there are none in a language they are English.
 *
 * @param wanted - by preference, as `navigator.languages` has them
 */
export async function loadMessages(wanted: readonly string[]): Promise<void> {
  const [first = "en"] = wanted;
  const found = wanted.map(knownLanguage).find((code) => code !== undefined) ?? "en";
  const { default: messages } = await (LOADERS[found] ?? LOADERS["en"] ?? missing)();
  ofTexts = found;
  // A reader of Arabic alone gets its dates and its direction, also while the texts are English.
  current = knownLanguage(first) === found || wanted.length === 1 ? first : found;
  formatter = new LocalizedStringFormatter(found, new LocalizedStringDictionary({ [found]: messages }, found));
  document.documentElement.lang = current;
  document.documentElement.dir = isRightToLeft(current) ? "rtl" : "ltr";
}

const missing: Loader = () => Promise.reject(new Error("The page has no texts."));

function knownLanguage(code: string): string | undefined {
  if (LOADERS[code]) return code;
  const base = code.split("-")[0] ?? "";
  return LOADERS[base] ? base : undefined;
}

/** A text of the page. @param variables - what its braces name */
export function t(key: MessageKey, variables?: Variables): string {
  return formatter?.format(key, variables) ?? key;
}
