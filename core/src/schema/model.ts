/** Floor 1. The content model after checking: what every other floor plans from. Frozen data, but for `useLocales`. */

/** Kinds of attribute that hold one value in one column. */
export type ScalarKind =
  | "string"
  | "text"
  | "richtext"
  | "enumeration"
  | "email"
  | "password"
  | "uid"
  | "date"
  | "time"
  | "datetime"
  | "timestamp"
  | "integer"
  | "biginteger"
  | "float"
  | "decimal"
  | "boolean"
  | "json"
  | "blocks";

/** Kinds of attribute that a schema file can name as `type`. */
export type AttributeKind = ScalarKind | "relation" | "media" | "component" | "dynamiczone";

interface AttributeBase {
  /** Name as in the schema file and on the wire: `pubDate`. */
  readonly name: string;
  readonly required: boolean;
  /** Never shown, filtered, sorted or searched over the content API; writable. */
  readonly isPrivate: boolean;
  /** False: refused in the body of a write (`writable: false` in the schema). */
  readonly isWritable: boolean;
  /** True: one value per locale; false: one value shared by all locales. True on types that are not localised. */
  readonly isLocalized: boolean;
  /** The name this attribute had before; its column is renamed and its data kept. */
  readonly renamedFrom: string | undefined;
  /** What people call it; for tools. */
  readonly displayName?: string;
  /** Uid of the form that edits it, `plugin::color-picker.color`; for tools. */
  readonly customField?: string;
}

/** One value in one column; SCALAR_TRAITS says what each kind means for the database and for requests. */
export interface ScalarAttribute extends AttributeBase {
  readonly kind: ScalarKind;
  /** Column name, snake case of `name`: `pub_date`. */
  readonly column: string;
  readonly unique: boolean;
  /** Asks for an index for filters and sorts. */
  readonly index: boolean;
  readonly defaultValue: unknown;
  readonly min: number | string | undefined;
  readonly max: number | string | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Source of a regular expression that a text has to match. */
  readonly regex: string | undefined;
  /** Values of an enumeration, in order. */
  readonly values: readonly string[];
  /** Name of the enumeration's type in GraphQL, where the schema file gives it one. */
  readonly enumName: string | undefined;
  /** Attribute that a uid is made from. */
  readonly targetField: string | undefined;
  /** uid only: generated on REST writes when absent. */
  readonly autoGenerate: boolean;
  readonly searchable: boolean;
}

/** Forms of relation, as schema files name them; a `mappedBy` or `morphBy` makes the side an inverse one. */
export type RelationKind =
  | "oneToOne"
  | "oneToMany"
  | "manyToOne"
  | "manyToMany"
  | "morphToOne"
  | "morphToMany"
  | "morphOne"
  | "morphMany";

/**
 * A link to other documents. `media` is a relation to the content-type whose documents are files.
 *
 * | storage  | where the target's document id is kept |
 * |----------|-----------------------------------------|
 * | column   | in `column` of the owner's row (to-one, owning side); `<column>_type` too when polymorphic |
 * | links    | in the owner's link table (to-many, owning side) |
 * | inverse  | on the other side, by its attribute `mappedBy` |
 * | embedded | inside a component's jsonb, as an id or list of ids |
 * | locales  | `localizations`: the other rows of the same document |
 * | author   | as a row id in `column`: `createdBy` and `updatedBy` |
 * | uses     | `related` of files: every link of any type that leads to the document |
 */
export interface RelationAttribute extends AttributeBase {
  readonly kind: "relation" | "media";
  readonly relation: RelationKind;
  /** Uid of the target; undefined on morphToOne and morphToMany. */
  readonly target: string | undefined;
  readonly isMany: boolean;
  readonly isPolymorphic: boolean;
  readonly storage: "column" | "links" | "inverse" | "embedded" | "locales" | "uses" | "author";
  /** Attribute of the target that shows this link from the other side (set on the owning side of a two-way relation). */
  readonly inversedBy: string | undefined;
  /** Attribute of the target that owns the link (set when storage is `inverse`; for morphOne and morphMany the morph attribute). */
  readonly mappedBy: string | undefined;
  readonly column: string | undefined;
  /** Two-way oneToOne: the target has one holder only. */
  readonly isExclusive: boolean;
  /** Media: `images`, `files`, `videos`, `audios`; empty allows all. */
  readonly allowedTypes: readonly string[];
}

