// Counts the rows of tables and the links of lists, as far as the cost of a read needs it.
import { LRUCache } from "lru-cache";
import type { RelationAttribute } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { isRelation, type Layout, linkCode, tableOf } from "../layout/layout.js";
import { identifier } from "../sql/sql.js";

/** The rows of a content-type, or, with the name of a to-many attribute, all its links. */
export interface Extent {
  readonly type: string;
  readonly list?: string;
}

/** What is counted at most: a table with more rows counts as one without end. */
const MOST = 50_000;

/** Milliseconds that a count holds, and counts that are kept. */
const MAX_AGE = 60_000;
const MOST_COUNTS = 5000;

/**
 * Counts in one database: how many there are, each count kept for a minute. Infinity where the table has more than 50,000
 * rows, and for lists that are kept in no table of their own. What it returns throws PLINTH_DATABASE_* (503) where the
 * database does not answer.
 */
export function countExtents(
  db: Pick<Database, "query" | "isInTransaction">,
  layout: Layout,
): (extent: Extent) => Promise<number> {
  const counts = new LRUCache<string, Promise<number>>({ max: MOST_COUNTS, ttl: MAX_AGE, perf: performance });
  return async (extent) => {
    const source = sourceOf(layout, extent);
    if (!source) return Number.POSITIVE_INFINITY;
    const text = textOf(source);
    // A transaction counts what it wrote itself, and may roll back.
    if (db.isInTransaction) return await count(db, text);
    const known = counts.get(text);
    if (known) return await known;
    const asked = count(db, text);
    counts.set(text, asked);
    asked.catch(() => counts.delete(text));
    return await asked;
  };
}

const textOf = ({ table, column, condition }: Source): string =>
  `select count(*)::int as "rows", count(*) filter (where ${condition})::int as "found"
    from (select ${column} from ${identifier(table)} limit ${MOST + 1}) r`;

async function count(db: Pick<Database, "query">, text: string): Promise<number> {
  const [row] = await db.query<{ rows: number; found: number }>({ text, values: [], isRead: true, isUpkeep: true });
  return !row || row.rows > MOST ? Number.POSITIVE_INFINITY : row.found;
}

/** Where an extent is counted. */
interface Source {
  readonly table: string;
  readonly column: string;
  readonly condition: string;
}

const wholeTable = (table: string): Source => ({ table, column: "1", condition: "true" });

function sourceOf(layout: Layout, { type: uid, list }: Extent): Source | undefined {
  const { table, type } = tableOf(layout, uid);
  if (list === undefined) return wholeTable(table);
  const attribute = type.attributes.get(list);
  if (!attribute || !isRelation(attribute)) return undefined;
  if (attribute.storage === "links") return linksOf(layout, uid, attribute);
  return attribute.storage === "inverse" ? inverseOf(layout, attribute) : undefined;
}

/** A target has one holder where that keeps the link in a column, and else a row of links for each. */
function inverseOf(layout: Layout, { target = "", mappedBy = "" }: RelationAttribute): Source | undefined {
  const owner = layout.tables.get(target);
  const attribute = owner?.type.attributes.get(mappedBy);
  if (!owner || !attribute || !isRelation(attribute)) return undefined;
  if (attribute.storage === "column") return wholeTable(owner.table);
  return attribute.storage === "links" ? linksOf(layout, target, attribute) : undefined;
}

function linksOf(layout: Layout, uid: string, { name }: RelationAttribute): Source | undefined {
  const table = tableOf(layout, uid);
  if (table.links === undefined) return undefined;
  return { table: table.links, column: "attribute", condition: `attribute = ${linkCode(table, name)}` };
}
