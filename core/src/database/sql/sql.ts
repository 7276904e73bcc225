/**
 * Quotes an identifier of the schema.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Quotes a constant of the schema (a uid, a key), never a value of a request.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-STRINGS
 */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Joins conditions by `and`; nothing to check is `true`. */
export const allOf = (conditions: readonly string[]): string => joinConditions(conditions, "and", "true");

/** Joins conditions by `or`; nothing to choose from is `false`. */
export const anyOf = (conditions: readonly string[]): string => joinConditions(conditions, "or", "false");

function joinConditions(conditions: readonly string[], word: "and" | "or", none: string): string {
  if (conditions.length === 0) return none;
  if (conditions.length === 1) return conditions[0] as string;
  return `(${conditions.join(` ${word} `)})`;
}
