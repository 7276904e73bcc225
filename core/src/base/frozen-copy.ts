/**
 * An immutable copy of plain data: objects and lists are copied and frozen at every depth. Class
 * instances (a Date, a Buffer, a pool) and functions are kept as they are: freezing them could break their owner.
 */
export function frozenCopy<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copy));
  if (!isPlainObject(value)) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)])));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Freezes a tree of plain objects and lists; it does not descend into frozen ones. */
export function freezeDeep<T>(tree: T): T {
  if (typeof tree !== "object" || tree === null || Object.isFrozen(tree)) return tree;
  Object.freeze(tree);
  for (const child of Object.values(tree)) freezeDeep(child as unknown);
  return tree;
}
