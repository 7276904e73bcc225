/** Whether two values of JSON are alike; keys may be in another order. */
export function isAlike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isAlike(at(a, key), at(b, key)));
}

const at = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
