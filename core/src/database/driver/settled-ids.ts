import type { Database } from "./database.js";
import { OLDEST_TRANSACTION } from "./oldest-transaction.js";

/** How far the rows of a table are known. */
export interface Settled {
  /** No row up to this id can appear any more: what is not there was rolled back. */
  readonly id: number;
  /** The greatest id that was taken by then. */
  readonly taken: number;
  /** Whether some transaction that was under way may still add rows behind `id`. */
  readonly isWaiting: boolean;
  /** What was read beside it; 0 where that is null. */
  readonly beside: number;
}

/**
 * SQL of the next id of a sequence, as `SettledIds` needs it: taken when the transaction has its own id. A function gets its
 * argument before it is called; the order of a row's expressions is not said anywhere.
 */
export const nextIdOf = (sequence: string): string =>
  `nextval(case when pg_current_xact_id() is not null then '${sequence}'::regclass end)`;

/** Ids up to `id` were taken by transactions whose own ids are below `xid`. */
interface Mark {
  readonly id: number;
  readonly xid: bigint;
}

/*
 * `$1` the greatest id that is known. The id is read first, into a row of its own: the sequence changes in place. Then, where it is a new
 * one, the next transaction id is found by taking it, because a snapshot knows no more than which of those that have ended is
 * the last. In a transaction that has an id already, that is not the next, and says nothing.
 */
const lookAt = (sequence: string, beside: string): string =>
  `with taken as materialized (select case when is_called then last_value else 0 end as id,
    pg_current_xact_id_if_assigned() as own from ${sequence})
  select id::text, case when id > $1 and own is null then pg_current_xact_id()::text end as xid,
    (${OLDEST_TRANSACTION})::text as oldest, pg_snapshot_xmax(pg_current_snapshot())::text as beyond, (${beside})::text as beside from taken`;

interface Look {
  /** That was taken last. */
  readonly id: string;
  /** Greater than that of every transaction that took one of the ids; null where there is no new id. */
  readonly xid: string | null;
  /** Of the transactions of this database that were under way when the look began. */
  readonly oldest: string;
  /** Greater than that of every transaction that had ended. */
  readonly beyond: string;
  readonly beside: string | null;
}

/**
 * Up to where readers of a table may go whose ids are `nextIdOf` a sequence. Ids are taken in the order of writes, and commits
 * come in another: a reader of all that is there would pass by rows that are committed later, with a lower id. Transaction ids
 * alone do not help: one that began first may write last.
 *
 * So a look asks which id was taken last, and then which transaction id is the next. Every transaction that took one of those
 * ids has a lower one, because it has its own before it takes one of a row. When all transactions below have ended, by what
 * was running when a look began, the order up to that id is final: at once where nothing was, else at a later look. Writers pay
 * nothing for it, and do not wait.
 */
export class SettledIds {
  readonly #look: string;
  #settled = 0;
  #marks: readonly Mark[] = [];
  #asking: Promise<Settled> | undefined;
  #next: Promise<Settled> | undefined;
  /** How often all of it was forgotten. */
  #epoch = 0;

  /** @param beside - SQL of a number that is read in the same statement. */
  constructor(
    private readonly db: Database,
    sequence: string,
    { beside = "null" }: { readonly beside?: string } = {},
  ) {
    this.#look = lookAt(sequence, beside);
  }

  /**
   * Looks how far rows are settled. Calls while one is under way share the next one; a transaction asks by itself: others may wait
   * for its connection, and it would wait for them.
   */
  ask(): Promise<Settled> {
    if (this.db.isInTransaction) return this.#ask();
    this.#next ??= (this.#asking ?? Promise.resolve()).then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  /**
   * Knows nothing any more: a server that has crashed may give ids of transactions again, and those of rows that no
   * transaction has committed, which were passed by as rolled back.
   *
   * @source https://www.postgresql.org/docs/15/functions-sequence.html, on nextval before a crash
   */
  forget(): void {
    this.#epoch += 1;
    this.#settled = 0;
    this.#marks = [];
  }

  #begin(): Promise<Settled> {
    this.#asking = this.#next;
    this.#next = undefined;
    return this.#ask();
  }

  /** @param isAgain - the second look of two. */
  async #ask(isAgain = false): Promise<Settled> {
    const epoch = this.#epoch;
    const known = this.#marks.at(-1)?.id ?? this.#settled;
    const [look] = await this.db.query<Look & object>({ text: this.#look, values: [known], isPlan: true });
    if (epoch !== this.#epoch) return await this.#ask();
    const { id, xid, oldest, beyond, beside } = look as Look;
    if (Number(id) < known) {
      // Ids do not go back but by a crash.
      this.forget();
      return await this.#ask();
    }
    // Another look may have come between, and have marked more.
    const isNew = Number(id) > (this.#marks.at(-1)?.id ?? this.#settled);
    if (xid !== null && isNew) this.#marks = [...this.#marks, { id: Number(id), xid: BigInt(xid) }];
    this.#settle(BigInt(oldest));
    // Nothing of this database was under way below `beyond`. What began since then is in a later snapshot, because the
    // mark's transaction has ended now.
    if (xid !== null && !isAgain && this.#marks.length > 0 && oldest === beyond) return await this.#ask(true);
    // Not by the marks: a transaction that has written makes none.
    return { id: this.#settled, taken: Number(id), isWaiting: this.#settled < Number(id), beside: Number(beside) };
  }

  /** @param oldest - of the transactions that were under way. */
  #settle(oldest: bigint): void {
    const open = this.#marks.filter(({ xid }) => xid > oldest);
    const settled = this.#marks[this.#marks.length - open.length - 1]?.id ?? this.#settled;
    this.#settled = Math.max(this.#settled, settled);
    // Of many, those between say little.
    this.#marks = open.length > MOST_MARKS ? open.filter((_, at) => at % 2 === 0) : open;
  }
}

/** A transaction of minutes, with a look every few milliseconds. */
const MOST_MARKS = 1_000;
