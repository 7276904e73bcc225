import type { Database, Statement } from "@plinth/core";
import type PgBoss from "pg-boss";
import type { WaitingJob } from "./contract.js";

/** What is kept in the column `data` of a job. */
export interface Envelope {
  readonly data: unknown;
  /** That it was enqueued with. */
  readonly key?: string;
  /** A `traceparent`: where it was enqueued. */
  readonly trace?: string;
}

/** A job that this process has taken. */
export interface TakenJob {
  readonly id: string;
  readonly name: string;
  readonly envelope: Envelope;
  /** 1 is the first. */
  readonly attempt: number;
  /** How many there may be. */
  readonly attempts: number;
  /** Milliseconds for which it could have run. */
  readonly waited: number;
}

/** How a job is kept. Times are in milliseconds. */
export interface NewJob {
  readonly id: string;
  readonly name: string;
  readonly envelope: Envelope;
  readonly retries: number;
  readonly backoff: number;
  readonly at: Date | undefined;
  readonly priority: number;
}

/** When the next job of a queue may run, by the clock of the database. */
export interface QueueState {
  readonly name: string;
  /** Milliseconds for which it has waited; negative: until it may run. Null: none waits. */
  readonly waited: number | null;
}

/** Jobs of a queue whose process is gone. */
export interface AbandonedJobs {
  readonly name: string;
  readonly ids: readonly string[];
}

/** What is kept of an attempt that failed. */
export interface JobFault {
  readonly message: string;
  readonly code?: string;
}

/**
 * pg-boss puts the name of its schema before its tables and types; ours have it as prefix, because they are in the schema of
 * the app. So does every text that it makes.
 */
const SCHEMA = "plinth";

/** What holds of a job that runs: its id is known to the process that has it. */
const MINE = "name = any($1::text[]) and id = any($2::uuid[]) and state = 'active'";

/**
 * The jobs in the database. pg-boss says how they are added, taken and tried again; its workers, its cron and its pool are
 * not used: a worker of it ends the process when its connection breaks, and its cron may miss or repeat a time.
 */
export class JobStore {
  readonly #seconds: number;
  #boss: Promise<PgBoss> | undefined;

  /** @param lease - milliseconds after which a job is taken for abandoned, unless its process says otherwise. */
  constructor(
    private readonly db: Database,
    lease: number,
  ) {
    this.#seconds = Math.ceil(lease / 1000);
  }

  /** @returns whether it was added: not where one with its key waits */
  async add({ id, name, envelope, retries, backoff, at, priority }: NewJob): Promise<boolean> {
    const boss = await this.#open();
    const added = await boss.send(name, envelope, {
      ...{ id, priority, singletonKey: envelope.key ?? id, expireInSeconds: this.#seconds },
      ...{ retryLimit: retries, retryDelay: Math.ceil(backoff / 1000), retryBackoff: true },
      ...(at === undefined ? {} : { startAfter: at }),
    });
    return added !== null;
  }

  /** Takes jobs that may run, those of the highest priority first. */
  async take(name: string, most: number): Promise<readonly TakenJob[]> {
    const boss = await this.#open();
    // It swallows what goes wrong here.
    const failures: unknown[] = [];
    const db = {
      executeSql: (text: string, values: unknown[]) =>
        this.#run(text, values).catch((error: unknown) => {
          failures.push(error);
          throw error;
        }),
    };
    const taken = await boss.fetch<Envelope>(name, { batchSize: most, includeMetadata: true, db });
    if (failures.length > 0) throw failures[0];
    // Those that ran long before they failed have a long lease.
    const long = taken.filter(({ expireInSeconds }) => Number(expireInSeconds) > this.#seconds).map(({ id }) => id);
    if (long.length > 0) await this.keep([name], long);
    return taken.map(({ id, data, retryCount, retryLimit, startAfter, startedOn }) => ({
      ...{ id, name, envelope: data, attempt: retryCount + 1, attempts: retryLimit + 1 },
      waited: Math.max(0, startedOn.getTime() - startAfter.getTime()),
    }));
  }

