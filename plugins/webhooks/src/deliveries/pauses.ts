/** A fifth more or less, so that those who failed together are not tried together. */
const SPREAD = 0.2;

/**
 * How long until the next try.
 *
 * @param schedule - seconds before each try.
 * @param tries - how many there were.
 * @param chance - 0 to 1.
 * @returns milliseconds; undefined: there is none
 */
export function pauseAfter(schedule: readonly number[], tries: number, chance = Math.random()): number | undefined {
  const seconds = schedule[tries];
  return seconds === undefined ? undefined : Math.round(seconds * 1_000 * (1 - SPREAD + 2 * SPREAD * chance));
}
