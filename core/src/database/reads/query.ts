/**
 * A read, as data. Every name in it was looked up in the content model; no value is in it, only slots: indexes
 * into the list of values that comes with it. So two requests of the same form have an equal Query, which is
 * the key of the plan cache.
 */
export interface Query {
  readonly type: string;
  /** Which version of each document; ignored by types without drafts, handed on to populated types. */
  readonly status: Status;
  /** Slot of the locale asked for; `"*"` every locale; undefined on types that are not localised. */
  readonly locale: Slot | "*" | undefined;
  /**
   * Slots of the locales that stand in for the one asked for, in their order, where a document has no version in it. They
   * hold for all of the answer: also on types that are not localised, for what these populate. None with `*`.
   */
  readonly fallback?: readonly Slot[];
  /** True: one document (or none) is read, not a list. Without `documentId` it is the document of a single type. */
  readonly isOne: boolean;
  /** Slot of the document id, for reads of one document. */
  readonly documentId?: Slot;
  readonly filter?: Filter;
  /**
   * The condition for rows to be visible to the caller; it holds for other versions that a publication filter looks at
   * as well.
   */
  readonly visible?: Filter;
  /** Whose stamps make the version of one document: of its published row alone. Default: of its draft as well. */
  readonly stamps?: "published";
  /** Slot of the phrase to search for (`_q`). */
  readonly search?: Slot;
  /** The attributes that are searched; default: all that can be. */
  readonly searched?: readonly string[];
  readonly publication?: PublicationFilter;
  readonly sort: readonly Sort[];
  readonly selection: Selection;
  /** Undefined reads all rows. */
  readonly page?: OffsetPage | CursorPage;
  /** Whether the total of matching rows is wanted beside the page. */
  readonly count: boolean;
  /** Whether the size of the answer is watched while it is made; that of any other list is looked at in the end. */
  readonly isWatched?: boolean;
}

/** A page by its distance from the first row. */
export interface OffsetPage {
  /** Slots of offset and row count. */
  readonly start: Slot;
  readonly limit: Slot;
  /** True: so deep that looking up row ids first is faster. */
  readonly isDeep?: boolean;
  /** True: so many rows that populating all of them at once is faster. */
  readonly isLong?: boolean;
}

/** A page by the row that it comes after. */
export interface CursorPage {
  /**
   * Slots of that row's values of each key of the order, the row id included, which ends every order that does not name
   * it; null where a value is null. Empty: the page at the beginning.
   */
  readonly after: readonly (Slot | null)[];
  /** Slot of the row count. */
  readonly limit: Slot;
  /** As of OffsetPage. */
  readonly isLong?: boolean;
}

/** A Query with the values its slots point to: `values[slot]`. Slot 0 is always the default locale. */
export interface PreparedQuery {
  readonly query: Query;
  readonly values: readonly unknown[];
  /** Default: none. */
  readonly limits?: QueryLimits;
  /** Whether rows are wanted as they are stored, for one who writes them back: only hooks of files run on the way out. */
  readonly asStored?: boolean;
}

/** What a Query may cost. */
export interface QueryLimits {
  /** Most bytes of the JSON. */
  readonly answerBytes: number;
  /** Its estimated cost, in the units of `expensive`. */
  readonly points: number;
  /** Those of them that the rows of the answer cost, and what is looked up for each. */
  readonly answerPoints: number;
  /** The most points that it may cost, where its form alone says more: it is priced by the rows that there are. */
  readonly most?: number | undefined;
  /** Points from which on it is expensive: it runs with limited concurrency then. */
  readonly expensive: number;
  /** Milliseconds that it may take then. */
  readonly expensiveTime: number;
}

/** Index into the values of a PreparedQuery. */
export type Slot = number;

/** Slot that always holds the default locale of the model. */
export const DEFAULT_LOCALE_SLOT: Slot = 0;

/** Which version of a document: its draft, or what is published. */
export type Status = "draft" | "published";

/**
 * Selections by what is known of the other version.
 *
 * @source plugins/content-api/WIRE.md#publication-filters
 */
export type PublicationFilter =
  | "never-published"
  | "has-published-version"
  | "modified"
  | "unmodified"
  | "never-published-document"
  | "has-published-version-document"
  | "published-without-draft"
  | "published-with-draft";

/** Operators that compare one attribute with one value (a list for `$in` and `$notIn`). */
export type CompareOperator =
  | "$eq"
  | "$eqi"
  | "$ne"
  | "$nei"
  | "$lt"
  | "$lte"
  | "$gt"
  | "$gte"
  | "$in"
  | "$notIn"
  | "$contains"
  | "$notContains"
  | "$containsi"
  | "$notContainsi"
  | "$startsWith"
  | "$startsWithi"
  | "$endsWith"
  | "$endsWithi";

/** How many entries of a list have to fulfil a condition. Of an empty list none does, and every one does. */
export type Quantifier = "some" | "none" | "every";

