import { isDeepStrictEqual } from "node:util";

/** Nothing is nothing, however it is written. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

type Data = Readonly<Record<string, unknown>>;

/** The names of what differs between two views without ids; null is one of nothing. */
export function differing(a: Data | null, b: Data | null): readonly string[] {
  const [from, to] = [a ?? {}, b ?? {}];
  const names = [...new Set([...Object.keys(to), ...Object.keys(from)])];
  return names.filter((name) => !isSame(from[name], to[name]));
}

/** Whether two values of views without ids are the same. */
export const isSame = (a: unknown, b: unknown): boolean => (isEmpty(a) && isEmpty(b)) || isDeepStrictEqual(a, b);
