/** `GET /admin/api/model`: the types that may be found by the caller, and what describes their forms. */
export interface Model {
  readonly types: readonly TypeView[];
  readonly components: readonly ComponentView[];
}

/** A content-type as forms and lists show it. */
export interface TypeView {
  /** `api::article.article`. */
  readonly uid: string;
  readonly kind: "collectionType" | "singleType";
  /** `displayName` of the schema file. */
  readonly label: string;
  readonly description: string | null;
  /** Heading in the navigation; null: none. */
  readonly group: string | null;
  /** Name of an icon of the page; null: that of its kind. */
  readonly icon: string | null;
  /** The attribute that names a document. */
  readonly title: string;
  /** Attributes that are columns of the list, in order. */
  readonly list: readonly string[];
  /** Rows of the form; each lists attributes. */
  readonly layout: readonly (readonly string[])[];
  readonly hasDrafts: boolean;
  /** Whether the draft is saved when typing rests. Types without drafts never do. */
  readonly autosaves: boolean;
  readonly isLocalized: boolean;
  /** Whether a front end can show a document beside its form. */
  readonly hasPreview: boolean;
  /** Attributes whose column has an index: sorting by them is quick. */
  readonly sortable: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeView>>;
}

/** A component, which is a form of its own within others. */
export interface ComponentView {
  /** `shared.seo`. */
  readonly uid: string;
  readonly label: string;
  readonly category: string;
  readonly icon: string | null;
  /** The attribute that names an item; null: it has no text. */
  readonly title: string | null;
  readonly layout: readonly (readonly string[])[];
  readonly attributes: Readonly<Record<string, AttributeView>>;
}

/** Kinds of attributes, as schema files name them; `relation` covers all relations. */
export type AttributeKind =
  | "string"
  | "text"
  | "richtext"
  | "blocks"
  | "email"
  | "password"
  | "uid"
  | "integer"
  | "biginteger"
  | "float"
  | "decimal"
  | "boolean"
  | "enumeration"
  | "date"
  | "time"
  | "datetime"
  | "timestamp"
  | "json"
  | "media"
  | "relation"
  | "component"
  | "dynamiczone";

/** An attribute as a form shows it. */
export interface AttributeView {
  readonly kind: AttributeKind;
  readonly label: string;
  readonly hint: string | null;
  readonly placeholder: string | null;
  /** Columns of twelve. */
  readonly width: 3 | 4 | 6 | 8 | 9 | 12;
  readonly isRequired: boolean;
  /** False: shown, and not to be changed, by the schema or by what the caller may. */
  readonly isEditable: boolean;
  readonly isVisible: boolean;
  /** Whether each locale has a value of its own. */
  readonly isLocalized: boolean;
  readonly isUnique: boolean;
  /** As schema files have it; nothing: none. */
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Numbers, and counts of items; a biginteger's as text. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Source of a regular expression that the whole value matches. */
  readonly regex?: string;
  /** Values of an enumeration. */
  readonly values?: readonly string[];
  /** Of a uid: the attribute it is made from. */
  readonly targetField?: string;
  /** Of media: `images`, `videos`, `audios`, `files`. */
  readonly allowedTypes?: readonly string[];
  /** Of media, relations and components: whether there may be several. */
  readonly isMultiple?: boolean;
  /** Of a relation: the uid of its target; null: one of several types, as `targets` has them. */
  readonly target?: string | null;
  readonly targets?: readonly string[];
  /** Of a component: its uid. */
  readonly component?: string;
  /** Of a dynamic zone. */
  readonly components?: readonly string[];
  /** Name of the field that an extension brings. */
  readonly field?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Shown only where it holds for the other values; a hidden field keeps its value. Written in JSON Logic. @source https://jsonlogic.com/operations.html */
  readonly condition?: unknown;
}
