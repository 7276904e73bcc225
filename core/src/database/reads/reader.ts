import { LRUCache } from "lru-cache";
import { channels } from "../../base/telemetry.js";
import type { ReadPoint } from "../driver/position.js";
import type { Database, Statement } from "../driver/database.js";
import type { Layout } from "../layout/layout.js";
import { MOST_BYTES, mostBytesOf, toAnswerError } from "./answer-size.js";
import { CoalescedReads } from "./coalesced-reads.js";
import { compileCount, compileQuery, compileRows, type Plan } from "./compile-query.js";
import { type CacheableCount, KNOWN_STAMP } from "./compile-total.js";
import { completeReferences } from "./complete-references.js";
import { ExpensiveReads } from "./expensive-reads.js";
import { countExtents } from "./extents.js";
import { hasReferences } from "./morph-paths.js";
import { ReadNodes } from "./read-nodes.js";
import type { PreparedQuery, Query, RowsQuery, Slot } from "./query.js";
import { ReadCosts } from "./read-costs.js";
import type { Reader, ReadOptions, ReadSource, ReadText } from "./read.js";
import { stampStatement } from "./stamps.js";
import { type AskStamp, TablesRead } from "./tables-read.js";

/** int8 comes as text. */
interface TotalRow {
  readonly total?: string;
  readonly stamp?: string;
}

interface ReadRow extends TotalRow {
  readonly data: string;
  readonly place?: string | null;
  readonly stamps?: string;
}

/**
 * A reader of one database.
 *
 * @param planCacheSize - forms of Query whose plans are kept.
 */
export function createReader(db: Database, layout: Layout, planCacheSize = 2000): Reader {
  const nodes = new ReadNodes(db, createSources);
  const inNode = <Result>(
    from: ReadPoint | undefined,
    run: (node: RowSources) => Promise<Result>,
    isReported = true,
  ) => (from && !db.isInTransaction ? nodes.read(from, run, isReported) : run(nodes.primary));
  const ask: AskStamp = (tables, from) => inNode(from, (node) => stampOf(node, tables));
  const { reads, counts, rows } = createPlans(layout, planCacheSize, ask);
  const totals = new KeptTotals(db);
  const readFrom = async (from: RowSources, prepared: PreparedQuery, options?: ReadOptions): Promise<ReadText> => {
    const plan = reads.get(prepared.query);
    const isWhole = !hasReferences(prepared.query.selection);
    // Before the read: what is written between the two makes the stamp too old, and never the text.
    const stamp = options?.withStamp && isWhole ? await stampOf(from, plan.tables) : undefined;
    const planned = { plan, known: totals.knownOf(plan, prepared.values) };
    const row = await runRead(from, prepared, planned, options).catch((error: unknown) => {
      throw toAnswerError(error, mostBytesOf(prepared));
    });
    const total = row && totals.totalOf(plan, prepared.values, row);
    const text = row?.data ?? "null";
    const rest = { total, place: row?.place ?? undefined, stamps: row?.stamps, stamp };
    if (isWhole) return { text, ...rest, source: plan.source };
    // What the first trip found has to be there for the second.
    const sameNode = { read: (inner: PreparedQuery) => readFrom(from, inner) };
    const completed = await completeReferences(sameNode, layout, prepared, text);
    return { text: completed, ...rest, source: undefined };
  };
  const statementOf = (prepared: PreparedQuery) => toStatement(reads.get(prepared.query), givenTo(prepared));

  return {
    read: (prepared, options) => inNode(options?.from, (node) => readFrom(node, prepared, options)),
    statementOf,
    pointsOf(prepared, options) {
      const { tables } = reads.get(prepared.query);
      const ask = ({ costs }: RowSources) => costs.pointsOf(tables, statementOf(prepared), prepared);
      return inNode(options?.from, ask, false);
    },
    extentOf: countExtents(db, layout),
    async count({ query, values }) {
      const plan = counts.get(query);
      const [row] = await db.query<TotalRow>(toStatement(plan, { values, known: totals.knownOf(plan, values) }));
      return (row && totals.totalOf(plan, values, row)) ?? 0;
    },
    rows: ({ query, values }) => idsOf(db, toStatement(rows.get(query), { values })),
  };
}

