import { Cron } from "croner";

const MINUTES = 60;
/** `GMT+05:45`; Greenwich itself has no number. */
const OFFSET = /([+-])(\d\d):(\d\d)/;

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

/** Of a zone, the minutes by which its clock is ahead of UTC at some time. */
function offsetsOf(timeZone: string): (time: number) => number {
  // Most expressions are in UTC, and the first use of Intl takes several milliseconds of a start.
  if (timeZone === "UTC") return () => 0;
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName");
    const [, sign = "+", hours = 0, minutes = 0] = OFFSET.exec(name?.value ?? "") ?? [];
    return Number(`${sign}1`) * (Number(hours) * MINUTES + Number(minutes));
  };
}

/** The first moment for which something does not hold any more; it holds at the beginning, and not at the end. */
function firstWithout(end: number, beginning: number, holds: (moment: number) => boolean): number {
  let [low, high] = [beginning, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
