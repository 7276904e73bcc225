import { identifier } from "../sql/sql.js";
import type { Slot } from "./query.js";

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
