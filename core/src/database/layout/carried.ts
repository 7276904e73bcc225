/** What the tables of one content-type hold that the model of this process lacks: an older or a newer version put it there. */
export interface CarriedParts {
  /** Columns of the table, which both versions of a document get together. */
  readonly columns: readonly string[];
  /** Those of `columns` that all locales of a document share. */
  readonly shared: readonly string[];
  /** The link table, where the model has none; undefined where it has one, or there is none. */
  readonly links: string | undefined;
  /** Codes of to-many relations that all locales share. */
  readonly sharedCodes: readonly number[];
  /** Where unique values are in components; undefined where the model knows of all of them. */
  readonly uniques: CarriedUniques | undefined;
  /**
   * Codes of all that components of the type hold, where some of it is in places that the model does not know: no link
   * row can be called surplus then. Undefined where it knows all.
   */
  readonly embedded: readonly number[] | undefined;
}

/** Where unique values are in the components of one table, as the newest version has it. */
export interface CarriedUniques {
  readonly holders: readonly (UniqueHolder & { readonly column: string })[];
  readonly places: UniquePlaces;
}

/** An attribute that holds components. */
export interface UniqueHolder {
  readonly name: string;
  /** Uid of the component; `""` in zones, where each item says its own. */
  readonly component: string;
}

/** By uid of a component: its unique attributes, and those that hold further components. */
export type UniquePlaces = ReadonlyMap<
  string,
  { readonly uniques: readonly string[]; readonly holders: readonly UniqueHolder[] }
>;

/** Where the model and the tables agree. */
export const NOTHING_CARRIED: CarriedParts = {
  columns: [],
  shared: [],
  links: undefined,
  sharedCodes: [],
  uniques: undefined,
  embedded: undefined,
};

/**
 * What this process carries along in copies of rows without knowing it, by table. It changes while the process runs:
 * another version may change the tables. A table keeps the same object until then, so that statements can be kept with it.
 */
export class Carried {
  #tables: ReadonlyMap<string, CarriedParts> = new Map();

  of(table: string): CarriedParts {
    return this.#tables.get(table) ?? NOTHING_CARRIED;
  }

  replace(tables: ReadonlyMap<string, CarriedParts>): void {
    this.#tables = tables;
  }
}
