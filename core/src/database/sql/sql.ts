/**
 * Quotes an identifier of the schema.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
export const identifier = (name: string): string => `"${withoutMarks(name).replaceAll('"', '""')}"`;

/**
 * Quotes a constant of the schema (a uid, a key), never a value of a request.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-STRINGS
 */
export const literal = (text: string): string => `'${withoutMarks(text).replaceAll("'", "''")}'`;

/** A name from outside must not be taken for a mark. */
const withoutMarks = (text: string): string => text.replaceAll(MARK, "");

/**
 * SQL is put together from fragments: texts in which parameters, aliases and tables stand as marks. A fragment is a value:
 * it can be built in any order, used twice or not at all, and `toSqlText` alone numbers what is in it. Marks are between
 * NUL characters, which no text that PostgreSQL takes can have.
 */
const MARK = "\0";

/** A fragment: the parameter that carries the value of a slot, cast: `$3::int4`. Equal ones are one parameter. */
export const parameter = (slot: number, cast: string): string => `${MARK}p${slot}::${cast}${MARK}`;

/** A fragment: the quoted name of a table that is read. */
export const readTable = (name: string): string => `${MARK}t${name}${MARK}`;

let aliases = 0;

/** A fragment: an alias that no other part of a statement has: `t1`. */
export function newAlias(): string {
  aliases = (aliases + 1) % Number.MAX_SAFE_INTEGER;
  return `${MARK}a${aliases}${MARK}`;
}

/** A fragment, written out. */
export interface SqlText {
  readonly text: string;
  /** `slots[i]` is the slot whose value goes to `$<i + 1>`. */
  readonly slots: readonly number[];
  /** Names of the tables that it reads. */
  readonly tables: ReadonlySet<string>;
}

/** Writes a fragment out: parameters and aliases are numbered as they come, so equal fragments give equal texts. */
export function toSqlText(fragment: string): SqlText {
  const slots: number[] = [];
  const tables = new Set<string>();
  const written = new Map<string, string>();
  let aliasCount = 0;
  const write = (mark: string): string => {
    const what = mark.slice(1);
    if (mark.startsWith("p")) return `$${slots.push(Number.parseInt(what, 10))}${what.slice(what.indexOf(":"))}`;
    if (mark.startsWith("a")) return `t${++aliasCount}`;
    tables.add(what);
    return identifier(what);
  };
  // Every other part is a mark.
  const parts = fragment.split(MARK);
  for (let at = 1; at < parts.length; at += 2) {
    const mark = parts[at] as string;
    const known = written.get(mark) ?? write(mark);
    written.set(mark, known);
    parts[at] = known;
  }
  return { text: parts.join(""), slots, tables };
}

/** Joins conditions by `and`; nothing to check is `true`. */
export const allOf = (conditions: readonly string[]): string => joinConditions(conditions, "and", "true");

/** Joins conditions by `or`; nothing to choose from is `false`. */
export const anyOf = (conditions: readonly string[]): string => joinConditions(conditions, "or", "false");

function joinConditions(conditions: readonly string[], word: "and" | "or", none: string): string {
  if (conditions.length === 0) return none;
  if (conditions.length === 1) return conditions[0] as string;
  return `(${conditions.join(` ${word} `)})`;
}

/**
 * Collation that lower-cases every script, `Ü` as well as `U`, independent of the database's default. The
 * synchronisation makes it from the best that the server has, so that the SQL text is the same everywhere.
 */
export const FOLD_COLLATION = "plinth_fold";

/** SQL of a text without its case, for the operators that ignore it: both sides of a comparison go through it. */
export function caseInsensitiveSql(expression: string): string {
  return `lower((${expression}) collate ${FOLD_COLLATION})`;
}
