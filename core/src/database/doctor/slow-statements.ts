import { isScalarKind } from "../../schema/attribute.js";
import type { ContentModel, ContentType, ScalarAttribute } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { identifier } from "../sql/sql.js";
import type { Finding } from "./finding.js";

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
  where e.extname = 'pg_stat_statements'`;

/** 55000: the extension was made, and its library is not loaded. The setting that says so is not for every role. */
const NOT_LOADED = "55000";

/** The statements of this database that took most time; undefined where PostgreSQL keeps no statistics of them. */
export async function readStatements(db: Database): Promise<readonly StatementUse[] | undefined> {
  const [place] = await db.query<{ schema: string }>({ text: WHERE_STATISTICS_ARE, values: [] });
  if (!place) return undefined;
  const text = `select query as text, calls::float8 as calls, mean_exec_time as mean, total_exec_time as total
    from ${identifier(place.schema)}.pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() order by total_exec_time desc limit ${SHOWN}`;
  try {
    return await db.query<StatementUse & object>({ text, values: [] });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === NOT_LOADED) return undefined;
    throw error;
  }
}

/** Indexes that slow statements miss: of attributes, and of several together where a list is filtered and sorted. */
export function findMissingIndexes(model: ContentModel, statements: readonly StatementUse[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { text, mean, calls } of statements.filter((statement) => statement.mean >= SLOW)) {
    for (const [type, tested] of testedAttributes(model, text)) {
      for (const missing of missingIndexes(type, tested)) {
        const where = `${type.uid} ${missing.join(", ")}`;
        const verb = missing.length > 1 ? "are" : "is";
        const what = `${verb} compared or sorted by without an index; ${mean.toFixed(1)} ms a call, ${calls} calls`;
        found.set(where, { weight: "hint", kind: "missing index", where, what, advice: adviceOn(missing) });
      }
    }
  }
  return [...found.values()];
}

const adviceOn = (missing: readonly string[]): string =>
  missing.length > 1
    ? `Add "indexes": [${JSON.stringify(missing)}] to the content-type, if lists are filtered and sorted so often.`
    : `Mark the attribute with "index": true, if lists are filtered or sorted by it often.`;

/** What a statement compares with one value, and what else it compares or sorts by. */
interface Tested {
  readonly equal: readonly ScalarAttribute[];
  readonly ordered: readonly ScalarAttribute[];
}

/**
 * The attributes of the indexes that are not there. PostgreSQL follows one index: it has to begin with what equals one
 * value, and go on with what is in order.
 */
function missingIndexes({ indexes }: ContentType, { equal, ordered }: Tested): readonly (readonly string[])[] {
  const all = [...equal, ...ordered];
  if (equal.some(({ unique }) => unique)) return [];
  if (equal.length === 0 || all.length === 1)
    return all.filter(({ index, unique }) => !index && !unique).map(({ name }) => [name]);
  const needed = [...equal, ...ordered.slice(0, 1)];
  const [first, next] = [columnsOf(equal), columnsOf(needed.slice(equal.length))];
  const isServed = (index: readonly string[]) =>
    first.every((column) => index.slice(0, first.length).includes(column)) &&
    next.every((column) => index[first.length] === column);
  return indexes.some(isServed) ? [] : [needed.map(({ name }) => name)];
}

const columnsOf = (attributes: readonly ScalarAttribute[]): readonly string[] => attributes.map(({ column }) => column);

/**
 * A column in a condition or order that an index can serve: `t1."views" > `, `t1."views" desc`, and not `t1."views" as
 * "views"`.
 */
const TESTED = /\b(t\d+)\."([^"]+)"\)* (=|<>|<=?|>=?|asc|desc|is)(?: |,|$)/g;

/** The attributes that a statement of ours compares or sorts by, each once, by content-type. */
function testedAttributes(model: ContentModel, text: string): ReadonlyMap<ContentType, Tested> {
  const types = new Map([...model.contentTypes.values()].map((type) => [type.table, type]));
  const aliases = [...text.matchAll(/"([^"]+)" (t\d+)\b/g)].flatMap(([, table = "", alias = ""]) => {
    const type = types.get(table);
    return type ? [[alias, type] as const] : [];
  });
  const typeOf = new Map(aliases);
  const tested = new Map<ContentType, Tested>();
  for (const [, alias = "", column = "", test] of text.matchAll(TESTED)) {
    const type = typeOf.get(alias);
    const attribute = type && [...type.attributes.values()].find((each) => each.column === column);
    if (!type || !attribute || !isScalarKind(attribute.kind)) continue;
    const { equal, ordered } = tested.get(type) ?? { equal: [], ordered: [] };
    if ([...equal, ...ordered].includes(attribute as ScalarAttribute)) continue;
    const next = attribute as ScalarAttribute;
    tested.set(type, test === "=" ? { equal: [...equal, next], ordered } : { equal, ordered: [...ordered, next] });
  }
  return tested;
}
