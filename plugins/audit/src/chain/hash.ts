import { createHash } from "node:crypto";
import type { AuditEntry, Seal } from "../contract.js";

/** What the first seal has in place of the hash of one before it. */
export const NO_HASH = "0".repeat(64);

/**
 * The one text of an entry that is hashed: JSON without spaces, keys in the order of their code units at any depth.
 *
 * @source RFC 8785 for values as they come here: texts, whole numbers, true and false, lists and objects
 */
export function lineOf(entry: AuditEntry): string {
  return JSON.stringify(sorted(entry));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** SHA-256 in hexadecimal of the line of an entry. */
export const digestOf = (entry: AuditEntry): string => createHash("sha256").update(lineOf(entry)).digest("hex");

/** What a seal covers: ids and digests of entries, in order. */
export interface Covered {
  readonly ids: readonly (number | string)[];
  readonly digests: readonly string[];
}

/**
 * The hash of a seal: SHA-256 of a line for itself and one for each entry, each with a line break:
 *
 *     <id> <at> <last> <hash of the seal before it>
 *     <id of the entry> <digest of the entry>
 */
export function hashOf({ id, at, last, previous }: Omit<Seal, "hash">, { ids, digests }: Covered): string {
  const hash = createHash("sha256").update(`${id} ${at} ${last} ${previous}\n`);
  for (const [index, entry] of ids.entries()) hash.update(`${entry} ${digests[index] ?? ""}\n`);
  return hash.digest("hex");
}
