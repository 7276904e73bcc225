import type { Texts } from "../extend/extension.js";

const texts = new Map<string, string>();

/**
 * Keeps the texts of an extension.
 *
 * @param name - of the extension: the start of all keys, so that no two extensions have the same ones
 * @throws an Error that names a key which does not begin so
 */
export function addTexts(name: string, added: Texts): void {
  const foreign = Object.keys(added).find((key) => !key.startsWith(`${name}.`));
  if (foreign !== undefined) throw new Error(`the key "${foreign}" of its messages has to begin with "${name}."`);
  for (const [key, text] of Object.entries(added)) texts.set(key, text);
}

/** The text of a key; nothing: no extension has it. */
export const textOfKey = (key: string): string | undefined => texts.get(key);

/**
 * A text of the extension's messages in the language of the page, with values in place of the words in braces: `t("maps.pins",
 * { count: 3 })`. A key without a text is shown as it is.
 */
export function t(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  const text = texts.get(key) ?? key;
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => (name in values ? String(values[name]) : braces));
}