  /** Forgets a job that is done. */
  async done(name: string, id: string): Promise<void> {
    await (await this.#open()).deleteJob(name, id);
  }

  /** An attempt failed: it is tried again later, or is dead. @returns false where another process has taken it over */
  async failed({ name, id, attempt }: TakenJob, fault: JobFault): Promise<boolean> {
    const boss = await this.#open();
    return await this.db.transaction(async () => {
      const text =
        "update plinth_job set expire_in = expire_in where name = $1 and id = $2 and state = 'active' and retry_count = $3 returning id";
      const [mine] = await this.db.query(write(text, [name, id, attempt - 1]));
      if (mine) await boss.fail(name, id, fault);
      return mine !== undefined;
    });
  }

  /** Says that this process still runs jobs. @returns the ids of those that it still has */
  async keep(names: readonly string[], ids: readonly string[]): Promise<readonly string[]> {
    const text = `update plinth_job set expire_in = now() - started_on + $3 * interval '1 second' where ${MINE} returning id`;
    return (await this.db.query<{ id: string }>(write(text, [names, ids, this.#seconds]))).map(({ id }) => id);
  }

  /** Gives jobs back as if they had not been taken. */
  async giveBack(names: readonly string[], ids: readonly string[]): Promise<void> {
    const text = `update plinth_job set state = 'retry', started_on = null, start_after = now(), expire_in = $3 * interval '1 second' where ${MINE}`;
    await this.db.query(write(text, [names, ids, this.#seconds]));
  }

  /** Has jobs whose process is gone tried again. @returns them by the name of their queue */
  async reclaim(): Promise<readonly AbandonedJobs[]> {
    const look = "select 1 from plinth_job where state = 'active' and started_on + expire_in < now() limit 1";
    if ((await this.db.query({ text: look, values: [], isPlan: true, isRead: true })).length === 0) return [];
    const boss = await this.#open();
    const text = `with abandoned as (select name, id from plinth_job where state = 'active' and started_on + expire_in < now()
      order by started_on limit 100 for update skip locked) select name, array_agg(id::text) as ids from abandoned group by name`;
    return await this.db.transaction(async () => {
      const abandoned = await this.db.query<AbandonedJobs & object>(write(text, []));
      for (const { name, ids } of abandoned) for (const id of ids) await boss.fail(name, id, GONE);
      return abandoned;
    });
  }

  /** When the next job of each queue may run: a look into an index for each. */
  async look(names: readonly string[]): Promise<readonly QueueState[]> {
    const text = `select name, (extract(epoch from clock_timestamp() - (select start_after from plinth_job j
      where j.name = q.name and state < 'active' order by start_after limit 1)) * 1000)::float8 as waited from unnest($1::text[]) q(name)`;
    return await this.db.query<QueueState & object>({ text, values: [names], isPlan: true, isRead: true });
  }

  /** Those that have not begun, or are run again. */
  async waiting(name: string): Promise<readonly WaitingJob[]> {
    const text =
      "select id, data -> 'data' as data, start_after as at from plinth_job where name = $1 and state < 'active'";
    return await this.db.query<WaitingJob & object>({ text, values: [name] });
  }

  /** Has dead jobs run again, once at least. @returns how many */
  async retry(name: string, ids: readonly string[]): Promise<number> {
    return affectedBy(await (await this.#open()).retry(name, [...ids]));
  }

  /** Deletes jobs. @returns how many */
  async drop(name: string, ids: readonly string[]): Promise<number> {
    return affectedBy(await (await this.#open()).deleteJob(name, [...ids]));
  }

  /** The library is loaded with the first job. */
  #open(): Promise<PgBoss> {
    this.#boss ??= import("pg-boss").then(
      ({ default: Boss }) =>
        new Boss({
          ...{ schema: SCHEMA, migrate: false, supervise: false, schedule: false },
          db: { executeSql: (text, values) => this.#run(text, values) },
        }),
    );
    return this.#boss;
  }

  async #run(text: string, values: readonly unknown[]): Promise<{ rows: object[] }> {
    const bound = values.map((value) => (value === undefined ? null : value));
    return { rows: await this.db.query(write(text.replaceAll(`${SCHEMA}.`, `${SCHEMA}_`), bound)) };
  }
}

const GONE: JobFault = { message: "its process was gone, or did not say for too long that it runs it" };

const write = (text: string, values: readonly unknown[]): Statement => ({ text, values, isPlan: true });

/** What its types leave out. */
const affectedBy = (result: unknown): number => (result as { readonly affected: number }).affected;
