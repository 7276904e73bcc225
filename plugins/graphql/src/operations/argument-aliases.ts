import type { RequestState } from "@plinth/core";
import type { Arguments } from "../contract.js";
import type { AttributePlan } from "../plan.js";

/**
 * Under which key a row holds an attribute that was asked for with arguments. Without any it is the attribute's name,
 * so that rows look like documents; each further set of arguments gets a short key of its own, `#1`. PostgreSQL
 * truncates names at 63 bytes, so the key cannot contain the arguments.
 */
export class ArgumentAliases {
  readonly #keys = new Map<string, string>();

  keyOf({ attribute }: AttributePlan, args: Arguments): string {
    if (isPlain(args)) return attribute;
    const signature = `${attribute}${JSON.stringify(args)}`;
    const key = this.#keys.get(signature) ?? `#${this.#keys.size + 1}`;
    this.#keys.set(signature, key);
    return key;
  }
}

const keys = new WeakMap<RequestState, ArgumentAliases>();

/** The keys of one request. */
export function argumentAliasesOf(state: RequestState): ArgumentAliases {
  const known = keys.get(state) ?? new ArgumentAliases();
  keys.set(state, known);
  return known;
}

function isPlain(args: Arguments): boolean {
  for (const name in args) if (!isEmpty(args[name])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object") return false;
  for (const _key in value) return false;
  return true;
}
