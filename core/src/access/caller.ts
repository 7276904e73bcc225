// What the caller of the request that runs may see and do, for code that reads and writes on their behalf.
import type { Ability, ActorUser } from "./ability.js";
import { NoCallerError } from "./errors.js";
import { currentOrigin, REQUEST } from "./origin.js";

/** A caller, as reads and writes need them. */
export interface Caller {
  /** Of an administrator `admin`, of every other caller `public`. */
  readonly visibility: "public" | "admin";
  readonly ability: Ability;
  /** The administrator, as the author of what they write. */
  readonly author?: ActorUser | undefined;
}

/**
 * The caller of the request that runs, in all that its handler calls and waits for.
 *
 * @throws PLINTH_ACCESS_NO_CALLER (500) outside of a request, and before its route has identified the caller
 */
export function currentCaller(): Caller {
  const actor = currentOrigin()[REQUEST]?.state.actor;
  if (!actor) throw new NoCallerError({});
  const { kind, ability, user } = actor;
  return kind === "admin" ? { visibility: "admin", ability, author: user } : { visibility: "public", ability };
}
