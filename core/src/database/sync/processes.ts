import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, DatabaseLog, Statement } from "../driver/database.js";
import { SchemaInUseError } from "./errors.js";
import type { SyncPlan } from "./step.js";

/** Table of the processes that use a database. */
export const PROCESSES_TABLE = "plinth_processes";

/** The statement that makes it. Unlogged: after a crash of the server every process says again that it is there. */
export const PROCESSES_SQL = `create unlogged table ${PROCESSES_TABLE} (id text primary key, host text not null, version text not null, model text not null, since timestamptz not null default clock_timestamp(), seen timestamptz not null default clock_timestamp()) with (fillfactor = 50)`;

/** How often a process says that it is there, and after how long without that it is gone, in milliseconds. */
const HEARTBEAT = 10_000;
const GONE_AFTER = 30_000;
/** How long a stop tries to say so, in milliseconds. */
const LEAVE_TIMEOUT = 500;

/** A process that uses a database. */
export interface ProcessRow {
  readonly id: string;
  readonly host: string;
  /** Of the app, by its package.json; `""` without one. */
  readonly version: string;
  /** Hash of its content model. */
  readonly model: string;
  readonly since: Date;
  readonly seen: Date;
}

const note = ({ id, host, version, model }: Pick<ProcessRow, "id" | "host" | "version" | "model">): Statement => ({
  text: `insert into ${PROCESSES_TABLE} (id, host, version, model) values ($1, $2, $3, $4) on conflict (id) do update set seen = excluded.seen`,
  values: [id, host, version, model],
  isUpkeep: true,
});

/** Says at once, and again every 10 s, that this process uses the database. @returns ends it, within 500 ms */
export function beSeen(
  db: Database,
  given: Pick<ProcessRow, "host" | "version" | "model">,
  log: DatabaseLog,
): () => Promise<void> {
  const own = { id: randomUUID(), ...given };
  let hasEnded = false;
  let last: Promise<unknown> = Promise.resolve();
  const beat = (): void => {
    last = db.query(note(own)).catch((err: unknown) => {
      if (!hasEnded)
        log.warn({ err }, "This process could not say that it is there; plinth processes does not list it");
    });
  };
  beat();
  const timer = setInterval(beat, HEARTBEAT).unref();
  return async () => {
    hasEnded = true;
    clearInterval(timer);
    const stop = new AbortController();
    const text = `delete from ${PROCESSES_TABLE} where id = $1 or seen < now() - interval '1 day'`;
    // A row that stays counts as gone after 30 s.
    const left = last.then(() => db.query({ text, values: [own.id] })).catch(() => undefined);
    await Promise.race([left, sleep(LEAVE_TIMEOUT, undefined, { signal: stop.signal }).catch(() => undefined)]);
    stop.abort();
  };
}

/** The processes that were seen in the last 30 s, by start. None where there is no such table yet. */
export async function listProcesses(db: Database): Promise<readonly ProcessRow[]> {
  const text = "select to_regclass($1) is not null as is_there";
  const [row] = await db.query<{ is_there: boolean }>({ text, values: [PROCESSES_TABLE] });
  if (!row?.is_there) return [];
  return await db.query<ProcessRow>({
    text: `select id, host, version, model, since, seen from ${PROCESSES_TABLE} where seen > clock_timestamp() - $1 * interval '1 millisecond' order by since`,
    values: [GONE_AFTER],
  });
}

/**
 * Checks that no process of another version would miss what a plan takes away.
 *
 * @throws PLINTH_SCHEMA_IN_USE (500) details `{ processes: [{ id, host, version }] }`
 */
export async function assertUnused(db: Database, { steps, modelHash }: SyncPlan): Promise<void> {
  if (!steps.some(({ isRemoval, isDestructive }) => isRemoval || isDestructive)) return;
  const others = (await listProcesses(db)).filter(({ model }) => model !== modelHash);
  if (others.length === 0) return;
  throw new SchemaInUseError({ processes: others.map(({ id, host, version }) => ({ id, host, version })) });
}
