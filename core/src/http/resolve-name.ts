import type { Lookup } from "./types.js";

/**
 * Finds the uid of a policy, middleware or controller named on a route. A name with `::` is a uid already; another is
 * the owner's own (`is-owner` of `api::article` is `api::article.is-owner`), else the app's (`global::is-owner`).
 *
 * @returns a uid; it may be unknown, and the look-up says so then.
 */
export function resolveName(name: string, owner: string, known: Lookup<unknown>): string {
  if (name.includes("::")) return name;
  const own = owner.includes("::") ? `${owner}.${name}` : `${owner}::${name}`;
  const shared = `global::${name}`;
  return !known.has(own) && known.has(shared) ? shared : own;
}
