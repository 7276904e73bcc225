// The times of a cron expression that names hours of the day.
import { Cron } from "croner";
import { firstWithout, offsetsOf } from "./zone-offsets.js";

const MINUTE = 60_000;
/** No clock that is set for the summer is set by more; what leaves out a day, as on Samoa, is no hour that comes later. */
const MOST = 3 * 60 * MINUTE;

/**
 * The times of an expression that names hours of the day. Where the clock shows an hour twice, its times come once; where
 * it leaves an hour out, the times of that come as much later as it is set by, each.
 *
 * @returns gives the first time after another, both in milliseconds since 1970; infinity: none
 * @throws what the library says of an expression, and Intl of a time zone, that it does not know
 */
export function dailyTimes(expression: string, timezone: string): (time: number) => number {
  const cron = new Cron(expression, { timezone, paused: true });
  const offsetAt = offsetsOf(timezone);
  const crons = new Map<number, Cron>();
  const nextBy = (utcOffset: number, time: number): number => {
    const fixed = crons.get(utcOffset) ?? new Cron(expression, { utcOffset, paused: true });
    crons.set(utcOffset, fixed);
    return timeOf(fixed.nextRun(new Date(time)));
  };
  /** Of an hour that was left out just before, by the clock of before: the library knows the first of its times only. */
  const leftOut = (time: number): number => {
    const [before, now] = [offsetAt(time - MOST), offsetAt(time + 1)];
    if (now <= before) return Number.POSITIVE_INFINITY;
    const set = firstWithout(time + 1, time - MOST, (moment) => offsetAt(moment) === before);
    const next = nextBy(before, time);
    return next < set + (now - before) * MINUTE ? next : Number.POSITIVE_INFINITY;
  };
  return (time) => Math.min(timeOf(cron.nextRun(new Date(time))), leftOut(time));
}

const timeOf = (date: Date | null): number => date?.getTime() ?? Number.POSITIVE_INFINITY;
