/**
 * The format of schema files, as users of the field know it. Values come from JSON written by hand, so everything
 * that `buildModel` has not looked at yet is optional or unknown.
 */

import type { PluginTable } from "./model.js";

/** One attribute of a schema file: `{ "type": "string", "required": true, ... }`; which options fit depends on `type`. */
export type RawAttribute = Readonly<Record<string, unknown>>;

/** What content-types and components share in a schema file. */
export interface RawShape {
  /** `api::article.article`, `plugin::bookmarks.bookmark`; `shared.seo` for components. Made from the file's place, not in the file. */
  readonly uid: string;
  /** File the schema came from, for messages. */
  readonly file?: string;
  readonly collectionName?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly attributes?: Readonly<Record<string, RawAttribute>>;
}

/** A `content-types/<name>/schema.json`. */
export interface RawContentType extends RawShape {
  readonly kind?: "collectionType" | "singleType";
  readonly info?: {
    readonly singularName?: string;
    readonly pluralName?: string;
    readonly displayName?: string;
    readonly description?: string;
  };
  /** Indexes on several attributes, in their order: `[["tenant", "title"]]`. */
  readonly indexes?: unknown;
  /** Collection name that this type had before; its table is renamed and its rows kept. */
  readonly renamedFrom?: string;
  /**
   * Its documents are the files that media attributes lead to; `mime` names the attribute that says what is in one, such as
   * `image/png`. One content-type of an app at most.
   */
  readonly files?: { readonly mime: string };
  /**
   * Its documents are the people who write content: `createdBy` and `updatedBy` of all types lead to them. `fields` names
   * the attributes that say who somebody is, such as a name. One content-type of an app at most, without drafts and
   * locales.
   */
  readonly authors?: { readonly fields: readonly string[] };
}

/** A `components/<category>/<name>.json`; its `collectionName` is accepted and not used: components live in their owner's row. */
export interface RawComponent extends RawShape {
  readonly info?: { readonly displayName?: string; readonly description?: string; readonly icon?: string };
}

/** Everything `buildModel` makes a model from. */
export interface RawModel {
  readonly contentTypes: readonly RawContentType[];
  readonly components?: readonly RawComponent[];
  /** Locale used when a request names none; default `en`. */
  readonly defaultLocale?: string;
  /** Locales that writes accept; default: only the default locale. */
  readonly locales?: readonly string[];
  /** By locale: those that stand in for it, in order; default: none. */
  readonly fallbacks?: ReadonlyMap<string, readonly string[]>;
  /** See ContentModel; default: false. */
  readonly openDrafts?: boolean;
  /** See ContentModel; default: none. */
  readonly tables?: readonly PluginTable[];
}
