/** Longest text that a message repeats. */
const LONGEST = 80;

/** A value of a client as messages show it: JSON, cut where it is long. */
export function inspectValue(value: unknown): string {
  const text = value === undefined ? "this" : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
