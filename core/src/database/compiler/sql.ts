import type { Slot } from "../query.js";

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

/**
 * Hands out what one statement needs while its text is put together: parameters for slots, and aliases.
 * `slots[i]` is the slot whose value goes to `$<i + 1>`.
 */
export class SqlWriter {
  readonly slots: Slot[] = [];
  /** Names of the tables that it reads. */
  readonly tables = new Set<string>();
  readonly #parameters = new Map<string, string>();
  #aliases = 0;

  /** The parameter that carries a slot, cast: `$3::int4`. The same slot with the same cast is one parameter. */
  parameter(slot: Slot, cast: string): string {
    const key = `${slot}:${cast}`;
    const known = this.#parameters.get(key);
    if (known) return known;
    this.slots.push(slot);
    const parameter = `$${this.slots.length}::${cast}`;
    this.#parameters.set(key, parameter);
    return parameter;
  }

  /** The quoted name of a table that is read. */
  table(name: string): string {
    this.tables.add(name);
    return identifier(name);
  }

  /** A table alias that no other part of the statement uses: `t1`. */
  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }
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
