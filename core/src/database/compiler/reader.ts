import type { Database } from "../database.js";
import type { Layout } from "../layout.js";
import type { Query, RowsQuery } from "../query.js";
import { compileCount, compileQuery, compileRows, type Plan } from "./compile-query.js";
import { completeReferences } from "./complete-references.js";
import { hasReferences } from "./morph-paths.js";
import { PlanCache } from "./plan-cache.js";
import type { Reader } from "./read.js";

interface ReadRow {
  readonly data: string;
  /** int8 comes as text. */
  readonly total?: string;
  readonly place?: string | null;
  readonly stamps?: string;
}

/**
 * A reader of one database.
 *
 * @param planCacheSize - forms of Query whose plans are kept; the least recently used goes first.
 */
export function createReader(db: Database, layout: Layout, planCacheSize = 2000): Reader {
  const reads = new PlanCache<Query, Plan>(planCacheSize, (query) => compileQuery(query, layout));
  const counts = new PlanCache<Query, Plan>(planCacheSize, (query) => compileCount(query, layout));
  const rows = new PlanCache<RowsQuery, Plan>(planCacheSize, (query) => compileRows(query, layout));
  const run = <Row extends object>({ text, slots }: Plan, values: readonly unknown[]) =>
    db.query<Row>({ text, values: slots.map((slot) => values[slot]), isPlan: true });

  const reader: Reader = {
    async read(prepared) {
      const [row] = await run<ReadRow>(reads.get(prepared.query), prepared.values);
      const total = row?.total === undefined ? undefined : Number(row.total);
      const text = row?.data ?? "null";
      const rest = { total, place: row?.place ?? undefined, stamps: row?.stamps };
      if (!hasReferences(prepared.query.selection)) return { text, ...rest };
      return { text: await completeReferences(reader, layout, prepared, text), ...rest };
    },
    async count(prepared) {
      const [row] = await run<{ total: string }>(counts.get(prepared.query), prepared.values);
      return Number(row?.total ?? 0);
    },
    async rows({ query, values }) {
      const found = await run<{ id: string }>(rows.get(query), values);
      return new Set(found.map(({ id }) => id));
    },
  };
  return reader;
}
