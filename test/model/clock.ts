/**
 * Makes `Date.now` tell a new millisecond each time: places in lists are made of times, and what happens in the same one
 * has no order that a model could know of. Gives the function that sets the clock right again.
 */
export function tellDifferentTimes(): () => void {
  const real = Date.now;
  let last = 0;
  Date.now = () => {
    last = Math.max(last + 1, real());
    return last;
  };
  return () => {
    Date.now = real;
  };
}
