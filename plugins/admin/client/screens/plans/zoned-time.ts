import { offsetAt, toInput } from "../../fields/date/date-text.js";

/** Farther than clocks of any zone are from UTC, with the day on which they are set. */
const DAY = 86_400_000;

/**
 * What the clocks of a zone mean by a day and a time, such as `2030-03-31T02:30`: one moment, none where they are set forward over it,
 * or two where they are set back to before it.
 */
export type Reading =
  | { readonly kind: "empty" }
  | { readonly kind: "once"; readonly at: string }
  /** `next` is what the clocks show instead, as an input has it. */
  | { readonly kind: "never"; readonly next: string }
  | { readonly kind: "twice"; readonly first: string; readonly second: string };

/** Reads what stands in an input of a day and a time. */
export function readClock(text: string, zone: string): Reading {
  const shown = Date.parse(`${text}Z`);
  if (text === "" || Number.isNaN(shown)) return { kind: "empty" };
  const before = offsetAt(shown - DAY, zone);
  const offsets = [...new Set([before, offsetAt(shown + DAY, zone)])];
  const moments = offsets.map((offset) => shown - offset).filter((moment) => moment + offsetAt(moment, zone) === shown);
  const [first, second] = moments.toSorted((one, other) => one - other).map((moment) => new Date(moment).toISOString());
  if (first === undefined) return { kind: "never", next: clockAt(new Date(shown - before).toISOString(), zone) };
  return second === undefined ? { kind: "once", at: first } : { kind: "twice", first, second };
}

/** A moment as an input of a day and a time has it, without seconds. */
export const clockAt = (moment: string, zone: string): string => toInput("datetime", moment, zone).slice(0, 16);

/** The day that the clocks of a zone show: `2030-03-31`. */
export const dayAt = (moment: string, zone: string): string => toInput("datetime", moment, zone).slice(0, 10);
