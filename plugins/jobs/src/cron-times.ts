import { Cron } from "croner";

/** The times of a cron expression. Times are in milliseconds since 1970. */
export interface CronTimes {
  /** The first after a time; infinity: none. */
  after(time: number): number;
  /** The latest after one time and not after another; undefined where there is none. */
  latest(after: number, until: number): number | undefined;
}

/** Five fields, or six with seconds in front. The library takes dates as well. */
const FIELDS = /^\S+( \S+){4,5}$/;

const MINUTE = 60_000;
/** How far is looked back, the nearest first, so that few times are gone through however long nothing ran. */
const WINDOWS = [2 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, 32 * 24 * 60 * MINUTE, 9 * 366 * 24 * 60 * MINUTE] as const;

/** Whether an expression has the form of one. */
export const isCron = (expression: string): boolean => FIELDS.test(expression.trim());

/** @throws what the library says of an expression or a time zone that it does not know */
export function parseCron(expression: string, timezone: string): CronTimes {
  const cron = new Cron(expression.trim(), { timezone, paused: true });
  const after = (time: number): number => cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY;
  // It looks at the time zone now only.
  after(Date.now());
  return {
    after,
    latest: (since, until) => {
      for (const window of WINDOWS) {
        const from = Math.max(since, until - window);
        const found = lastUntil(after, from, until);
        if (found !== undefined || from === since) return found;
      }
      return undefined;
    },
  };
}

function lastUntil(after: (time: number) => number, from: number, until: number): number | undefined {
  let last: number | undefined;
  for (let next = after(from); next <= until; next = after(next)) last = next;
  return last;
}
