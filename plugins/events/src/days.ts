import type { App } from "@plinth/core";
import { EVENTS, FLOOR, REST } from "./tables.js";

const DAY = 86_400_000;
/** Days that are there before they begin. */
const AHEAD = 3;
const INTERVAL = 3_600_000;
const RETRY = 60_000;
/** A change of the partitions waits for writers, and they wait for it. */
const LOCK_TIMEOUT = "set local lock_timeout = '250ms'";
const NAME = new RegExp(`^${EVENTS}_d(\\d{4})(\\d{2})(\\d{2})$`);

/** Partitions by day: some are made ahead, and those past the retention dropped. */
export class Days {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly app: App,
    private readonly retention: number,
  ) {}

  /** Makes the days that are needed now; from then on it looks every hour. */
  async open(): Promise<void> {
    await this.#keep();
    this.#wait(INTERVAL);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(pause: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#keep().then(
        () => this.#wait(INTERVAL),
        (err: unknown) => {
          // Meanwhile the rest takes what comes.
          this.app.log.warn({ err }, "The partitions of events could not be changed; it is tried again in a minute");
          this.#wait(RETRY);
        },
      );
    }, pause).unref();
  }

  async #keep(): Promise<void> {
    const { db } = this.app;
    const today = Math.floor(this.app.clock.now() / DAY);
    const { missing, old } = await this.#compare(today);
    for (const day of missing) await this.#change(() => this.#make(day));
    for (const day of old) await this.#change(() => this.#drop(day));
    await db.query({ text: KEEP_FLOOR, values: [] });
    await db.query({ text: DELETE_REST, values: [startOf(today - this.retention)] });
  }

  async #compare(today: number): Promise<{ readonly missing: readonly number[]; readonly old: readonly number[] }> {
    const rows = await this.app.db.query<{ name: string }>({ text: LIST, values: [] });
    const days = rows.flatMap(({ name }) => dayOf(name) ?? []);
    const wanted = Array.from({ length: AHEAD + 1 }, (_, index) => today + index);
    return {
      missing: wanted.filter((day) => !days.includes(day)),
      old: days.filter((day) => day < today - this.retention),
    };
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

  /** A day of which there are events in the rest stays there. */
  async #make(day: number): Promise<void> {
    const { db } = this.app;
    const [found] = await db.query<{ is_there: boolean }>({
      text: `select to_regclass($1) is not null or exists (select from ${REST} where at >= $2 and at < $3) as is_there`,
      values: [nameOf(day), startOf(day), startOf(day + 1)],
    });
    if (found?.is_there) return;
    const name = nameOf(day);
    // Attached, it locks its siblings for a moment; made as a partition, it would lock all writers out.
    await db.query({ text: `create table ${name} (like ${EVENTS})`, values: [] });
    const range = `from ('${startOf(day)}') to ('${startOf(day + 1)}')`;
    await db.query({ text: `alter table ${EVENTS} attach partition ${name} for values ${range}`, values: [] });
  }

  async #drop(day: number): Promise<void> {
    const { db } = this.app;
    const name = nameOf(day);
    const [found] = await db.query<{ name: string | null }>({
      text: "select to_regclass($1)::text as name",
      values: [name],
    });
    if ((found?.name ?? null) === null) return;
    await db.query({
      text: `insert into ${FLOOR} select max(id) from ${name} having max(id) is not null on conflict do nothing`,
      values: [],
    });
    await db.query({ text: `drop table ${name}`, values: [] });
  }
}

const LIST = `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '${EVENTS}'::regclass`;
const KEEP_FLOOR = `delete from ${FLOOR} where id < (select max(id) from ${FLOOR})`;
const DELETE_REST = `with gone as (delete from ${REST} where at < $1::timestamptz returning id)
  insert into ${FLOOR} select max(id) from gone having max(id) is not null on conflict do nothing`;

/** @param day - days since 1970. */
const startOf = (day: number): string => new Date(day * DAY).toISOString();

const nameOf = (day: number): string => `${EVENTS}_d${startOf(day).slice(0, 10).replaceAll("-", "")}`;

function dayOf(name: string): number | undefined {
  const [, year, month, day] = NAME.exec(name) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY;
}
