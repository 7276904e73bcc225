// What a read will cost: by its form, and of large tables by PostgreSQL's planner, which knows their sizes and indexes.
import { LRUCache } from "lru-cache";
import { isPlinthError } from "../../base/error.js";
import type { Database, Statement } from "../driver/database.js";
import { LargeTables } from "./large-tables.js";
import { type PlanNode, unitsOf, wholeTableUnits } from "./plan-units.js";
import type { PreparedQuery, Query } from "./query.js";

/** Points of a unit of the planner: 4,100 units of a scan and a sort of 10,000 articles of 2.8 kB took 33 ms. */
const UNIT = 10;

/**
 * Points that the planner counts for each point of an answer by its form: a look-up by an index is 4 points of the form, and 8
 * units of the planner, which expects two pages from disk.
 */
const LOOKED_UP = 20;

/** Rows of a table that the form assumes. */
const ASSUMED_ROWS = 2000;

/** Prices that are kept, and characters of all their keys. */
const MOST_PRICES = 2000;
const MOST_CHARACTERS = 8_000_000;

/** Milliseconds that a price holds: tables grow, and indexes are made. */
const MAX_AGE = 300_000;

interface Explained {
  readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }];
}

/** Estimates the cost of reads on one database. */
export class ReadCosts {
  readonly #large: LargeTables;
  readonly #prices = new LRUCache<string, Promise<number>>({
    max: MOST_PRICES,
    maxSize: MOST_CHARACTERS,
    maxEntrySize: MOST_CHARACTERS / 8,
    sizeCalculation: (_, key) => key.length,
    ttl: MAX_AGE,
    perf: performance,
  });
  /** Numbers the names of statements that are only explained. */
  #named = 0;

  constructor(
    private readonly db: Pick<Database, "query" | "queryAll" | "transaction" | "engine" | "isInTransaction">,
  ) {
    this.#large = new LargeTables(db);
  }

  /**
   * The points of a read, before it runs; 0 where it has no limits.
   *
   * @param tables - those that the statement reads.
   * @param statement - that of the read, with or without its total.
   */
  async pointsOf(tables: readonly string[], statement: Statement, prepared: PreparedQuery): Promise<number> {
    if (!prepared.limits) return 0;
    const { points, expensive } = prepared.limits;
    // Citus plans for its workers, and says nothing of their costs. A failed question would end a transaction.
    if (points > expensive || this.db.engine === "citus" || this.db.isInTransaction) return points;
    if (!(await this.#large.includeAny(tables))) return points;
    const [own, any] = await Promise.all([
      this.#kept(keyOf(statement, prepared), () => this.#priceOf(statement, prepared)),
      this.#kept(statement.text, () => this.#priceOfAny(statement)),
    ]);
    return Math.max(points, own, any);
  }

  /** By the plan for its values: a rare value costs less than a common one, and a page near the beginning less than a deep one. */
  async #priceOf({ text, values }: Statement, { query, values: given, limits }: PreparedQuery): Promise<number> {
    const explain = { text: `explain (format json) ${text}`, values, isRead: true, isUpkeep: true };
    const [row] = await this.db.query<Explained>(explain);
    if (!row) return 0;
    const question = { hasConditions: hasConditions(query), pageEnd: pageEndOf(query, given) };
    const { finding, answering, scanned } = unitsOf(row["QUERY PLAN"][0].Plan, question);
    const { points = 0, answerPoints = 0 } = limits ?? {};
    // The planner takes any comparison for one of numbers; the form knows those that fold letters or read long texts.
    const compared = Math.max(0, ...scanned.map((table) => this.#large.rowsOf(table))) / ASSUMED_ROWS;
    const found = Math.max(finding * UNIT, (points - answerPoints) * compared);
    return found + Math.max(0, answering * UNIT - answerPoints * LOOKED_UP);
  }

  /** By the plan for any values, which is the one that runs: what it reads whole, it reads whole for a rare value as well. */
  async #priceOfAny({ text, values }: Statement): Promise<number> {
    this.#named += 1;
    // Where a pooler hands a session on, another process may use it next.
    const name = `plinth_cost_${process.pid}_${this.#named}`;
    const given = values.length > 0 ? `(${values.map(() => "null").join(", ")})` : "";
    const [row] = await this.#rolledBack<Explained>([
      `prepare ${name} as ${text}`,
      `explain (format json) execute ${name}${given}`,
      `deallocate ${name}`,
    ]);
    return row ? wholeTableUnits(row["QUERY PLAN"][0].Plan) * UNIT : 0;
  }

  /** What the second of some statements returned. They are rolled back: a commit counts as a write, which replicas have to reach. */
  async #rolledBack<Row extends object>(texts: readonly string[]): Promise<readonly Row[]> {
    const end = new Error("rolled back");
    let rows: readonly Row[] = [];
    const work = async () => {
      const all = await this.db.queryAll(texts.map((text) => ({ text, values: [] })));
      rows = (all[1] ?? []) as Row[];
      throw end;
    };
    await this.db.transaction(work).catch((error: unknown) => {
      if (error !== end) throw error;
    });
    return rows;
  }

  /** Where a table has changed meanwhile, the read itself fails, with an error that says so. */
  #kept(key: string, ask: () => Promise<number>): Promise<number> {
    const known = this.#prices.get(key);
    if (known) return known;
    const price = ask().catch((error: unknown) => {
      this.#prices.delete(key);
      if (isPlinthError(error)) throw error;
      return 0;
    });
    this.#prices.set(key, price);
    return price;
  }
}

/** Reads of one document cost the same for every id. Totals that are known are no part of the key: they change. */
function keyOf({ text }: Statement, { query, values }: PreparedQuery): string {
  const slot = query.isOne ? query.documentId : undefined;
  return `${text}\n${JSON.stringify(slot === undefined ? values : values.with(slot, null))}`;
}

const hasConditions = ({ filter, visible, search, publication, isOne }: Query): boolean =>
  !isOne && [filter, visible, search, publication].some((part) => part !== undefined);

function pageEndOf({ page }: Query, values: readonly unknown[]): number | undefined {
  if (!page || !("start" in page)) return undefined;
  return Number(values[page.start]) + Number(values[page.limit]);
}
