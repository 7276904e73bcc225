import type { App } from "@plinth/core";
import type { AuditBreak, KnownSeal, LatestVerification, Verification } from "../contract.js";
import { ENTRIES, SEALS } from "../tables.js";
import { digestOf, hashOf, NO_HASH } from "./hash.js";
import {
  ENTRY_COLUMNS,
  type EntryRow,
  entryOf,
  SEAL_COLUMNS,
  type SealRow,
  sealOf,
  type Timed,
  timeColumns,
  timeOf,
} from "./read-row.js";
import { LOCK } from "./seals.js";

/** Seals that one transaction reads; each has a thousand entries at most. */
const SEALS_AT_ONCE = 20;

const FIRST = `select ${SEAL_COLUMNS} from ${SEALS} s order by s.id limit 1`;
const NEXT = `select ${SEAL_COLUMNS} from ${SEALS} s where s.id > $1 order by s.id limit ${SEALS_AT_ONCE}`;
const COVERED = `select ${ENTRY_COLUMNS} from ${ENTRIES} e where e.id > $1 and e.id <= $2 order by e.id`;
const CUTS = `select ${ENTRY_COLUMNS} from ${ENTRIES} e where e.action = 'audit.cut' and e.details ->> 'seal' = $1`;
/** Whether a seal is so old that the retention may have cut the log there. */
const IS_OLD = "select $1::timestamptz <= now() - $2::int * interval '1 day' as old";
const UNSEALED = `select o.count, ${timeColumns("o")} from (select count(*)::int as count, min(at) as at from ${ENTRIES} where id > $1) o`;

/** The latest seal of those that have so many entries with all after it, of the latest ten thousand; and one seal. */
const BEFORE_LATEST = `select l.id::text as id from (
    select s.id, sum(cardinality(s.ids)) over (order by s.id desc) as entries
    from (select id, ids from ${SEALS} order by id desc limit 10000) s) l
  where l.entries >= $1 order by l.id desc limit 1`;
const ONE = `select ${SEAL_COLUMNS} from ${SEALS} s where s.id = $1`;

/** What a check of the latest entries reads, at least where there are so many, and after how long it ends, in milliseconds. */
const LATEST_ENTRIES = 10_000;
const LATEST_TIME = 2_000;

/** Below every id: an entry before the first is one that was added. */
const START = "-9223372036854775808";

/** See Audit.verify. Some seals at a time; entries are written meanwhile. */
export async function verify(app: App, known?: KnownSeal, days?: number): Promise<Verification> {
  return await new Check(app, { known, days }).run();
}

/** Checks the latest entries and their links, for a while: what is before them is believed. */
export async function verifyLatest(
  app: App,
  { atLeast = LATEST_ENTRIES, time = LATEST_TIME } = {},
): Promise<LatestVerification> {
  const [oldest] = await app.db.query<{ id: string }>({ text: BEFORE_LATEST, values: [atLeast] });
  const [start] = oldest ? await app.db.query<SealRow>({ text: ONE, values: [Number(oldest.id) - 1] }) : [];
  const check = new Check(app, { start, until: performance.now() + time });
  return { ...(await check.run()), isAll: start === undefined, isDone: !check.isLate };
}

/** What of the chain is checked, and until when. */
interface CheckOptions {
  /** For how many of them entries are kept; default: as is configured. */
  readonly days?: number | undefined;
  readonly known?: KnownSeal | undefined;
  /** The seal that is believed; undefined: it begins at the beginning. */
  readonly start?: SealRow | undefined;
  /** As of `performance.now()`. */
  readonly until?: number;
}

class Check {
  #previous: SealRow | undefined;
  #cut: SealRow | undefined;
  #seals = 0;
  #entries = 0;
  #hasKnown = false;
  readonly #until: number;
  readonly #days: number;
  readonly known: KnownSeal | undefined;
  /** Whether the time was over before the end of the chain. */
  isLate = false;

  constructor(
    private readonly app: App,
    { known, start, until = Number.POSITIVE_INFINITY, days = app.plugin("audit").config.days }: CheckOptions,
  ) {
    this.known = known;
    this.#previous = start;
    this.#until = until;
    this.#days = days;
  }

