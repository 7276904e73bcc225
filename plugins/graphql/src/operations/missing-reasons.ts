// Remembers why fields of a request are not in the rows that were read for it.
import { ForbiddenError, type RequestState } from "@plinth/core";
import type { PreparedRead } from "@plinth/core/reads";

/** Why a row lacks a field, by the key that the row would hold it under. */
class MissingReasons {
  readonly #reasons = new Map<string, Error>();

  /** What a read left out. */
  note(denied: PreparedRead["deniedFields"]): void {
    for (const [field, reason] of denied) {
      const name = "constant" in field ? undefined : field.name;
      this.#reasons.set(field.alias ?? name ?? "", reason);
    }
  }

  /** Why a component, which is read with its document alone, lacks a field: it was left out, or the actor may not see it. */
  of(key: string): Error {
    return this.#reasons.get(key) ?? new ForbiddenError({});
  }
}

const reasons = new WeakMap<RequestState, MissingReasons>();

/** The reasons of one request. */
export function reasonsOf(state: RequestState): MissingReasons {
  const known = reasons.get(state) ?? new MissingReasons();
  reasons.set(state, known);
  return known;
}
