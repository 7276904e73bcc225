import { identifier, literal } from "../sql/sql.js";
import type { Database } from "../driver/database.js";
import type { ContentModel } from "../../schema/model.js";
import { COUNTS, recountSql } from "../layout/counters.js";
import type { Finding } from "./finding.js";

/** Types whose kept totals are not what is in their tables: something wrote with triggers switched off. Counts every table. */
export async function examineTotals(db: Database, model: ContentModel): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { uid, table } of model.contentTypes.values()) {
    const text = `select (select count(*) from ${identifier(table)})::float8 as counted,
      (select coalesce(sum(rows), 0) from ${COUNTS} where "table" = ${literal(table)})::float8 as kept`;
    const [found] = await db.query<{ counted: number; kept: number }>({ text, values: [] });
    if (!found || found.counted === found.kept) continue;
    const what = `has ${found.counted} rows, and ${found.kept} are kept as its total: they were written past the triggers`;
    findings.push({ kind: "wrong total", where: uid, what, advice: "Run plinth doctor --repair." });
  }
  return findings;
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
