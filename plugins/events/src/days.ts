import type { App } from "@plinth/core";
import { EVENTS, FLOOR, MAKE_NEWEST, NEWEST } from "./tables.js";

const DAY = 86_400_000;
const INTERVAL = 3_600_000;
const RETRY = 60_000;
/** Closing a table waits for those who write to it, and others wait for that. */
const LOCK_TIMEOUT = "set local lock_timeout = '100ms'";

/** A table of events that is not written to any more. */
interface ClosedTable {
  readonly name: string;
  /** When its last event was written. */
  readonly until: Date | null;
}

/** Begins a table of events a day, and drops those past the retention. A day that cannot be closed just now lasts longer. */
export class Days {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly app: Pick<App, "clock" | "db" | "log">,
    private readonly retention: number,
  ) {}

  /** Looks now, and from then on every hour. */
  async open(): Promise<void> {
    await this.#look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const pause = await this.#keep().then(
      () => INTERVAL,
      (err: unknown) => {
        this.app.log.warn({ err }, "The tables of events could not be changed; it is tried again in a minute");
        return RETRY;
      },
    );
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look();
    }, pause).unref();
  }

  async #keep(): Promise<void> {
    const { db } = this.app;
    const today = Math.floor(this.app.clock.now() / DAY);
    if (await this.#isOver(today)) await this.#change(() => this.#closeDay(today));
    const oldest = (today - this.retention) * DAY;
    for (const { name, until } of await this.#closed())
      if ((until?.getTime() ?? 0) < oldest) await this.#change(() => this.#drop(name));
    await db.query({ text: KEEP_FLOOR, values: [] });
  }

  /** Whether the first event that is written to was of a day before. @param today - days since 1970. */
  async #isOver(today: number): Promise<boolean> {
    const rows = await this.app.db.query({ text: BEGAN_BEFORE, values: [new Date(today * DAY).toISOString()] });
    return rows.length > 0;
  }

  async #closed(): Promise<readonly ClosedTable[]> {
    const { db } = this.app;
    const rows = await db.query<{ name: string }>({ text: CLOSED, values: [] });
    return await Promise.all(
      rows.map(async ({ name }) => {
        const text = `select at from ${name} order by id desc limit 1`;
        const [last] = await db.query<{ at: Date }>({ text, values: [] });
        return { name, until: last?.at ?? null };
      }),
    );
  }

  /** One process at a time; another may have done it meanwhile. */
  async #change(change: () => Promise<void>): Promise<void> {
    const { db } = this.app;
    await db.transaction(async () => {
      await db.lock(`${EVENTS} days`);
      await db.query({ text: LOCK_TIMEOUT, values: [] });
      await change();
    });
  }

  async #closeDay(today: number): Promise<void> {
    const { db } = this.app;
    await db.query({ text: `lock table ${NEWEST} in access exclusive mode`, values: [] });
    if (!(await this.#isOver(today))) return;
    const [last] = await db.query<{ id: string }>({ text: `select max(id)::text as id from ${NEWEST}`, values: [] });
    await db.query({ text: `alter table ${NEWEST} rename to ${EVENTS}_${last?.id}`, values: [] });
    await db.query({ text: MAKE_NEWEST, values: [] });
  }

  async #drop(name: string): Promise<void> {
    const { db } = this.app;
    if (!(await this.#closed()).some((closed) => closed.name === name)) return;
    const text = `insert into ${FLOOR} select max(id) from ${name} having max(id) is not null on conflict do nothing`;
    await db.query({ text, values: [] });
    await db.query({ text: `drop table ${name}`, values: [] });
  }
}

const BEGAN_BEFORE = `select from ${NEWEST} where id = (select min(id) from ${NEWEST}) and at < $1::timestamptz`;
const CLOSED = `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = '${EVENTS}'::regclass and i.inhrelid <> '${NEWEST}'::regclass order by c.oid`;
const KEEP_FLOOR = `delete from ${FLOOR} where id < (select max(id) from ${FLOOR})`;
