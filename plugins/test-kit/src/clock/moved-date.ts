import { real } from "./real-time.js";

/** A `Date` with another now; all else, instances included, is the real one. */
export function createMovedDate(now: () => number): DateConstructor {
  return new Proxy(real.Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new real.Date(now()).toString(),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
}
