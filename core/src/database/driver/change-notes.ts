import type { CountedTables } from "../layout/noted-changes.js";
import { FOLD_NOTES, NOTE_CHANGED } from "../layout/noted-changes.js";
import { DELTAS, FOLD_EVERY, recountSql } from "../layout/totals.js";
import type { Statement } from "./database.js";

/** What writes a table, and its name, quoted or not: `insert into "articles"`. What else it finds is the name of no table. */
const WRITES =
  /\b(insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?(?:"?[\w$-]+"?\.)?(?:"([^"]+)"|([\w$]+))/gi;

/** What an update may change of a row that its table is counted by. Our own statements, which are plans, leave it. */
const MOVES = /\b(?:published_at|locale)"?\s*=/i;

/** What a transaction has written. */
interface Written {
  readonly changed: Set<string>;
  /** Tables whose rows a statement wrote that does not note them. */
  readonly uncounted: Set<string>;
}

/**
 * Notes which counted tables a transaction writes, where no triggers do: by the texts of its statements, so that every
 * writer is seen; the notes go along with its commit. Rows that come and go by statements which do not note them, such as
 * those of an app, are counted again, which reads the whole table.
 */
export class ChangeNotes {
  /** None until the tables are known. */
  tables: CountedTables = new Map();
  readonly #written = new WeakMap<object, Written>();

  /** Whether a statement writes a counted table. */
  isWrite({ text, isRead }: Statement): boolean {
    return !isRead && writesOf(text).some(({ table }) => this.tables.has(table));
  }

  /** @param transaction - the outermost one. */
  add(transaction: object, { text, isPlan = false }: Pick<Statement, "text" | "isPlan">): void {
    for (const { verb, table } of writesOf(text)) {
      const counted = this.tables.get(table);
      if (!counted) continue;
      const written = this.#of(transaction);
      written.changed.add(table);
      const isUpdate = verb === "update";
      if (!isUpdate && counted.links !== undefined) written.changed.add(counted.links);
      const isCounted = isUpdate ? isPlan || !MOVES.test(text) : text.includes(DELTAS);
      if (counted.hasRows && !isCounted) written.uncounted.add(table);
    }
  }

  has(transaction: object): boolean {
    return this.#written.has(transaction);
  }

  /** What goes along with the commit; in one order, so that two of them do not wait for each other. */
  take(transaction: object): readonly Statement[] {
    const written = this.#written.get(transaction);
    this.#written.delete(transaction);
    if (!written) return [];
    const changed = [...written.changed].sort();
    const folded = Math.random() < 1 / FOLD_EVERY ? [{ text: FOLD_NOTES, values: [changed], isPlan: true }] : [];
    return [
      ...[...written.uncounted].sort().map((table) => ({ text: recountSql(table), values: [] })),
      { text: NOTE_CHANGED, values: [changed], isPlan: true },
      ...folded,
    ];
  }

  #of(transaction: object): Written {
    const known = this.#written.get(transaction);
    if (known) return known;
    const made = { changed: new Set<string>(), uncounted: new Set<string>() };
    this.#written.set(transaction, made);
    return made;
  }
}

function writesOf(text: string): readonly { readonly verb: string; readonly table: string }[] {
  return [...text.matchAll(WRITES)].map(([, verb = "", quoted, plain = ""]) => ({
    verb: verb.toLowerCase(),
    table: quoted ?? plain.toLowerCase(),
  }));
}
