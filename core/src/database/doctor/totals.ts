import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { DELTAS, FOLD_ALL, recountSql } from "../layout/totals.js";
import { identifier, literal } from "../sql/sql.js";
import type { Finding } from "./finding.js";
import { MANY_ROWS, typesBySize } from "./table-size.js";

/**
 * Types whose kept totals are not what is in their tables: something wrote with triggers switched off.
 *
 * @param countsAll - false: tables of more than a million rows are left out, and that is said.
 */
export async function examineTotals(
  db: Database,
  model: ContentModel,
  countsAll: boolean,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { small, large } = await typesBySize(db, model);
  for (const { uid, table } of countsAll ? model.contentTypes.values() : small)
    findings.push(...(await compare(db, uid, table)));
  if (countsAll || large.length === 0) return findings;
  const where = large.map(({ uid }) => uid).join(", ");
  const what = `have more than ${MANY_ROWS} rows, and were not counted, nor their links looked through`;
  return [...findings, { weight: "hint", kind: "not counted", where, what, advice: "Run plinth doctor --totals." }];
}

async function compare(db: Database, uid: string, table: string): Promise<readonly Finding[]> {
  const text = `select (select count(*) from ${identifier(table)})::float8 as counted,
    (select coalesce(sum(rows), 0) from ${DELTAS} where "table" = ${literal(table)})::float8 as kept`;
  const [found] = await db.query<{ counted: number; kept: number }>({ text, values: [] });
  if (!found || found.counted === found.kept) return [];
  const what = `has ${found.counted} rows, and ${found.kept} are kept as its total: they were written past the triggers`;
  return [{ weight: "error", kind: "wrong total", where: uid, what, advice: "Run plinth doctor --repair." }];
}

/** Counts all tables again. Each waits for its writers, and blocks new ones until it is counted. */
export async function repairTotals(db: Database, model: ContentModel): Promise<void> {
  for (const { table } of model.contentTypes.values()) {
    await db.transaction(async () => {
      await db.query({ text: `lock table ${identifier(table)} in share row exclusive mode`, values: [] });
      await db.query({ text: recountSql(table), values: [] });
    });
  }
}

/**
 * Adds up what writers left of all tables. They do it by chance, so what a burst of them left may wait long for the next.
 */
export async function foldTotals(db: Pick<Database, "engine" | "query">): Promise<void> {
  // Citus has no such function: sums are read whole there.
  if (db.engine !== "citus") await db.query({ text: FOLD_ALL, values: [] });
}
