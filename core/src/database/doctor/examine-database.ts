import { reasonOf } from "../../base/error.js";
import type { ContentModel } from "../../schema/model.js";
import type { Clock } from "../clock.js";
import type { Database } from "../driver/database.js";
import { planSync } from "../sync/plan-sync.js";
import { examineArchiver } from "./archiver.js";
import { examineCitus } from "./citus.js";
import { examineClock } from "./clock-offset.js";
import { examineLinks } from "./component-links.js";
import { examineConnections } from "./connections.js";
import { examineDeltas } from "./deltas-bloat.js";
import { byWeight, type Finding } from "./finding.js";
import { examineGrowth } from "./growth.js";
import { examineValidity } from "./invalid-indexes.js";
import { examineNode } from "./node-version.js";
import { examineTransactions } from "./old-transactions.js";
import { examinePooler, type PoolerKind } from "./pooler-kind.js";
import { examineProcesses } from "./processes.js";
import { examineSequences } from "./sequences.js";
import { examineSession } from "./session.js";
import { examineSlots } from "./slots.js";
import { findMissingIndexes, readStatements, type StatementUse } from "./slow-statements.js";
import { examineStandbys } from "./standbys.js";
import { examineCache, examineIndexes, examineTables } from "./table-use.js";
import { examineTotals } from "./totals.js";

/** What `plinth doctor` shows. */
export interface Examination {
  /** The statements that took most time, first; undefined where PostgreSQL keeps no statistics of them. */
  readonly statements: readonly StatementUse[] | undefined;
  /** The gravest first. */
  readonly findings: readonly Finding[];
}

/** What is examined. */
export interface Patient {
  readonly db: Database;
  readonly model: ContentModel;
  readonly clock: Pick<Clock, "offset" | "now">;
  /** `database.pooler`. */
  readonly pooler: PoolerKind;
  /** Whether tables of more than a million rows are counted. */
  readonly countsAll: boolean;
}

type Check = () => Promise<readonly Finding[]>;

/** Examines a database by what PostgreSQL itself says, against what the content model asks for. Changes nothing. */
export async function examineDatabase(patient: Patient): Promise<Examination> {
  const { db, model, clock, countsAll } = patient;
  const statements = await readStatements(db);
  const { steps, modelHash } = await planSync(db, model);
  const findings = [
    ...describeSteps(steps),
    ...findMissingIndexes(model, statements ?? []),
    ...examineClock(clock),
    ...examineNode(process.versions.node, clock.now()),
    ...(statements || db.kind === "pglite" ? [] : [NO_STATISTICS]),
  ];
  const checks: readonly (readonly [string, Check])[] = [
    ["totals", () => examineTotals(db, model, countsAll)],
    ["links", () => examineLinks(db, model, countsAll)],
    ["sequences", () => examineSequences(db)],
    ["deltas", () => examineDeltas(db)],
    ["tables", () => examineTables(db)],
    ["growth", () => examineGrowth(db, model)],
    ["cache", () => examineCache(db)],
    ["indexes", () => examineIndexes(db)],
    ...(db.kind === "pglite" ? [] : serverChecks(patient, modelHash)),
  ];
  for (const [name, check] of checks)
    findings.push(...(await check().catch((error: unknown) => [unread(name, error)])));
  return { statements, findings: byWeight(findings) };
}

/** What only a server of its own has. */
const serverChecks = ({ db, pooler }: Patient, modelHash: string): readonly (readonly [string, Check])[] => [
  ...(db.engine === "citus" ? [["citus", () => examineCitus(db)] as const] : []),
  ["session", () => examineSession(db)],
  ["pooler", () => examinePooler(db, pooler)],
  ["connections", () => examineConnections(db, pooler !== "none")],
  ["standbys", () => examineStandbys(db)],
  ["slots", () => examineSlots(db)],
  ["transactions", () => examineTransactions(db)],
  ["invalid indexes", () => examineValidity(db)],
  ["archiver", () => examineArchiver(db)],
  ["processes", () => examineProcesses(db, modelHash)],
];

/** A role may lack a right, and another engine a view: the rest is examined all the same. */
const unread = (where: string, error: unknown): Finding => ({
  weight: "warning",
  kind: "not examined",
  where,
  what: `could not be read: ${reasonOf(error)}`,
  advice: "Grant the role of the app pg_read_all_stats, or look yourself.",
});

const NO_STATISTICS: Finding = {
  weight: "hint",
  kind: "no statistics",
  where: "pg_stat_statements",
  what: "is not there, so nothing is known of slow statements",
  advice:
    "Set shared_preload_libraries = 'pg_stat_statements', restart PostgreSQL, and run CREATE EXTENSION pg_stat_statements.",
};

/** What the tables lack of what the content-types ask for, such as an index that was dropped. */
function describeSteps(steps: Awaited<ReturnType<typeof planSync>>["steps"]): readonly Finding[] {
  return steps.map(({ kind, table, column }) => ({
    weight: kind === "create index" ? "warning" : "error",
    kind: kind === "create index" ? "missing index" : "schema",
    where: column === undefined ? table : `${table} ${column}`,
    what: kind === "create index" ? "is asked for by a content-type, and is not there" : `needs: ${kind}`,
    advice: "Run plinth schema apply, or start the app.",
  }));
}
