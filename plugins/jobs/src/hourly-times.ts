import { Cron } from "croner";
import { firstWithout, offsetsOf } from "./zone-offsets.js";

/**
 * The times of an expression that names no hours of the day, such as each five minutes. A clock that is set back shows an hour
 * twice: what is to happen at a time of the day happens in one of the two, and the library knows no other; this happens in both.
 * The clock of UTC is never set, so any expression may be given in it.
 *
 * @returns gives the first time after another, both in milliseconds since 1970; infinity: none
 * @throws what the library says of an expression, and Intl of a time zone, that it does not know
 */
export function hourlyTimes(expression: string, timezone: string): (time: number) => number {
  const offsetAt = offsetsOf(timezone);
  const crons = new Map<number, Cron>();
  const nextIn = (utcOffset: number, time: number): number => {
    const cron = crons.get(utcOffset) ?? new Cron(expression, { utcOffset, paused: true });
    crons.set(utcOffset, cron);
    return cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY;
  };
  return (time) => {
    for (let from = time; ; ) {
      const offset = offsetAt(from + 1);
      const next = nextIn(offset, from);
      if (next === Number.POSITIVE_INFINITY || offsetAt(next) === offset) return next;
      // The clock is set before that: on from the last moment that is still by the old one.
      from = firstWithout(next, from, (moment) => offsetAt(moment + 1) === offset);
    }
  };
}
