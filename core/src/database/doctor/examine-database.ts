import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { planSync } from "../sync/plan-sync.js";
import type { Finding } from "./finding.js";
import { findMissingIndexes, readStatements, type StatementUse } from "./slow-statements.js";
import { examineCache, examineIndexes, examineTables } from "./table-statistics.js";
import { examineTotals } from "./totals.js";

/** What `plinth doctor` shows. */
export interface Examination {
  /** The statements that took most time, first; undefined where PostgreSQL keeps no statistics of them. */
  readonly statements: readonly StatementUse[] | undefined;
  /** The gravest first. */
  readonly findings: readonly Finding[];
}

/** Examines a database by PostgreSQL's own statistics, against what the content model asks for. Changes nothing. */
export async function examineDatabase(db: Database, model: ContentModel): Promise<Examination> {
  const statements = await readStatements(db);
  const findings = [
    ...(await examineTotals(db, model)),
    ...(await examineSchema(db, model)),
    ...findMissingIndexes(model, statements ?? []),
    ...(await examineTables(db)),
    ...(await examineCache(db)),
    ...(await examineIndexes(db)),
    ...(statements || db.kind === "pglite" ? [] : [NO_STATISTICS]),
  ];
  return { statements, findings };
}

const NO_STATISTICS: Finding = {
  kind: "no statistics",
  where: "pg_stat_statements",
  what: "is not there, so nothing is known of slow statements",
  advice:
    "Set shared_preload_libraries = 'pg_stat_statements', restart PostgreSQL, and run CREATE EXTENSION pg_stat_statements.",
};

/** What the tables lack of what the content-types ask for, such as an index that was dropped. */
async function examineSchema(db: Database, model: ContentModel): Promise<readonly Finding[]> {
  const { steps } = await planSync(db, model);
  return steps.map(({ kind, table, column }) => ({
    kind: kind === "create index" ? "missing index" : "schema",
    where: column === undefined ? table : `${table} ${column}`,
    what: kind === "create index" ? "is asked for by a content-type, and is not there" : `needs: ${kind}`,
    advice: "Run plinth schema apply, or start the app.",
  }));
}
