import type { App } from "@plinth/core";
import type { CronDefinition } from "../definitions.js";
import { jobsService } from "../jobs-service.js";

/** How it stands with the jobs of one name. Times are ISO 8601. */
export interface QueueView {
  readonly name: string;
  /** False: no code has it any more, and nothing runs its jobs. */
  readonly isDeclared: boolean;
  /** At most `COUNTED`, which then means that there are as many or more. So are the others. */
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** When the job may run, or might have run, that does so first; null: none waits. */
  readonly nextAt: string | null;
  /** Times of the clock by which it is enqueued. */
  readonly cron: CronView | null;
}

/** When a job is enqueued by the clock. */
export interface CronView {
  /** Such as `0 3 * * 1`. */
  readonly expression: string;
  readonly timezone: string;
  /** The latest time at which it was; null: there has been none since it was declared. */
  readonly lastAt: string | null;
  /** Null: there is no further time. */
  readonly nextAt: string | null;
}

/** Jobs of a name and state that are counted: more of them are as bad, and cost a look at each. */
export const COUNTED = 1_000;
/** Dead jobs of all names that are looked at. */
const DEAD = 10_000;

/** Each name that has jobs is found by one step in an index. */
const NAMES = `with recursive names as (
    (select name from plinth_jobs where state <> 'dead' order by name limit 1)
    union all select (select j.name from plinth_jobs j where j.name > n.name and state <> 'dead' order by j.name limit 1) from names n
      where n.name is not null)
  select name from names where name is not null`;

const LIVE = `select q.name, (select at from plinth_jobs j where j.name = q.name and state <> 'dead' order by at limit 1) as "nextAt",
    counted.waiting, counted.running from unnest($1::text[]) q (name)
  cross join lateral (select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'running')::int as running
    from (select state from plinth_jobs j where j.name = q.name and state <> 'dead' limit $2) few) counted`;

const DEAD_OF = `select name, least(count(*), $1)::int as count from (select name from plinth_jobs where state = 'dead' order by at limit ${DEAD}) few
  group by name`;

const TICKS = "select name, expression, timezone, ticked_at as at from plinth_cron";

interface Live {
  readonly name: string;
  readonly nextAt: Date | null;
  readonly waiting: number;
  readonly running: number;
}

interface Tick {
  readonly name: string;
  readonly expression: string;
  readonly timezone: string;
  readonly at: Date;
}

/** The queues of an app: those that are declared, and such as only have jobs left. What it reads is bounded. */
export async function readQueues(app: App): Promise<readonly QueueView[]> {
  const { definitions } = app.extension(jobsService);
  const read = <Row>(text: string, ...values: readonly unknown[]) =>
    app.db.query<Row & object>({ text, values, isRead: true });
  const [present, dead, ticks] = [
    await read<{ name: string }>(NAMES),
    await read<{ name: string; count: number }>(DEAD_OF, COUNTED),
    await read<Tick>(TICKS),
  ];
  const known = [...present, ...dead].map(({ name }) => name);
  const names = [...new Set([...definitions.names, ...known])].sort();
  const live = new Map((await read<Live>(LIVE, names, COUNTED)).map((row) => [row.name, row]));
  const now = app.clock.now();
  return names.map((name) => {
    const cron = definitions.crons.find((each) => each.name === name);
    const { waiting = 0, running = 0, nextAt = null } = live.get(name) ?? {};
    return {
      ...{ name, isDeclared: definitions.names.includes(name), waiting, running },
      dead: dead.find((row) => row.name === name)?.count ?? 0,
      nextAt: nextAt?.toISOString() ?? null,
      cron: cron ? cronView(cron, ticks, now) : null,
    };
  });
}

function cronView(
  { name, expression, timezone, times }: CronDefinition,
  ticks: readonly Tick[],
  now: number,
): CronView {
  const tick = ticks.find((each) => each.name === name && each.expression === expression && each.timezone === timezone);
  // What is kept first is when the expression became known, which is no time of it.
  const isTime = tick && times.after(tick.at.getTime() - 1) === tick.at.getTime();
  const next = times.after(now);
  return {
    ...{ expression, timezone, lastAt: isTime ? tick.at.toISOString() : null },
    nextAt: Number.isFinite(next) ? new Date(next).toISOString() : null,
  };
}
