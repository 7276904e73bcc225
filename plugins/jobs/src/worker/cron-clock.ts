import type { Database } from "@plinth/core";
import type { CronDefinition } from "../definitions.js";
import type { WorkerParts } from "./worker-parts.js";

const KNOW = `insert into plinth_cron (name, expression, timezone, ticked_at) select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
  on conflict (name) do update set expression = excluded.expression, timezone = excluded.timezone,
    ticked_at = greatest(plinth_cron.ticked_at, excluded.ticked_at)
  where (plinth_cron.expression, plinth_cron.timezone) <> (excluded.expression, excluded.timezone)`;

const READ = "select name, ticked_at from plinth_cron where name = any($1::text[])";

/** Milliseconds for which a time that was taken may be ahead of the clock. Clocks differ by seconds; more is a clock that was wrong. */
const AHEAD = 5 * 60_000;

/** Of several processes that find it, one puts a row back: the others wait for it, and find it right. */
const CORRECT = `with ahead as (select name, ticked_at from plinth_cron where name = any($1::text[]) and ticked_at > $2 for update)
  update plinth_cron c set ticked_at = $3 from ahead where c.name = ahead.name returning c.name, ahead.ticked_at`;

/**
 * Of all processes that try, one gets a row, also of those with different expressions: it cannot be known which of two versions is
 * going to stay, so the times of both count while both are there. The row says of which one its time is.
 */
const TICK =
  "update plinth_cron set ticked_at = $2, expression = $3, timezone = $4 where name = $1 and ticked_at < $2 returning name";

/**
 * Enqueues jobs at their times, by the clock of the database. That a time was taken and that its job is there are one
 * transaction: once for each time, also when processes die.
 */
export class CronClock {
  readonly #db: Database;
  /** The latest time of each that is known to be taken. */
  #last: Map<string, number> | undefined;
  readonly #next = new Map<string, number>();

  constructor(private readonly parts: Pick<WorkerParts, "app" | "definitions" | "jobs">) {
    this.#db = parts.app.db;
  }

  /** To be called at least each second. */
  async tick(): Promise<void> {
    const { crons } = this.parts.definitions;
    if (crons.length === 0) return;
    const now = this.parts.app.clock.now();
    // The clock was set back: what it had taken before would be waited for.
    if (crons.some((cron) => this.#lastOf(cron) > now + AHEAD)) this.#forget();
    this.#last ??= await this.#begin(crons);
    for (const cron of crons) {
      if (now < this.#nextOf(cron)) continue;
      for (const time of cron.times.missed(this.#lastOf(cron), now)) await this.#enqueue(cron, time);
    }
  }

  #forget(): void {
    this.#last = undefined;
    this.#next.clear();
  }

  /** Times from before an expression was first known do not count. */
  async #begin(crons: readonly CronDefinition[]): Promise<Map<string, number>> {
    const now = new Date(this.parts.app.clock.now());
    const column = <T>(read: (cron: CronDefinition) => T) => crons.map(read);
    const names = column(({ name }) => name);
    const values = [
      names,
      column(({ expression }) => expression),
      column(({ timezone }) => timezone),
      column(() => now),
    ];
    await this.#db.query({ text: KNOW, values });
    await this.#correct(names, now);
    const rows = await this.#db.query<{ name: string; ticked_at: Date }>({ text: READ, values: [names] });
    return new Map(rows.map(({ name, ticked_at }) => [name, ticked_at.getTime()]));
  }

  /** Puts times back that a clock took that was ahead: until they come nothing would run. @returns whether there was one */
  async #correct(names: readonly string[], time: Date): Promise<boolean> {
    const { clock, log } = this.parts.app;
    const values = [names, new Date(clock.now() + AHEAD), time];
    const rows = await this.#db.query<{ name: string; ticked_at: Date }>({ text: CORRECT, values });
    for (const { name: job, ticked_at } of rows) {
      const wrong = ticked_at.toISOString();
      const text = `The last time of the job "${job}" was ${wrong}, which is ahead of the clock: one was wrong. It is put back, and the job runs at its times again`;
      log.warn({ job, tickedAt: wrong, now: time.toISOString() }, text);
    }
    return rows.length > 0;
  }

  #lastOf({ name }: CronDefinition): number {
    return this.#last?.get(name) ?? this.parts.app.clock.now();
  }

  #nextOf(cron: CronDefinition): number {
    const known = this.#next.get(cron.name);
    if (known !== undefined) return known;
    const next = cron.times.after(this.#lastOf(cron));
    this.#next.set(cron.name, next);
    return next;
  }

  async #enqueue(cron: CronDefinition, time: number): Promise<void> {
    const { name, times } = cron;
    const key = new Date(time).toISOString();
    await this.#db.transaction(async () => {
      if (await this.#take(cron, time)) await this.parts.jobs.enqueue(name, { tick: key }, { key });
    });
    this.#last?.set(name, time);
    this.#next.set(name, times.after(time));
  }

  /** Whether a time is this process's. Who does not get it looks whether that is because of a clock that was ahead. */
  async #take({ name, expression, timezone }: CronDefinition, time: number): Promise<boolean> {
    const statement = { text: TICK, values: [name, new Date(time), expression, timezone], isPlan: true };
    const isMine = async () => (await this.#db.query(statement)).length > 0;
    return (await isMine()) || ((await this.#correct([name], new Date(time - 1))) && (await isMine()));
  }
}
