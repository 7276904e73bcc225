import type { Database } from "@plinth/core";
import type { WaitingJob } from "./contract.js";

/** A job that is to be kept. */
export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly data: string;
  readonly key: string | undefined;
  /** A `traceparent`: where it was enqueued. */
  readonly trace: string | undefined;
  readonly priority: number;
  readonly at: Date | undefined;
  /** How many there may be. */
  readonly attempts: number;
}

/** An attempt that a process has: once another one has taken the job over, it is no more that. */
export interface HeldAttempt {
  readonly id: string;
  /** 1 is the first. */
  readonly attempt: number;
}

/** A job that this process has taken. */
export interface TakenJob extends HeldAttempt {
  readonly name: string;
  readonly data: unknown;
  readonly key: string | null;
  readonly trace: string | null;
  /** How many there may be; one more is taken of a job whose last one was abandoned. */
  readonly attempts: number;
  /** Milliseconds for which it could have run. */
  readonly waited: number;
  /** Its process is gone, or did not say for too long that it runs it. */
  readonly isAbandoned: boolean;
}

/** When the next job of a queue may run, by the clock of the database. */
export interface QueueState {
  readonly name: string;
  /** Milliseconds for which it has waited; negative: until it may run. Null: there is none. */
  readonly waited: number | null;
}

/** What is kept of an attempt that failed. */
export interface JobFault {
  readonly message: string;
  readonly code?: string;
}

/*
 * A job that waits with the key is locked until the caller commits, though nothing of it changes: who takes jobs passes over it
 * until then, so it runs with what the caller has written.
 *
 * @source https://www.postgresql.org/docs/15/sql-insert.html, on the condition of ON CONFLICT DO UPDATE
 */
const ADD = `insert into plinth_jobs (name, data, key, trace, priority, at, attempts)
  values ($1, $2::jsonb, $3, $4, $5, coalesce($6::timestamptz, now()), $7)
  on conflict (name, key) where started_at is null and key is not null do update set key = excluded.key where false returning id::text`;

/**
 * Processes that take at one time pass over each other's rows, and wait for nothing. The number is part of the text: for an
 * unknown one PostgreSQL plans for a tenth of the table.
 */
const take = (most: number): string => `with due as materialized (select id, state, at from plinth_jobs
    where name = $1 and state <> 'dead' and at <= now() and id <> all($3::bigint[])
    order by priority desc, at, id limit ${most} for update skip locked),
  taken as (update plinth_jobs j set state = 'running', attempt = j.attempt + 1, started_at = now(), at = now() + $2 * interval '1 millisecond'
    from due where j.id = due.id returning j.id, j.name, j.data, j.key, j.trace, j.attempt, j.attempts, due.at as due_at, due.state as due_state)
  select id::text, name, data, key, trace, attempt, attempts, (extract(epoch from now() - due_at) * 1000)::float8 as waited,
    due_state = 'running' as "isAbandoned" from taken`;

const HELD = `from unnest($1::bigint[], $2::int[]) held (id, attempt)
  where j.id = held.id and j.attempt = held.attempt and j.state = 'running'`;
const KEEP = `update plinth_jobs j set at = now() + $3 * interval '1 millisecond' ${HELD} returning j.id::text`;
const GIVE_BACK = `update plinth_jobs j set state = 'waiting', attempt = j.attempt - 1, at = now() ${HELD}`;

const FAIL = `update plinth_jobs set state = case when attempt < attempts then 'waiting' else 'dead' end, fault = $4::jsonb,
  at = now() + case when attempt < attempts then $3::float8 else 0 end * interval '1 millisecond'
  where id = $1::bigint and attempt = $2 and state = 'running' returning id`;

const LOOK = `select name, (extract(epoch from clock_timestamp() - (select at from plinth_jobs j
  where j.name = q.name and state <> 'dead' order by at limit 1)) * 1000)::float8 as waited from unnest($1::text[]) q (name)`;

const CANCEL =
  "delete from plinth_jobs where name = $1 and key = any($2::text[]) and started_at is null and key is not null returning id";
const WAITING = "select id::text, data, at from plinth_jobs where name = $1 and state = 'waiting'";
const DONE = "delete from plinth_jobs where id = $1::bigint";
const FORGET = "delete from plinth_jobs where state = 'dead' and at < now() - $1 * interval '1 day'";

/** The jobs in the database. Times are in milliseconds. */
export class JobStore {
  /** @param lease - after which a job is taken for abandoned, unless its process says otherwise. */
  constructor(
    private readonly db: Database,
    private readonly lease: number,
  ) {}

  /** @returns its id; undefined where one with its key waits */
  async add({ name, data, key, trace, priority, at, attempts }: NewJob): Promise<string | undefined> {
    const values = [name, data, key ?? null, trace ?? null, priority, at ?? null, attempts];
    return (await this.#rows<HeldAttempt>(ADD, ...values))[0]?.id;
  }

  /** Deletes those that have never begun. @returns how many there were */
  async cancel(name: string, keys: readonly string[]): Promise<number> {
    return (await this.#rows(CANCEL, name, keys)).length;
  }

  /** Takes jobs that may run, those of the highest priority first. @param except - ids: what this process runs, late or not */
  take(name: string, most: number, except: readonly string[]): Promise<readonly TakenJob[]> {
    return this.#rows(take(most), name, this.lease, except);
  }

  /** Forgets a job that is done. */
  async done(id: string): Promise<void> {
    await this.#rows(DONE, id);
  }

  /** An attempt failed: there is another after a pause, or the job is dead. @returns false where another process has it */
  async failed({ id, attempt }: HeldAttempt, pause: number, fault: JobFault): Promise<boolean> {
    return (await this.#rows(FAIL, id, attempt, pause, JSON.stringify(fault))).length > 0;
  }

  /** Says that this process still runs jobs. @returns the ids of those that it still has */
  async keep(held: readonly HeldAttempt[]): Promise<ReadonlySet<string>> {
    const kept = await this.#rows<HeldAttempt>(KEEP, ...columnsOf(held), this.lease);
    return new Set(kept.map(({ id }) => id));
  }

  /** Gives jobs back as if they had not been taken. */
  async giveBack(held: readonly HeldAttempt[]): Promise<void> {
    await this.#rows(GIVE_BACK, ...columnsOf(held));
  }

  /** When the next job of each queue may run: a look into an index for each. */
  look(names: readonly string[]): Promise<readonly QueueState[]> {
    return this.db.query<QueueState & object>({ text: LOOK, values: [names], isPlan: true, isRead: true });
  }

  /** Those that have not begun, or are run again. */
  waiting(name: string): Promise<readonly WaitingJob[]> {
    return this.#rows(WAITING, name);
  }

  /** Forgets what has been dead for so many days. */
  async forget(days: number): Promise<void> {
    await this.#rows(FORGET, days);
  }

  #rows<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.db.query<Row & object>({ text, values, isPlan: true });
  }
}

const columnsOf = (held: readonly HeldAttempt[]): readonly [readonly string[], readonly number[]] => [
  held.map(({ id }) => id),
  held.map(({ attempt }) => attempt),
];
