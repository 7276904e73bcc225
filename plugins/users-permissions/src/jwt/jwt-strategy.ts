import type { AuthStrategy } from "@plinth/core";
import type { Actors } from "../actors/actors.js";
import type { Jwt, Sessions } from "../contract.js";
import { InvalidCredentialsError } from "../errors.js";

/** The dependencies of the strategy. */
export interface StrategyServices {
  readonly jwt: Jwt;
  readonly actors: Actors;
  readonly sessions: Pick<Sessions, "isEnabled" | "isLive">;
}

/**
 * Authenticates users by their tokens.
 *
 * @param ask - what it works with; asked for at each request, because strategies are registered before services exist.
 * @source plugins/content-api/WIRE.md#errors, a blocked or deleted user is "Invalid credentials", any other fault
 *   "Missing or invalid ..."
 */
export function createJwtStrategy(ask: () => StrategyServices): AuthStrategy {
  return {
    name: "users-permissions",
    authenticate: async (bearer) => {
      const { jwt, actors, sessions } = ask();
      const payload = jwt.verify(bearer);
      if (!payload) return undefined;
      const known = await actors.find(payload.id);
      // The version is random for each user, so a new user with the id of a deleted one has another.
      if (!known || known.account.blocked || known.account.sessionVersion !== payload.v) {
        throw new InvalidCredentialsError({});
      }
      // Tokens of before the switch to refresh mode live for weeks, and belong to no session that could be ended.
      const isLive = payload.sid === undefined ? !sessions.isEnabled : await sessions.isLive(payload.sid);
      if (!isLive) throw new InvalidCredentialsError({});
      return known.actor;
    },
  };
}