  async run(): Promise<Verification> {
    for (;;) {
      const step = await this.app.db.transaction(() => this.#step());
      if (step !== "more") return await this.#result(step ?? this.#unknown());
      this.isLate = performance.now() > this.#until;
      if (this.isLate) return await this.#result(undefined);
    }
  }

  /** @returns the first break; undefined at the end of the chain */
  async #step(): Promise<AuditBreak | "more" | undefined> {
    const { db } = this.app;
    await db.lock(LOCK);
    const broken = await this.#begin();
    if (broken) return broken;
    const rows = await db.query<SealRow>({ text: NEXT, values: [this.#previous?.id ?? 0], isPlan: true });
    for (const row of rows) {
      const found = await this.#checkSeal(row);
      if (found) return found;
      this.#note(row);
    }
    return rows.length === 0 ? undefined : "more";
  }

  /** Where the retention has cut the chain, also since the last step, it goes on from there. */
  async #begin(): Promise<AuditBreak | undefined> {
    const [first] = await this.app.db.query<SealRow>({ text: FIRST, values: [], isPlan: true });
    if (!first || Number(first.id) <= Number(this.#previous?.id ?? 1)) return undefined;
    return await this.#beginAt(first);
  }

  async #beginAt(anchor: SealRow): Promise<AuditBreak | undefined> {
    const seal = Number(anchor.id);
    if (!(await this.#cutsOf(anchor))) return { seal: seal - 1, problem: "missing" };
    if (hashOf(sealOf(anchor), anchor) !== anchor.hash) return { seal, problem: "changed" };
    const [added] = await this.#covered(START, anchor.last);
    if (added) return { seal, entry: Number(added.id), problem: "added" };
    this.#cut = anchor;
    if (!(await this.#isOld(anchor))) return { seal: seal - 1, problem: "missing" };
    this.#note(anchor);
    return undefined;
  }

  async #isOld(seal: SealRow): Promise<boolean> {
    const [row] = await this.app.db.query<{ old: boolean }>({ text: IS_OLD, values: [timeOf(seal), this.#days] });
    return row?.old === true;
  }

  /** Whether an entry says that the log was cut at a seal. */
  async #cutsOf({ id, hash }: SealRow): Promise<boolean> {
    const rows = await this.app.db.query<EntryRow>({ text: CUTS, values: [id] });
    return rows.some(({ details }) => details?.["hash"] === hash);
  }

  async #checkSeal(row: SealRow): Promise<AuditBreak | undefined> {
    const seal = Number(row.id);
    const before = Number(this.#previous?.id ?? 0);
    if (seal !== before + 1) return { seal: before + 1, problem: "missing" };
    const isOwn = hashOf(sealOf(row), row) === row.hash;
    if (!isOwn || row.previous !== (this.#previous?.hash ?? NO_HASH)) return { seal, problem: "changed" };
    return await this.#checkEntries(row);
  }

  async #checkEntries(row: SealRow): Promise<AuditBreak | undefined> {
    const seal = Number(row.id);
    const found = await this.#covered(this.#previous?.last ?? START, row.last);
    const digests = new Map(row.ids.map((id, index) => [id, row.digests[index]]));
    const there = new Set(found.map(({ id }) => id));
    const missing = row.ids.find((id) => !there.has(id));
    const wrong = found.find((entry) => digests.get(entry.id) !== digestOf(entryOf(entry)));
    if (missing !== undefined && !(wrong && Number(wrong.id) < Number(missing)))
      return { seal, entry: Number(missing), problem: "missing" };
    if (wrong) return { seal, entry: Number(wrong.id), problem: digests.has(wrong.id) ? "changed" : "added" };
    this.#entries += found.length;
    return undefined;
  }

  #covered(after: string, last: string): Promise<EntryRow[]> {
    return this.app.db.query<EntryRow>({ text: COVERED, values: [after, last], isPlan: true });
  }

  #note(row: SealRow): void {
    this.#previous = row;
    this.#seals += 1;
    if (Number(row.id) === this.known?.id && row.hash === this.known.hash) this.#hasKnown = true;
  }

  /** A seal that was kept elsewhere, and is not in this chain. One that was cut off proves nothing of what follows. */
  #unknown(): AuditBreak | undefined {
    if (!this.known || this.#hasKnown) return undefined;
    const { id } = this.known;
    const isThere = id >= Number(this.#cut?.id ?? 1) && id <= Number(this.#previous?.id ?? 0);
    return { seal: id, problem: isThere ? "changed" : "missing" };
  }

  async #result(found: AuditBreak | undefined): Promise<Verification> {
    const head = this.#previous;
    const values = [head?.last ?? START];
    const [row] = await this.app.db.query<Timed & { readonly count: number }>({ text: UNSEALED, values });
    const unsealed = row?.count ?? 0;
    const cut = this.#cut && sealOf(this.#cut);
    return {
      ...{ isWhole: found === undefined, break: found ?? null, seals: this.#seals, entries: this.#entries },
      ...{ unsealed, unsealedSince: row && unsealed > 0 ? timeOf(row) : null, head: head ? sealOf(head) : null },
      cut: cut ? { id: cut.id, at: cut.at, hash: cut.hash } : null,
    };
  }
}
