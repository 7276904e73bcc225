import { type ExtensionRef, extensionRef, type RawContentType } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";

/** Uid of the content-type of locales. */
export const LOCALE_TYPE = "plugin::i18n.locale";

/** Table of the content-type of locales. */
export const LOCALE_TABLE = "i18n_locales";

/** The locales of the app. Change them by the service: it keeps exactly one of them the default. */
export const localeType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: LOCALE_TABLE,
  info: { singularName: "locale", pluralName: "locales", displayName: "Locale" },
  // Documents name their locale, so tools have to know what one is; no builder changes it.
  pluginOptions: { "content-api": { visible: true }, "content-type-builder": { visible: false } },
  // Its route shows all of them to callers who may list them.
  options: { limitable: [], archive: { part: "settings", key: ["code"], isLocales: true } },
  attributes: {
    code: { type: "string", required: true, unique: true, maxLength: 35 },
    name: { type: "string", required: true, maxLength: 200 },
    isDefault: { type: "boolean", required: true, default: false },
    fallback: { type: "json", visible: false },
  },
};

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Locales can be read over GraphQL, as all documents; only the service changes them, because one is the default. */
export function extendSchema(schema: GraphqlExtension): void {
  schema.shadowCRUD(LOCALE_TYPE).disableMutations();
}
