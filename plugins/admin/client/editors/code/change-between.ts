import type { ChangeSpec } from "@codemirror/state";

/** The part in which two texts differ, as a change of the first: what stands before and after it keeps the cursor. */
export function changeBetween(before: string, after: string): ChangeSpec {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shortest - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from: start, to: before.length - tail, insert: after.slice(start, after.length - tail) };
}
