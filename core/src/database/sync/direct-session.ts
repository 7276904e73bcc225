import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Statement } from "../driver/database.js";
import { identifier } from "../sql/sql.js";
import { SNAPSHOT_TABLE } from "./snapshot.js";

/** How often a process asks whether another one has finished its changes of the tables, in milliseconds. */
const POLL_INTERVAL = 100;

/**
 * The lock of those who change the tables: one at a time. It is asked for again and again, because one that waits for a
 * lock holds a snapshot, and an index that is made concurrently waits for every snapshot: they would wait for each other.
 */
const tryLock = (scope: "session" | "transaction"): Statement => ({
  text: `select ${scope === "session" ? "pg_try_advisory_lock" : "pg_try_advisory_xact_lock"}(hashtextextended($1 || ' ' || current_schema(), 0)) as is_locked`,
  values: [SNAPSHOT_TABLE],
});

/** Takes the lock for the current transaction, if no other process has it. */
export async function tryLockTables(db: Database): Promise<boolean> {
  const [row] = await db.query<{ is_locked: boolean }>(tryLock("transaction"));
  return row?.is_locked ?? false;
}

/** Runs something again until it says that it had the lock: undefined is "not yet". */
export async function whenLocked<Result extends object>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result) return result;
    await sleep(POLL_INTERVAL);
  }
}

/** A connection of its own, past any pooler, that has the lock of those who change the tables. */
export interface DirectSession {
  /** Runs one statement, outside of any transaction, as long as it takes. */
  run(text: string): Promise<void>;
  /** The process of the server that works for it. */
  readonly pid: number;
  /** Ends the connection, and with it the lock. */
  end(): Promise<void>;
}

/**
 * Opens a session that has the lock.
 *
 * @param waits - whether to wait for others; else undefined where one has it.
 */
export async function openSession(db: Database, waits: boolean): Promise<DirectSession | undefined> {
  const [place] = await db.query<{ schema: string }>({ text: "select current_schema() as schema", values: [] });
  const client = db.connectDirect();
  if (!client || !place) return undefined;
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(
      "select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false), set_config('search_path', $1, false)",
      [identifier(place.schema)],
    );
    const attempt = async () => {
      const { text, values } = tryLock("session");
      const { rows } = await client.query<{ is_locked: boolean }>(text, [...values]);
      return rows[0]?.is_locked ? client : undefined;
    };
    const locked = waits ? await whenLocked(attempt) : await attempt();
    if (!locked) {
      await client.end();
      return undefined;
    }
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return {
      run: async (text) => void (await client.query(text)),
      pid: rows[0]?.pid ?? 0,
      end: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
