import type { Database, Statement } from "../database.js";
import type { Layout } from "../layout.js";
import type { PreparedQuery, Query, RowsQuery, Slot } from "../query.js";
import { compileCount, compileQuery, compileRows, type Plan } from "./compile-query.js";
import { KNOWN_STAMP, KNOWN_TOTAL } from "./compile-total.js";
import { completeReferences } from "./complete-references.js";
import { KeptTotals, type KnownTotal } from "./kept-totals.js";
import { hasReferences } from "./morph-paths.js";
import { PlanCache } from "./plan-cache.js";
import type { ReadAround, Reader } from "./read.js";
import { SharedReads } from "./shared-reads.js";

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
  const reads = new PlanCache<Query, Plan>(planCacheSize, (query) => compileQuery(query, layout));
  const counts = new PlanCache<Query, Plan>(planCacheSize, (query) => compileCount(query, layout));
  const rows = new PlanCache<RowsQuery, Plan>(planCacheSize, (query) => compileRows(query, layout));
  const totals = new KeptTotals();
  const shared = new SharedReads<ReadRow>(db);
  // A transaction sees what it wrote itself, and may take it back.
  const knownOf = ({ kept }: Plan, values: readonly unknown[]): KnownTotal | undefined =>
    kept && !db.isInTransaction ? totals.recall(kept, values) : undefined;
  const totalOf = ({ kept }: Plan, values: readonly unknown[], { total, stamp }: TotalRow): number | undefined => {
    if (total === undefined) return undefined;
    if (kept && stamp !== undefined && !db.isInTransaction) totals.keep(kept, values, { total, stamp });
    return Number(total);
  };
  const readRow = async ({ query, values }: PreparedQuery, around?: ReadAround): Promise<ReadRow | undefined> => {
    const plan = reads.get(query);
    const known = knownOf(plan, values);
    const statement = toStatement(plan, values, known);
    if (around === undefined)
      return (await readUncounted(shared, plan, values, known)) ?? (await shared.read(plan, statement))[0];
    const ends = around.ends && !hasReferences(query.selection);
    const results = await db.queryAll([...around.after, statement], { ends });
    return results.at(-1)?.[0] as ReadRow | undefined;
  };

  const reader: Reader = {
    async read(prepared, around) {
      const row = await readRow(prepared, around);
      const total = row && totalOf(reads.get(prepared.query), prepared.values, row);
      const text = row?.data ?? "null";
      const rest = { total, place: row?.place ?? undefined, stamps: row?.stamps };
      if (!hasReferences(prepared.query.selection)) return { text, ...rest };
      return { text: await completeReferences(reader, layout, prepared, text), ...rest };
    },
    async count({ query, values }) {
      const plan = counts.get(query);
      const [row] = await db.query<TotalRow>(toStatement(plan, values, knownOf(plan, values)));
      return (row && totalOf(plan, values, row)) ?? 0;
    },
    async rows({ query, values }) {
      const found = await db.query<{ id: string }>(toStatement(rows.get(query), values));
      return new Set(found.map(({ id }) => id));
    },
  };
  return reader;
}

/** A row of a list whose total is known and holds still; undefined where it has to be counted. */
async function readUncounted(
  shared: SharedReads<ReadRow>,
  { uncounted }: Plan,
  values: readonly unknown[],
  known: KnownTotal | undefined,
): Promise<ReadRow | undefined> {
  if (!uncounted || !known?.isSteady) return undefined;
  const [row] = await shared.read(uncounted, toStatement(uncounted, values));
  return row?.stamp === known.stamp ? { ...row, total: known.total } : undefined;
}

/** The statement of a plan. */
function toStatement({ text, slots }: Plan, values: readonly unknown[], known?: KnownTotal): Statement {
  const valueIn = (slot: Slot) => {
    if (slot === KNOWN_STAMP) return known?.stamp;
    return slot === KNOWN_TOTAL ? known?.total : values[slot];
  };
  return { text, values: slots.map(valueIn), isPlan: true };
}
