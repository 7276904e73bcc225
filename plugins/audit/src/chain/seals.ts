import type { App } from "@plinth/core";
import { SettledIds } from "@plinth/core/reads";
import type { Seal } from "../contract.js";
import { CUT, ENTRIES, RENEW_CUT, SEALS, SEQUENCE } from "../tables.js";
import { digestOf, hashOf, NO_HASH } from "./hash.js";
import { ENTRY_COLUMNS, type EntryRow, entryOf, HEAD_COLUMNS, type HeadRow, sealOf } from "./read-row.js";

/** Entries of one seal, at most. */
const MOST_ENTRIES = 1_000;
/** Seals that one transaction of the retention deletes, at most. */
const MOST_CUT = 1_000;

const HEAD = `select ${HEAD_COLUMNS} from ${SEALS} s order by s.id desc limit 1`;
const TO_SEAL = `select ${ENTRY_COLUMNS}, clock_timestamp()::timestamptz(3) as now from ${ENTRIES} e where e.id > $1 and e.id <= $2 order by e.id limit ${MOST_ENTRIES}`;
const ADD = `insert into ${SEALS} (id, at, last, ids, digests, previous, hash) values ($1, $2, $3, $4::bigint[], $5, $6, $7)`;
/** The oldest seal is where the chain begins already. */
const LATEST_TO_CUT = `select max(id)::text as id from (select id, at from ${SEALS} order by id limit ${MOST_CUT}) s
  where at <= now() - $1::int * interval '1 day' and id > (select min(id) from ${SEALS})`;

/** Who writes or cuts the chain, or checks it, has this lock meanwhile; writers of entries never wait for it. */
export const LOCK = "audit seals";

/** The chain, as it grows at one end and is cut at the other. */
export class Seals {
  readonly #ids: SettledIds;

  constructor(private readonly app: App) {
    this.#ids = new SettledIds(app.db, SEQUENCE);
  }

  async head(): Promise<Seal | null> {
    const [row] = await this.app.db.query<HeadRow>({ text: HEAD, values: [] });
    return row ? sealOf(row) : null;
  }

  /** Seals all that is settled. @returns the seals, and how many entries they cover */
  async add(): Promise<{ readonly seals: readonly Seal[]; readonly entries: number }> {
    const { id: upTo } = await this.#ids.ask();
    const seals: Seal[] = [];
    for (let entries = 0; ; ) {
      const made = await this.app.db.transaction(() => this.#addOne(upTo));
      if (!made) return { seals, entries };
      seals.push(made.seal);
      entries += made.entries;
      if (made.entries < MOST_ENTRIES) return { seals, entries };
    }
  }

  async #addOne(upTo: number): Promise<{ readonly seal: Seal; readonly entries: number } | undefined> {
    const { db } = this.app;
    await db.lock(LOCK);
    const head = await this.head();
    const values = [head?.last ?? 0, upTo];
    const rows = await db.query<EntryRow & { readonly now: Date }>({ text: TO_SEAL, values, isPlan: true });
    const last = rows.at(-1);
    if (!last) return undefined;
    const ids = rows.map(({ id }) => Number(id));
    const digests = rows.map((row) => digestOf(entryOf(row)));
    const unhashed = {
      ...{ id: (head?.id ?? 0) + 1, at: last.now.toISOString(), previous: head?.hash ?? NO_HASH },
      last: Number(last.id),
    };
    const seal = { ...unhashed, hash: hashOf(unhashed, { ids, digests }) };
    await db.query({
      text: ADD,
      values: [seal.id, seal.at, seal.last, ids, digests, seal.previous, seal.hash],
      isPlan: true,
    });
    return { seal, entries: rows.length };
  }

  /** Deletes entries up to the latest seal that is older than some days. @returns how many */
  async cut(days: number): Promise<number> {
    for (let total = 0; ; ) {
      const gone = await this.app.db.transaction(() => this.#cutSome(days));
      if (gone === undefined) return total;
      total += gone;
    }
  }

  async #cutSome(days: number): Promise<number | undefined> {
    const { db } = this.app;
    await db.lock(LOCK);
    await db.liftTimeLimits();
    const [found] = await db.query<{ id: string | null }>({ text: LATEST_TO_CUT, values: [days] });
    if ((found?.id ?? null) === null) return undefined;
    for (const renew of RENEW_CUT) await db.query({ text: renew, values: [] });
    const text = `select ${CUT}($1::bigint, $2::int)::text as gone`;
    const [row] = await db.query<{ gone: string }>({ text, values: [found?.id, days] });
    return Number(row?.gone ?? 0);
  }
}