const idsOf = async (db: Database, statement: Statement): Promise<ReadonlySet<string>> =>
  new Set((await db.query<{ id: string }>(statement)).map(({ id }) => id));

/** The plans of each kind of form, made when a form is met first. */
function createPlans(layout: Layout, capacity: number, ask: AskStamp) {
  const planOf = (query: Query): ReadPlan => {
    const plan = compileQuery(query, layout);
    return { ...plan, source: new TablesRead(plan.tables, layout, ask) };
  };
  return {
    reads: new PlanCache<Query, ReadPlan>(capacity, planOf, sizeOfPlan),
    counts: new PlanCache<Query, Plan>(capacity, (query) => compileCount(query, layout), sizeOfPlan),
    rows: new PlanCache<RowsQuery, Plan>(capacity, (query) => compileRows(query, layout), sizeOfPlan),
  };
}

/** The totals that the answers of one database had. */
class KeptTotals {
  readonly #counts = new CountCache();

  constructor(private readonly db: Database) {}

  /** A transaction sees what it wrote itself, and may roll back. */
  knownOf({ kept }: Plan, values: readonly unknown[]): CachedCount | undefined {
    return kept && !this.db.isInTransaction ? this.#counts.get(kept, values) : undefined;
  }

  /** The total of a row, which is kept. */
  totalOf({ kept }: Plan, values: readonly unknown[], { total, stamp }: TotalRow): number | undefined {
    if (total === undefined) return undefined;
    if (channels.total.hasSubscribers) reportTotal(this.db, kept && this.#counts.get(kept, values)?.stamp === stamp);
    if (kept && stamp !== undefined && !this.db.isInTransaction) this.#counts.set(kept, values, { total, stamp });
    return Number(total);
  }
}

/** @param isKept - undefined: it is one that writers keep. */
function reportTotal({ knex }: Database, isKept: boolean | undefined): void {
  const counted = isKept ? "kept" : "counted";
  channels.total.publish({ pool: knex, how: isKept === undefined ? "sum" : counted });
}

/** A plan with what its answers depend on. */
interface ReadPlan extends Plan {
  readonly source: ReadSource;
}

/** Stands for the plan of stamps, which is the same for all tables. */
const STAMPS = {};

/** Asked for at the same time it is one statement, as equal reads are. */
async function stampOf({ db, stamps }: RowSources, tables: readonly string[]): Promise<string> {
  const [row] = await stamps.read(STAMPS, stampStatement(db, tables));
  return row?.stamp ?? "";
}

interface RowSources {
  readonly db: Database;
  readonly shared: CoalescedReads<ReadRow>;
  readonly stamps: CoalescedReads<TotalRow>;
  readonly expensive: ExpensiveReads;
  readonly costs: ReadCosts;
}

const createSources = (db: Database): RowSources => ({
  db,
  shared: new CoalescedReads<ReadRow>(db),
  stamps: new CoalescedReads<TotalRow>(db),
  expensive: new ExpensiveReads(db),
  costs: new ReadCosts(db),
});

/**
 * Runs the statement of a read: by itself, or as the end of a transaction. A list whose total is known and holds still is
 * counted only where something was written meanwhile.
 */
async function runRead(
  sources: RowSources,
  prepared: PreparedQuery,
  { plan, known }: { readonly plan: Plan; readonly known: CachedCount | undefined },
  options?: ReadOptions,
): Promise<ReadRow | undefined> {
  const given = givenTo(prepared);
  const counted = toStatement(plan, { ...given, known });
  if (options?.ends && !hasReferences(prepared.query.selection))
    return (await sources.db.queryAll([counted], options))[0]?.[0] as ReadRow | undefined;
  const { uncounted } = plan;
  if (uncounted && known?.isStable) {
    const row = await sendRead(sources, prepared, uncounted, toStatement(uncounted, given));
    if (row?.stamp === known.stamp) return { ...row, total: known.total };
  }
  return await sendRead(sources, prepared, plan, counted);
}

/** Sends the statement of a read: where expensive ones have their place, if it is one. */
async function sendRead(
  { shared, expensive, costs }: RowSources,
  prepared: PreparedQuery,
  plan: Plan,
  statement: Statement,
): Promise<ReadRow | undefined> {
  const { limits } = prepared;
  const isExpensive = limits && (await costs.pointsOf(plan.tables, statement, prepared)) > limits.expensive;
  if (!isExpensive) return (await shared.read(plan, statement))[0];
  const send = async () => (await expensive.read(statement, limits.expensiveTime)) as readonly ReadRow[];
  return (await shared.read(plan, statement, send))[0];
}

const sizeOfPlan = ({ text, uncounted }: Plan): number => text.length + (uncounted?.text.length ?? 0);

/** The values of a statement: those of a Query, and of the slots that no Query has. */
interface Given {
  readonly values: readonly unknown[];
  /** Most bytes of the answer. */
  readonly most?: number;
  readonly known?: CachedCount | undefined;
}

const givenTo = (prepared: PreparedQuery): Given => ({ values: prepared.values, most: mostBytesOf(prepared) });

/** The statement of a plan. */
function toStatement({ text, slots }: Plan, { values, most, known }: Given): Statement {
  const valueIn = (slot: Slot) => {
    if (slot >= 0) return values[slot];
    if (slot === MOST_BYTES) return most;
    return slot === KNOWN_STAMP ? known?.stamp : known?.total;
  };
  return { text, values: slots.map(valueIn), isPlan: true, isRead: true };
}

/** Characters of all that one cache keeps: 16 MB, and twice as much where they are not Latin. */
const MOST_OF_PLANS = 16_000_000;

/**
 * Caches what was made from a form, by the JSON of that form. Bounded, because clients can send any number of forms.
 */
class PlanCache<Form extends object, Plan extends object> {
  readonly #plans: LRUCache<string, Plan>;
  /** A form that is seen again as the same object need not be written out again. */
  readonly #keys = new WeakMap<Form, string>();

