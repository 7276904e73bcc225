import { isAlike } from "./equal.js";

/** Those values of a form that are others than it was opened with or, after a save, than what was sent. */
export function changedValues<Values extends object>(now: Values, known: object): Partial<Values> {
  const before = known as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isAlike(value, before[name])),
  ) as Partial<Values>;
}

/**
 * The values of a form once others are stored: what was typed stays, all else is as it is stored.
 *
 * @param known - what it was opened with or, after a save, what was sent: what is typed during a save stays, too
 */
export const takeStored = <Values extends object>(now: Values, known: Values, stored: Values): Values => ({
  ...stored,
  ...changedValues(now, known),
});
