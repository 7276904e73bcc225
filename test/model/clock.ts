import type { Clock } from "@plinth/core";

/**
 * Tells a new millisecond each time: places in lists are made of times, and what happens in the same one has no order that
 * a model could know of.
 */
export function clockOfDifferentTimes(): Clock {
  let last = 0;
  const now = () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
  return { now, offset: 0 };
}
