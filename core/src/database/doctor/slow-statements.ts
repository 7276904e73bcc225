import { isScalarKind } from "../../schema/attribute.js";
import type { ContentModel, ContentType, ScalarAttribute } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { DELTAS, recountSql } from "../layout/totals.js";
import { identifier, literal } from "../sql/sql.js";

/** What is wrong with a database, or could be better. */
export interface Finding {
  readonly kind:
    | "missing index"
    | "unused index"
    | "full scans"
    | "dead rows"
    | "small cache"
    | "wrong total"
    | "no statistics"
    | "schema";
  /** A table, an index, an attribute (`api::article.article views`) or a setting. */
  readonly where: string;
  readonly what: string;
  readonly advice: string;
}

/** A statement that PostgreSQL ran, by its own statistics. */
export interface StatementUse {
  readonly text: string;
  readonly calls: number;
  /** Milliseconds a call. */
  readonly mean: number;
  /** Milliseconds in all. */
  readonly total: number;
}

/** How many statements are looked at: those that took most time in all. */
const SHOWN = 15;

/** Milliseconds from which on a statement counts as slow. */
const SLOW = 5;

const WHERE_STATISTICS_ARE = `select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements' and current_setting('shared_preload_libraries', true) like '%pg_stat_statements%'`;

/** The statements of this database that took most time; undefined where PostgreSQL keeps no statistics of them. */
export async function readStatements(db: Database): Promise<readonly StatementUse[] | undefined> {
  const [place] = await db.query<{ schema: string }>({ text: WHERE_STATISTICS_ARE, values: [] });
  if (!place) return undefined;
  const text = `select query as text, calls::float8 as calls, mean_exec_time as mean, total_exec_time as total
    from ${identifier(place.schema)}.pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() order by total_exec_time desc limit ${SHOWN}`;
  return db.query<StatementUse & object>({ text, values: [] });
}

/** Attributes without an index that slow statements compare or sort by. */
export function findMissingIndexes(model: ContentModel, statements: readonly StatementUse[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { text, mean, calls } of statements.filter((statement) => statement.mean >= SLOW)) {
    for (const [type, attribute] of testedAttributes(model, text)) {
      const where = `${type.uid} ${attribute.name}`;
      if (attribute.index || attribute.unique || attribute.kind === "uid" || found.has(where)) continue;
      const what = `is compared or sorted by without an index; ${mean.toFixed(1)} ms a call, ${calls} calls`;
      const advice = `Mark the attribute with "index": true, if lists are filtered or sorted by it often.`;
      found.set(where, { kind: "missing index", where, what, advice });
    }
  }
  return [...found.values()];
}

/**
 * A column in a condition or order that an index can serve: `t1."views" > `, `t1."views" desc`, and not `t1."views" as
 * "views"`.
 */
const TESTED = /\b(t\d+)\."([^"]+)"\)* (?:=|<>|<=?|>=?|asc|desc|is)(?: |,|$)/g;

/** The attributes that a statement of ours compares or sorts by. */
function testedAttributes(model: ContentModel, text: string): readonly (readonly [ContentType, ScalarAttribute])[] {
  const types = new Map([...model.contentTypes.values()].map((type) => [type.table, type]));
  const aliases = [...text.matchAll(/"([^"]+)" (t\d+)\b/g)].flatMap(([, table = "", alias = ""]) => {
    const type = types.get(table);
    return type ? [[alias, type] as const] : [];
  });
  const typeOf = new Map(aliases);
  return [...text.matchAll(TESTED)].flatMap(([, alias = "", column = ""]) => {
    const type = typeOf.get(alias);
    const attribute = type && [...type.attributes.values()].find((each) => each.column === column);
    return type && attribute && isScalarKind(attribute.kind) ? [[type, attribute as ScalarAttribute] as const] : [];
  });
}

/** Types whose kept totals are not what is in their tables: something wrote with triggers switched off. Counts every table. */
export async function examineTotals(db: Database, model: ContentModel): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { uid, table } of model.contentTypes.values()) {
    const text = `select (select count(*) from ${identifier(table)})::float8 as counted,
      (select coalesce(sum(rows), 0) from ${DELTAS} where "table" = ${literal(table)})::float8 as kept`;
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