/** A condition on one row. `field` is a name of the row's content-type or component, system fields included. */
export type Filter =
  | { readonly op: "and" | "or"; readonly items: readonly Filter[] }
  | { readonly op: "not"; readonly item: Filter }
  /** `value` holds a value already coerced to the attribute's kind; for `$in` and `$notIn` an array of them. */
  | { readonly op: "compare"; readonly field: string; readonly operator: CompareOperator; readonly value: Slot }
  /** Is null, for scalars; has no target or item, for relations, media and components. Only targets that are `visible` count. */
  | { readonly op: "null"; readonly field: string; readonly isNull: boolean; readonly visible?: Filter }
  /**
   * Some related document (or component) that is `visible` fulfils `where`; a row without any counts as one whose fields
   * are all null.
   */
  | { readonly op: "related"; readonly field: string; readonly where: Filter; readonly visible?: Filter }
  /**
   * Of a list: some, none or every one of the entries that are shown and `visible` fulfils `where`. A negation is the
   * opposite of the whole condition.
   */
  | {
      readonly op: "entries";
      readonly field: string;
      readonly quantifier: Quantifier;
      readonly where: Filter;
      readonly visible?: Filter;
    }
  /** The state of the document, as the field of STATE_SHAPE, fulfils `where`; of its versions only those that are `visible` count. */
  | { readonly op: "state"; readonly where: Filter; readonly visible?: Filter }
  /** `$in: []` matches nothing, `$notIn: []` everything. */
  | { readonly op: "constant"; readonly value: boolean };

/** One key of an order. The path leads through relations and components to a scalar: `["author", "name"]`. */
export interface Sort {
  readonly path: readonly string[];
  readonly direction: "asc" | "desc";
  /** By index in the path: the condition for the targets of that step to be visible to the caller. */
  readonly visible?: Readonly<Record<number, Filter>>;
}

/** Which of some rows of a type are visible to the caller. */
export interface RowsQuery {
  readonly type: string;
  /** Slot of a list of row ids. */
  readonly rows: Slot;
  readonly visible: Filter;
}

/** What is returned of a row. A field that is a name is a scalar or system field under that name, as it is on the wire. */
export interface Selection {
  readonly fields: readonly (string | Output)[];
  readonly populate: readonly Populate[];
  /** All keys of the output in their order. Default: the fields, then what is populated. */
  readonly order?: readonly string[];
}

/** `text`: numbers as texts; `long`: as numbers where JavaScript can hold them, else as texts; `time`: `HH:mm:ss.SSS`. */
export type OutputForm = "text" | "long" | "time";

/** A value under a name of the caller's choice (GraphQL): a field, or a text that is the same for every row. */
export type Output =
  | {
      readonly field: string;
      readonly alias: string;
      /** Default: as on the wire. */
      readonly form?: OutputForm;
    }
  | { readonly constant: string; readonly alias: string }
  | FactOutput;

/** What is known of the row's document beside its values; of its versions only those that are `visible` count. */
export interface FactOutput {
  /**
   * `state`: of the row's locale, `draft`, `published`, or `modified` where the draft was changed after it was published.
   * `locales`: a list of `{ locale, state }`; empty on types without locales.
   */
  readonly fact: "state" | "locales";
  readonly alias: string;
  readonly visible?: Filter;
}

/** One relation, component or zone to be returned with its row, or a group of them. */
export type Populate =
  | RelationPopulate
  | CountPopulate
  | ComponentPopulate
  | ZonePopulate
  | MorphPopulate
  | GroupPopulate;

interface PopulateBase {
  readonly field: string;
  /** Name in the output when it is not the field's (GraphQL aliases). */
  readonly alias?: string;
}

/** A relation or media attribute with one target type. */
export interface RelationPopulate extends PopulateBase {
  readonly kind: "relation";
  readonly selection: Selection;
  readonly filter?: Filter;
  /** The condition for targets to be visible to the caller. */
  readonly visible?: Filter;
  /** Empty: the order of the links as written. */
  readonly sort: readonly Sort[];
  readonly page?: { readonly start: Slot; readonly limit: Slot };
  /** Most entries of a list without a page; undefined for all. */
  readonly most?: number;
}

/** `populate[x][count]=true`: `{ "count": n }` in place of the entries. */
export interface CountPopulate extends PopulateBase {
  readonly kind: "count";
  readonly filter?: Filter;
  /** As in RelationPopulate. */
  readonly visible?: Filter;
}

/** A component attribute; filter, sort and page are for repeatable ones. */
export interface ComponentPopulate extends PopulateBase {
  readonly kind: "component";
  readonly selection: Selection;
  readonly filter?: Filter;
  readonly sort: readonly Sort[];
  readonly page?: { readonly start: Slot; readonly limit: Slot };
}

/** An object of its own around something of the same row: `{ "nodes": [...] }` around a relation. `field` is its name. */
export interface GroupPopulate extends PopulateBase {
  readonly kind: "group";
  readonly selection: Selection;
}

/** One form of entry where a list holds several. Entries that do not match are left out. */
export interface FormSelection {
  readonly filter?: Filter;
  readonly selection: Selection;
}

/** A dynamic zone. */
export interface ZonePopulate extends PopulateBase {
  readonly kind: "zone";
  /** What to return of the items of each component; components that are not listed are left out. */
  readonly items: readonly (FormSelection & { readonly component: string })[];
  /** Items do not say by `__component` what they are. */
  readonly isBare?: boolean;
}

/** What is read of one type that a polymorphic relation leads to. */
export interface MorphItem extends FormSelection {
  readonly type: string;
  readonly visible?: Filter;
  /** Link keys of the type that are not looked at where the relation is what links to the document. */
  readonly hiddenLinks?: readonly string[];
}

/** A polymorphic to-one or to-many: read as references, then completed per type (decision 5). */
export interface MorphPopulate extends PopulateBase {
  readonly kind: "morph";
  /** Most references of a list; undefined for all. */
  readonly most?: number;
  readonly items: readonly MorphItem[];
}
