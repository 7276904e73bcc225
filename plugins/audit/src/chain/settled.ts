import type { Database } from "@plinth/core";
import { OLDEST_TRANSACTION } from "@plinth/core/reads";
import { SEQUENCE } from "../tables.js";

const TAKEN = `select case when is_called then last_value else 0 end::text as id from ${SEQUENCE}`;
/** The next one there is, by taking it. */
const OWN_XID = "select pg_current_xact_id()::text as xid";
const OLDEST = `select (${OLDEST_TRANSACTION})::text as oldest, (${TAKEN}) as id`;

/**
 * Up to which id no entry can appear any more. Ids are taken in the order of writes, and committed in another one; a seal over
 * what is there would leave out what is committed later with a lower id.
 *
 * So one asks which id was taken last, and then takes an id of a transaction: each transaction that took one of those ids of
 * entries has a lower one, because it has its own before it takes that of an entry (see tables.ts). When all of them have
 * ended, the order is final. Writers pay nothing for it. The plugin events does the same for its readers.
 *
 * A crash of the server may give ids, and ids of transactions, once more that nothing has which was committed: then one looks again.
 */
export class Settled {
  #id = 0;
  #mark: { readonly id: number; readonly xid: bigint } | undefined;

  constructor(private readonly db: Database) {}

  /** Looks how far entries are settled; in no transaction. */
  async ask(): Promise<number> {
    if (!this.#mark) await this.#setMark();
    const { oldest, id } = await this.#query<{ oldest: string; id: string }>(OLDEST);
    if (Number(id) < (this.#mark?.id ?? this.#id)) {
      this.#id = 0;
      this.#mark = undefined;
    } else if (this.#mark && this.#mark.xid <= BigInt(oldest)) {
      this.#id = this.#mark.id;
      this.#mark = undefined;
    }
    return this.#id;
  }

  async #setMark(): Promise<void> {
    const id = Number((await this.#query<{ id: string }>(TAKEN)).id);
    if (id <= this.#id) return;
    const { xid } = await this.#query<{ xid: string }>(OWN_XID);
    this.#mark = { id, xid: BigInt(xid) };
  }

  async #query<Row extends object>(text: string): Promise<Row> {
    const [row] = await this.db.query<Row>({ text, values: [], isPlan: true });
    return row as Row;
  }
}
