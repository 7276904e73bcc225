import { dailyTimes } from "./daily-times.js";
import { hourlyTimes } from "./hourly-times.js";

/** The times of a cron expression. Times are in milliseconds since 1970. */
export interface CronTimes {
  /** The first after a time; infinity: none. */
  after(time: number): number;
  /**
   * Those after one time and not after another, the earliest first: all of the last minute; where there is none in it, the
   * latest.
   */
  missed(after: number, until: number): readonly number[];
}

/** Five fields, or six with seconds in front. The library takes dates as well. */
const FIELDS = /^\S+( \S+){4,5}$/;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How far is looked back, the nearest first, so that few times are gone through after any absence. */
const WINDOWS = [MINUTE, HOUR, DAY, 32 * DAY, 9 * 366 * DAY] as const;

/** Three fields are behind that of hours; one with `*` names no hours of the day. */
const IN_ALL_HOURS = /(^|\s)\*\S*(\s+\S+){3}$/;

/** Whether an expression has the form of one. */
export const isCron = (expression: string): boolean => FIELDS.test(expression.trim());

/** @throws what the library says of an expression or a time zone that it does not know */
export function parseCron(expression: string, timezone: string): CronTimes {
  const isHourly = timezone === "UTC" || IN_ALL_HOURS.test(expression.trim());
  const after = (isHourly ? hourlyTimes : dailyTimes)(expression.trim(), timezone);
  // It looks at the time zone now only.
  after(Date.now());
  return {
    after,
    missed: (since, until) => {
      for (const window of WINDOWS) {
        const found = between(after, Math.max(since, until - window), until);
        if (found.length > 0) return window === MINUTE ? found : found.slice(-1);
        if (until - window <= since) break;
      }
      return [];
    },
  };
}

function between(after: (time: number) => number, from: number, until: number): readonly number[] {
  const found: number[] = [];
  for (let next = after(from); next <= until; next = after(next)) found.push(next);
  return found;
}
