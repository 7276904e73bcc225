import type { App } from "@plinth/core";
import type { PreparedRead, Query } from "@plinth/core/reads";

/** What a read populates. */
export type Populate = Query["selection"]["populate"][number];

/** A relation, or media, that a read populates. */
export type RelationPopulate = Extract<Populate, { readonly kind: "relation" }>;

/** A form of a relation to several types. */
export type MorphForm = Extract<Populate, { readonly kind: "morph" }>["items"][number];

type Row = Readonly<Record<string, unknown>>;

/** What is read of linked documents: their type, and the part of the read that says what of it is shown. */
export interface LinkedPart {
  readonly type: string;
  readonly part: RelationPopulate | MorphForm;
  /** Files are known by their row ids. */
  readonly by: "documentId" | "id";
}

/**
 * Documents that were linked in a form and are not stored as links yet. They are named first and read then: one statement for
 * each relation of the read, however often it stands in the document. What the rules of the read hide is not found.
 */
export class LinkedRows {
  readonly #named = new Map<LinkedPart["part"], LinkedPart & { readonly keys: Set<unknown> }>();
  readonly #rows = new Map<LinkedPart["part"], ReadonlyMap<unknown, Row>>();

  constructor(
    private readonly app: App,
    private readonly prepared: PreparedRead,
  ) {}

  /** The documents of these ids in the order that the read asks for, else in this one. Before `load` they are noted only. */
  find(linked: LinkedPart, ids: readonly unknown[]): readonly Row[] {
    const { part } = linked;
    const rows = this.#rows.get(part);
    if (rows)
      return isSorted(part) ? [...rows].flatMap(([id, row]) => (ids.includes(id) ? [row] : [])) : rowsOf(rows, ids);
    const named = this.#named.get(part) ?? { ...linked, keys: new Set() };
    this.#named.set(part, named);
    for (const id of ids) named.keys.add(id);
    return [];
  }

  /** Reads what was noted. */
  async load(): Promise<void> {
    for (const { keys, ...linked } of this.#named.values())
      this.#rows.set(linked.part, await this.#read(linked, [...keys]));
  }

  async #read({ type, part, by }: LinkedPart, ids: readonly unknown[]): Promise<ReadonlyMap<unknown, Row>> {
    const { query, values, ...rest } = this.prepared;
    const known = this.app.model.contentTypes.get(type);
    const isOfKind = by === "id" ? Number.isSafeInteger : (id: unknown) => typeof id === "string";
    const wanted = ids.filter((id) => isOfKind(id));
    if (!known || wanted.length === 0) return new Map();
    const inIds = { op: "compare", field: by, operator: "$in", value: values.length } as const;
    const { filter, visible, selection } = part;
    const linked: Query = {
      ...{ type, status: query.status, isOne: false, selection, count: false },
      ...(query.fallback ? { fallback: query.fallback } : {}),
      locale: known.isLocalized ? (query.locale ?? DEFAULT_LOCALE) : undefined,
      filter: filter ? { op: "and", items: [filter, inIds] } : inIds,
      ...(visible ? { visible } : {}),
      sort: isSorted(part) ? part.sort : [],
    };
    const result = await this.app.documents(type).read({ ...rest, query: linked, values: [...values, wanted] });
    return new Map(result.rows().map((row) => [row[by], row]));
  }
}

/** The slot of the default locale in the values of every read. */
const DEFAULT_LOCALE = 0;

const isSorted = (part: LinkedPart["part"]): part is RelationPopulate => "sort" in part && part.sort.length > 0;

const rowsOf = (rows: ReadonlyMap<unknown, Row>, ids: readonly unknown[]): readonly Row[] =>
  ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