/** One component, or a list of one kind of component, in a jsonb column. */
export interface ComponentAttribute extends AttributeBase {
  readonly kind: "component";
  /** Uid of the component: `shared.seo`. */
  readonly component: string;
  readonly repeatable: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly column: string;
}

/** A list of components of several kinds, in a jsonb column; each item says its kind as `__component`. */
export interface ZoneAttribute extends AttributeBase {
  readonly kind: "dynamiczone";
  readonly components: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly column: string;
}

/** Any attribute; see `kind`. */
export type Attribute = ScalarAttribute | RelationAttribute | ComponentAttribute | ZoneAttribute;

/** What content-types and components have in common: named attributes in the order of the schema file. */
export interface Shape {
  readonly uid: string;
  readonly displayName: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** File the schema came from, for messages; undefined for code-defined ones. */
  readonly file: string | undefined;
}

/** A group of attributes that content-types embed; stored inside the row of its owner. */
export interface Component extends Shape {
  readonly shape: "component";
  readonly category: string;
}

/** A kind of document: one table, one set of endpoints. */
export interface ContentType extends Shape {
  readonly shape: "content-type";
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  /** Table name; the link table is `<table>_links`. */
  readonly table: string;
  readonly renamedFrom: string | undefined;
  /** Draft & publish: two rows a document (draft, published) instead of one. */
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
  /**
   * System fields that every row has, as scalar attributes: id, documentId, createdAt, updatedAt, publishedAt and,
   * on localised types, locale. Readable, filterable, sortable; never written by clients.
   */
  readonly systemFields: ReadonlyMap<string, ScalarAttribute | SystemId>;
  /**
   * `createdBy` and `updatedBy`: the people who made a row and changed it last. Apart from the attributes, because only
   * administrators may know them; see withAuthors. Empty in an app without a content-type of authors.
   */
  readonly authors: ReadonlyMap<string, RelationAttribute>;
  /** Of the content-type whose documents are authors: the attributes that say who somebody is. */
  readonly personFields: readonly string[] | undefined;
  /** The columns of each index on several attributes, in their order. */
  readonly indexes: readonly (readonly string[])[];
  /** `pluginOptions` of the schema file, as it is. */
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Of the content-type whose documents are files: the column that says what is in one, such as `image/png`. */
  readonly mimeColumn: string | undefined;
}

/** The row id: a positive integer, stable for the life of a version. */
export interface SystemId extends AttributeBase {
  readonly kind: "id";
  readonly column: "id";
}

/** A table that a plugin keeps beside the content. It is made where it is missing, and never changed or dropped. */
export interface PluginTable {
  /** Begins with `plinth_`, so that no content-type has it. */
  readonly name: string;
  /** The statements that make it with its indexes, one in each text. */
  readonly sql: readonly string[];
}

/** All content-types and components of an app and its plugins, by uid. */
export interface ContentModel {
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** Uid of the content-type whose documents are files, which media attributes lead to; undefined without one. */
  readonly fileType: string | undefined;
  /** Uid of the content-type whose documents are the authors of content; undefined without one. */
  readonly authorType: string | undefined;
  /** Locale used when a request names none: `en`. Read again by every operation: it can change while the app runs. */
  readonly defaultLocale: string;
  /** Locales that writes accept, the default one among them; read again by every write. */
  readonly locales: readonly string[];
  /** By locale: the default fallbacks of reads, in order. */
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  /**
   * Whether callers who may find documents may read their drafts as well; otherwise that takes the action `findDrafts`.
   */
  readonly openDrafts: boolean;
  /** Tables that plugins keep beside the content. */
  readonly tables: readonly PluginTable[];
  /** Replaces the three members about locales from now on, in this process; content-types and components never change. */
  useLocales(next: ModelLocales): void;
}

/** The locales of an app, and the one used when a request names none. */
export interface ModelLocales {
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  /** Default: none. */
  readonly fallbacks?: ReadonlyMap<string, readonly string[]>;
}

/** What media attributes lead to in an app without a content-type of files: nothing. */
export const NO_FILE_TYPE = "plinth::file";
