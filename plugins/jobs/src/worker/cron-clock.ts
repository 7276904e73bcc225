import type { Database } from "@plinth/core";
import type { CronDefinition } from "../definitions.js";
import type { WorkerParts } from "./worker-parts.js";

const KNOW = `insert into plinth_cron (name, expression, timezone, ticked_at) select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
  on conflict (name) do update set expression = excluded.expression, timezone = excluded.timezone,
    ticked_at = greatest(plinth_cron.ticked_at, excluded.ticked_at)
  where (plinth_cron.expression, plinth_cron.timezone) <> (excluded.expression, excluded.timezone)`;

const READ = "select name, ticked_at from plinth_cron where name = any($1::text[])";

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
    this.#last ??= await this.#begin(crons);
    const now = this.parts.app.clock.now();
    for (const cron of crons) {
      if (now < this.#nextOf(cron)) continue;
      for (const time of cron.times.missed(this.#lastOf(cron), now)) await this.#enqueue(cron, time);
    }
  }

  /** Times from before an expression was first known do not count. */
  async #begin(crons: readonly CronDefinition[]): Promise<Map<string, number>> {
    const now = new Date(this.parts.app.clock.now());
    const column = (read: (cron: CronDefinition) => unknown) => crons.map(read);
    const names = column(({ name }) => name);
    const values = [
      names,
      column(({ expression }) => expression),
      column(({ timezone }) => timezone),
      column(() => now),
    ];
    await this.#db.query({ text: KNOW, values });
    const rows = await this.#db.query<{ name: string; ticked_at: Date }>({ text: READ, values: [names] });
    return new Map(rows.map(({ name, ticked_at }) => [name, ticked_at.getTime()]));
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

  async #enqueue({ name, expression, timezone, times }: CronDefinition, time: number): Promise<void> {
    const tick = new Date(time);
    await this.#db.transaction(async () => {
      const [mine] = await this.#db.query({ text: TICK, values: [name, tick, expression, timezone], isPlan: true });
      const key = tick.toISOString();
      if (mine) await this.parts.jobs.enqueue(name, { tick: key }, { key });
    });
    this.#last?.set(name, time);
    this.#next.set(name, times.after(time));
  }
}
