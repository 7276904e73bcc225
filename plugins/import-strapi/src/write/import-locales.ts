import type { App } from "@plinth/core";
import type {} from "@plinth/plugin-i18n";
import { type ExportedSetting, STRAPI } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";
import type { Issues } from "../issues.js";
import { takeOver } from "./import-people.js";

const LOCALES = "plugin::i18n.locales";

/** Key of the setting that names the default locale. */
const DEFAULT_KEY = "plugin_i18n_default_locale";

/** The locales of an export, by code, with their names. */
function exportedLocales(index: ExportIndex): ReadonlyMap<string, string> {
  return new Map(index.kept(STRAPI.locale).map(({ data }) => [String(data["code"]), String(data["name"])]));
}

/** The locales that an app will have. Those that it cannot get are issues. */
export function plannedLocales(
  { defaultLocale, locales: known }: { readonly defaultLocale: string; readonly locales: readonly string[] },
  index: ExportIndex,
  { issues, canAdd }: { readonly issues: Issues; readonly canAdd: boolean },
): ReadonlySet<string> {
  const wanted = [...exportedLocales(index).keys()];
  const missing = wanted.filter((code) => !known.includes(code));
  if (canAdd) return new Set([defaultLocale, ...known, ...wanted]);
  for (const code of missing)
    issues.add(`locale ${code}`, "it is left out: enable the plugin i18n, or list it in config/i18n");
  return new Set([defaultLocale, ...known]);
}

/** Makes the locales that the app lacks, by the i18n plugin, and takes over which is the default. */
export async function importLocales(app: App, index: ExportIndex, settings: readonly ExportedSetting[]): Promise<void> {
  if (!app.has("i18n")) return;
  const service = app.service(LOCALES);
  const known = new Set((await service.list()).map(({ code }) => code));
  for (const [code, name] of exportedLocales(index)) if (!known.has(code)) await service.create({ code, name });
  await takeOverLocales(app, index);
  const wanted = defaultOf(settings);
  const chosen = (await service.list()).find(({ code }) => code === wanted);
  if (chosen && !chosen.isDefault) await service.update(chosen.documentId, { isDefault: true });
}

/** Gives locales the document ids, times and names that they have in the export, the first time that it is imported. */
async function takeOverLocales(app: App, index: ExportIndex): Promise<void> {
  const service = app.service(LOCALES);
  const byCode = new Map((await service.list()).map(({ code, documentId }) => [code, documentId]));
  for (const entry of index.kept(STRAPI.locale)) {
    const { code, name, documentId: wanted } = entry.data;
    const documentId = byCode.get(String(code));
    if (documentId === undefined || documentId === wanted) continue;
    if (typeof name === "string" && name !== "") await service.update(documentId, { name });
    await takeOver(app, { uid: STRAPI.locale, documentId, entry });
  }
}

function defaultOf(settings: readonly ExportedSetting[]): string | undefined {
  const value = settings.find(({ value: setting }) => setting?.key === DEFAULT_KEY)?.value.value;
  return typeof value === "string" ? value.replaceAll('"', "") : undefined;
}
