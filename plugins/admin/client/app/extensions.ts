import { createContext, useContext } from "react";
import type { ExtensionView } from "../../src/wire/page.js";
import type { AdminExtension, Text } from "../extend/extension.js";
import { addTexts, textOfKey } from "../messages/extension-texts.js";
import { language, textLanguage } from "../messages/text.js";
import { pageFacts } from "./page-facts.js";

/** An extension that runs, by its name. */
export interface LoadedExtension {
  readonly name: string;
  readonly extension: AdminExtension;
}

/** What was added to the page, and what could not be. */
export interface Extensions {
  readonly loaded: readonly LoadedExtension[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
}

const API = 1;

let loading: Promise<Extensions> | undefined;

/** Loads the modules that plugins and the app add, once. One that fails is named, and the page works without it. */
export function loadExtensions(): Promise<Extensions> {
  loading ??= loadAll(pageFacts.extensions);
  return loading;
}

async function loadAll(views: readonly ExtensionView[]): Promise<Extensions> {
  const results = await Promise.all(views.map(load));
  return {
    loaded: results.flatMap((result) => ("extension" in result ? [result] : [])),
    failed: results.flatMap((result) => ("message" in result ? [result] : [])),
  };
}

async function load({ name, url }: ExtensionView): Promise<LoadedExtension | Extensions["failed"][number]> {
  try {
    const { default: extension } = (await import(/* @vite-ignore */ url)) as { readonly default?: AdminExtension };
    if (extension?.api !== API) throw new Error(`its default export has to say "api: ${API}"`);
    await loadTexts(name, extension);
    addStyles(extension);
    return { name, extension };
  } catch (error) {
    return { name, message: error instanceof Error ? error.message : String(error) };
  }
}

async function loadTexts(name: string, { messages = {} }: AdminExtension): Promise<void> {
  const texts = messages[textLanguage()] ?? messages["en"];
  if (texts) addTexts(name, (await texts()).default);
}

function addStyles({ styles = [] }: AdminExtension): void {
  for (const text of styles) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }
}

const NONE: Extensions = { loaded: [], failed: [] };
const ExtensionsContext = createContext<Extensions>(NONE);

/** Gives the extensions to what is inside. */
export const ExtensionsProvider = ExtensionsContext.Provider;

/** What was added to the page. */
export const useExtensions = (): Extensions => useContext(ExtensionsContext);

/** The field that an attribute asks for, and who brings it. */
export function useExtensionField(name: string | undefined) {
  const { loaded } = useExtensions();
  if (name === undefined) return undefined;
  const found = loaded.find(({ extension }) => extension.fields?.[name]);
  const field = found?.extension.fields?.[name];
  return found && field ? { owner: found.name, ...field } : undefined;
}

/** A text of an extension in the language of the page; else in English, else the first. A key of its messages is their text. */
export function textOf(text: Text): string {
  if (typeof text === "string") return textOfKey(text) ?? text;
  return text[language()] ?? text["en"] ?? Object.values(text)[0] ?? "";
}
