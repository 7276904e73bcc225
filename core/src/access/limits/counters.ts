import { createHash } from "node:crypto";
import type { Clock } from "../../database/clock.js";
import type { Database } from "../../database/driver/database.js";
import { ATTEMPTS } from "../../database/layout/counters.js";

/** What is added to one counter. */
export interface Addition {
  /** Any text; stored as a hash. The keys of one call differ. */
  readonly key: string;
  /** Negative to subtract. */
  readonly by: number;
  /** Length of the interval that begins with the first addition, in seconds. */
  readonly interval: number;
}

/** The value of a counter in its interval. */
export interface Count {
  readonly value: number;
  /** When the interval ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Counts in fixed intervals, by key, for all processes of an app together. */
export interface Counters {
  /** Adds, and returns the new value of each counter, in the order of the additions. */
  add(additions: readonly Addition[]): Promise<readonly Count[]>;
  /** The value of a counter; 0 where there is none, or its interval has ended. */
  read(key: string): Promise<number>;
}

/** `$4` is the time: Citus takes neither a function nor, without the select around it, a parameter where a conflict is resolved. */
const ADD = `with counted as (insert into ${ATTEMPTS} as a (key, value, ends_at)
    select key, by, $4::timestamptz + seconds * interval '1 second'
      from unnest($1::text[], $2::int8[], $3::int8[]) as added(key, by, seconds) order by key
    on conflict (key) do update set
      value = case when a.ends_at <= $4::timestamptz then excluded.value else a.value + excluded.value end,
      ends_at = case when a.ends_at <= $4::timestamptz then excluded.ends_at else a.ends_at end
    returning key, value, ends_at)
  select key, value, extract(epoch from ends_at - $4::timestamptz) as seconds from counted`;

const READ = `select value from ${ATTEMPTS} where key = $1 and ends_at > $2::timestamptz`;

/** Deletes the rows of past intervals; some at a time, so that no writer waits for long. */
const CLEAN = `delete from ${ATTEMPTS} where key in (select key from ${ATTEMPTS} where ends_at <= $1::timestamptz limit 5000)`;
const CLEAN_EVERY = 500;

/** The database of the counters, and the clock of their intervals: those of an app. */
interface CountersPlace {
  readonly db: Database;
  readonly clock: Clock;
}

interface AddedRow {
  readonly key: string;
  readonly value: string;
  readonly seconds: string;
}

/** Counters in the database, in a table that no crash has to preserve: one statement a call. Intervals are by the clock of the app. */
export function createDatabaseCounters({ db, clock }: CountersPlace): Counters {
  const now = () => new Date(clock.now());
  let calls = 0;
  return {
    add: async (additions) => {
      calls += 1;
      if (calls % CLEAN_EVERY === 0) await db.query({ text: CLEAN, values: [now()] });
      const keys = additions.map(({ key }) => counterKey(key));
      const values = [keys, additions.map(({ by }) => by), additions.map(({ interval }) => interval), now()];
      const rows = await db.query<AddedRow>({ text: ADD, values, isPlan: true });
      const found = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => countOf(found.get(key)));
    },
    read: async (key) => {
      const [row] = await db.query<{ value: string }>({ text: READ, values: [counterKey(key), now()], isPlan: true });
      return Number(row?.value ?? 0);
    },
  };
}

/** What is stored of a key: keys hold what clients sent, of any length, and personal data. */
export function counterKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

function countOf(row: AddedRow | undefined): Count {
  return { value: Number(row?.value ?? 0), endsAt: Date.now() + Number(row?.seconds ?? 0) * 1000 };
}
