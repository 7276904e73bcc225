import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { Client } from "pg";
import { differencesOf, readSettings } from "../driver/session-settings.js";
import { answers, answersInTransaction, type Feature, type ServerTrial } from "./engine-feature.js";

/** Milliseconds for a message from one session to the other. */
const DELIVERY = 3_000;
/** Milliseconds that a statement gets, and that it would take. */
const [SHORT, LONG] = [50, 1_000];
/** Of query_canceled: the server ended the statement. */
const CANCELLED = "57014";

/** What only a server has, because others use it at the same time; the embedded database is one session of one process. */
export const SERVER_FEATURES: readonly Feature<ServerTrial>[] = [
  {
    name: "settings that travel with the connection",
    isNeeded: true,
    without: "content could be read and written in the schema of another app: the app does not start",
    use: compareSettings,
  },
  {
    name: "advisory locks, by names",
    isNeeded: true,
    without: "two processes could change one thing at once: the app does not start",
    use: async (place) => (await compareLocks(place, "_xact")) ?? (await compareLocks(place, "")),
  },
  {
    name: "LISTEN and NOTIFY",
    isNeeded: false,
    without: "caches are off, and each request with credentials asks the database",
    use: hear,
  },
  {
    name: "indexes that are made while others write",
    isNeeded: false,
    without: "indexes of changed content-types are not made: lists are slow, and what is to be unique stops the start",
    use: indexConcurrently,
  },
  {
    name: "statements that end in time",
    isNeeded: false,
    without: "a statement goes on although its connection was given up, five seconds after `statementTimeout`",
    use: ({ session }) => endInTime(session),
  },
  {
    name: "positions in the log",
    isNeeded: false,
    without: 'replicas only with "position": "time", and one host in `connection`',
    use: answers(
      "select pg_is_in_recovery() = false and pg_current_wal_flush_lsn() > '0/0'::pg_lsn and pg_walfile_name(pg_current_wal_lsn()) <> '' as works",
    ),
  },
  {
    name: "logical replication",
    isNeeded: false,
    without: "no publication for others (change data capture, blue/green upgrades)",
    use: async ({ session }) => {
      const { rows } = await session.query<{ level: string }>("select current_setting('wal_level') as level");
      return rows[0]?.level === "logical" ? undefined : `wal_level is ${rows[0]?.level}`;
    },
  },
  {
    name: "statistics of sessions and tables",
    isNeeded: false,
    without: "plinth doctor says what it could not read",
    use: answers(
      "select count(*) > 0 and (select count(*) from pg_stat_user_tables) >= 0 and (select count(*) from pg_locks) >= 0 as works from pg_stat_activity",
    ),
  },
  {
    name: "pg_stat_statements",
    isNeeded: false,
    without: "plinth doctor knows nothing of slow statements",
    use: async ({ session }) => {
      const { rows } = await session.query("select from pg_extension where extname = 'pg_stat_statements'");
      return rows.length > 0 ? undefined : "the extension is not there";
    },
  },
];

async function compareSettings({ connect, settings }: ServerTrial): Promise<string | undefined> {
  const session = await connect();
  const { text, values } = readSettings(Object.keys(settings));
  const { rows } = await session.query<{ name: string; value: string }>(text, values);
  const different = differencesOf(settings, rows);
  if (different.length === 0) return undefined;
  return different.map(({ name, expected, found }) => `${name} is "${found}" and not "${expected}"`).join(", ");
}

/** @param scope - of a transaction, or of a session. */
async function compareLocks({ session, other }: ServerTrial, scope: "_xact" | ""): Promise<string | undefined> {
  const key = `hashtextextended('plinth probe ' || current_schema(), ${randomInt(2 ** 47)})`;
  const hold = `select pg_advisory${scope}_lock(${key})`;
  const take = async (): Promise<boolean> => {
    const { rows } = await other.query<{ taken: boolean }>(`select pg_try_advisory${scope}_lock(${key}) as taken`);
    return rows[0]?.taken === true;
  };
  await session.query("begin");
  try {
    await session.query(hold);
    if (await take()) return "two sessions have one lock";
  } finally {
    await session.query("rollback");
    if (scope === "") await session.query(`select pg_advisory_unlock(${key})`);
  }
  if (!(await take())) return "a lock that was given back is not free";
  if (scope === "") await other.query(`select pg_advisory_unlock(${key})`);
  return undefined;
}

async function hear({ session, other }: ServerTrial): Promise<string | undefined> {
  await other.query("listen plinth_probe");
  const heard = once(other, "notification", { signal: AbortSignal.timeout(DELIVERY) });
  // Where sending is refused, that is the error.
  heard.catch(() => undefined);
  try {
    await session.query("select pg_notify('plinth_probe', 'heard')");
    return await heard.then(
      () => undefined,
      () => "a message did not arrive",
    );
  } finally {
    await other.query("unlisten plinth_probe");
  }
}

/** It cannot be done in a transaction: the table is there for a moment. */
async function indexConcurrently({ session }: ServerTrial): Promise<string | undefined> {
  const table = `plinth_probe_${randomInt(2 ** 47)}`;
  await session.query(`create table ${table} (n int)`);
  try {
    await session.query(`create index concurrently ${table}_n on ${table} (n)`);
    return await answers(`select indisvalid as works from pg_index where indexrelid = '${table}_n'::regclass`)({
      session,
    });
  } finally {
    await session.query(`drop table ${table}`);
  }
}

async function endInTime(session: Client): Promise<string | undefined> {
  const sleeps = answersInTransaction(
    `select set_config('statement_timeout', '${SHORT}', true)`,
    `select pg_sleep(${LONG / 1_000}) is not null as works`,
  );
  try {
    await sleeps({ session });
    return `a statement of ${LONG} ms was not ended after ${SHORT}`;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === CANCELLED) return undefined;
    throw error;
  }
}
