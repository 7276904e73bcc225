import type { Resolver } from "../contract.js";

const generated = new WeakSet<object>();

/** Marks a resolver that only returns what the root field read. */
export function markGenerated(resolver: Resolver): Resolver {
  generated.add(resolver);
  return resolver;
}

/** Whether a field is answered by a generated resolver, as it was made: it is not wrapped. */
export function isGenerated(resolver: unknown): boolean {
  return typeof resolver === "function" && generated.has(resolver);
}
