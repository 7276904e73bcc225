import { clockAt, readClock } from "./zoned-time.js";

/** What stands in a field of a day and a time. */
export interface MomentInput {
  /** As an input has it: `2030-03-31T02:30`. */
  readonly text: string;
  /** Of a time that there is twice: which one. */
  readonly isSecond: boolean;
}

/** A moment as its field shows it; null: empty. */
export const inputOf = (moment: string | null, zone: string): MomentInput => {
  if (moment === null) return { text: "", isSecond: false };
  const text = clockAt(moment, zone);
  const reading = readClock(text, zone);
  return { text, isSecond: reading.kind === "twice" && reading.second === moment };
};

/** What a field says: null where it is empty, undefined where it says no moment that there is. */
export function momentOf({ text, isSecond }: MomentInput, zone: string): string | null | undefined {
  const reading = readClock(text, zone);
  if (reading.kind === "empty") return null;
  if (reading.kind === "never") return undefined;
  return reading.kind === "once" ? reading.at : isSecond ? reading.second : reading.first;
}
