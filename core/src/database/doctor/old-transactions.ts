import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

/** What keeps vacuum from its work, and locks from their end. */
export interface TransactionAges {
  /** Seconds since the oldest transaction of the database began; null: there is none. */
  readonly transaction: number | null;
  /** What it is: `pid 12 (idle in transaction, psql)`. */
  readonly holder: string | null;
  /** Transactions since the oldest snapshot. */
  readonly snapshot: number | null;
  /** Seconds since the oldest prepared transaction. */
  readonly prepared: number | null;
  /** Transactions since the oldest row of the database was frozen. */
  readonly frozen: number;
}

/** Seconds: a request takes 10 at most, a dump may take an hour. */
const LONG = 10 * 60;
const VERY_LONG = 24 * 60 * 60;
/** Transactions of a snapshot that make dead rows a burden. */
const MANY_TRANSACTIONS = 1_000_000;
/** Of 2,147 million; PostgreSQL itself begins at 200 million, and stops writing at 3 million before the end. */
const OLD = 1_000_000_000;
const VERY_OLD = 1_600_000_000;

const AGES = `select extract(epoch from clock_timestamp() - oldest.xact_start)::float8 as transaction,
  'pid ' || oldest.pid || ' (' || concat_ws(', ', oldest.state, nullif(oldest.application_name, '')) || ')' as holder,
  (select max(age(backend_xmin))::float8 from pg_stat_activity where datname = current_database()) as snapshot,
  (select extract(epoch from clock_timestamp() - min(prepared))::float8 from pg_prepared_xacts where database = current_database()) as prepared,
  (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as frozen
  from (select) one left join lateral (select * from pg_stat_activity where datname = current_database()
  and pid <> pg_backend_pid() and xact_start is not null order by xact_start limit 1) oldest on true`;

/** The age of the oldest transaction and snapshot, and how far it is until transaction ids are used up. */
export async function examineTransactions(db: Database): Promise<readonly Finding[]> {
  const [ages] = await db.query<TransactionAges & object>({ text: AGES, values: [] });
  return ages ? judgeAges(ages) : [];
}

/** What is to be said of ages. */
export function judgeAges({ transaction, holder, snapshot, prepared, frozen }: TransactionAges): readonly Finding[] {
  const findings: Finding[] = [];
  const old = (seconds: number | null, where: string, advice: string) => {
    if (seconds === null || seconds < LONG) return;
    const what = `has been open for ${Math.round(seconds / 60)} min: vacuum leaves what was deleted since, and its locks stay`;
    findings.push({ weight: seconds > VERY_LONG ? "error" : "warning", kind: "old transaction", where, what, advice });
  };
  old(transaction, holder ?? "a transaction", "End it, or let pg_terminate_backend end it.");
  old(prepared, "a prepared transaction", "Commit it, or roll it back (pg_prepared_xacts).");
  if ((snapshot ?? 0) > MANY_TRANSACTIONS)
    findings.push({
      ...{ weight: "warning", kind: "old snapshot", where: "pg_stat_activity" },
      what: `has a snapshot from ${snapshot} transactions ago: vacuum leaves what was deleted since`,
      advice: "Find its session by backend_xmin; long reads belong on a replica.",
    });
  if (frozen > OLD)
    findings.push({
      ...{ weight: frozen > VERY_OLD ? "error" : "warning", kind: "wraparound", where: "datfrozenxid" },
      what: `is ${frozen} transactions old; at 2147 million PostgreSQL stops taking writes`,
      advice: "Let autovacuum finish: end old transactions and unused slots, then run VACUUM (FREEZE).",
    });
  return findings;
}
