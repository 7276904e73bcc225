// By how much the clock of a time zone is ahead of UTC, and when it is set.
const MINUTES = 60;
/** `GMT+05:45`; Greenwich itself has no number. */
const OFFSET = /([+-])(\d\d):(\d\d)/;

/** Of a zone, the minutes by which its clock is ahead of UTC at some time. */
export function offsetsOf(timeZone: string): (time: number) => number {
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
export function firstWithout(end: number, beginning: number, holds: (moment: number) => boolean): number {
  let [low, high] = [beginning, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