  /** @param sizeOf - characters of a plan. */
  constructor(
    capacity: number,
    private readonly make: (form: Form) => Plan,
    sizeOf: (plan: Plan) => number,
  ) {
    this.#plans = new LRUCache({
      max: capacity,
      maxSize: MOST_OF_PLANS,
      maxEntrySize: MOST_OF_PLANS / 8,
      sizeCalculation: (plan, key) => key.length + sizeOf(plan),
    });
  }

  get(form: Form): Plan {
    const key = this.#keyOf(form);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = this.make(form);
    this.#plans.set(key, plan);
    return plan;
  }

  #keyOf(form: Form): string {
    const known = this.#keys.get(form);
    if (known !== undefined) return known;
    const key = JSON.stringify(form);
    this.#keys.set(form, key);
    return key;
  }
}

/** Totals that are kept; bounded, because clients can send any number of filters. */
const MOST_TOTALS = 5000;

/** Characters of all of them together, of two bytes at most: clients can also send long lists of values. */
const MOST_OF_TOTALS = 2_000_000;

/** A total, and the stamp of its tables when it was counted; int8 as text. */
interface Counted {
  readonly stamp: string;
  readonly total: string;
}

/** What was counted the last time. */
interface CachedCount extends Counted {
  /** Whether nothing was written between the last two reads: most likely it still holds. */
  readonly isStable: boolean;
}

/** What filtered lists counted the last time. The statement decides whether it still holds. */
export class CountCache {
  readonly #known = new LRUCache<string, CachedCount>({
    max: MOST_TOTALS,
    maxSize: MOST_OF_TOTALS,
    maxEntrySize: MOST_OF_TOTALS / 8,
    sizeCalculation: ({ stamp, total }, key) => key.length + stamp.length + total.length,
  });

  get(kept: CacheableCount, values: readonly unknown[]): CachedCount | undefined {
    return this.#known.get(keyOf(kept, values));
  }

  set(kept: CacheableCount, values: readonly unknown[], { stamp, total }: Counted): void {
    const key = keyOf(kept, values);
    this.#known.set(key, { stamp, total, isStable: this.#known.get(key)?.stamp === stamp });
  }
}

const keyOf = ({ key, slots }: CacheableCount, values: readonly unknown[]): string =>
  key + JSON.stringify(slots.map((slot) => values[slot]));
