import { randomBytes } from "node:crypto";
import { type Actor, type ActorUser, definePlugin, type Plugin } from "@plinth/core";
import { checkGrant, createAbility, type Grant } from "@plinth/core/access";
import { GrantInvalidError } from "./errors.js";

/** The actors of a test, by the bearer tokens that it generated. */
export interface GeneratedActors {
  /** The strategy that authenticates them. */
  readonly plugin: Plugin;
  /** A new bearer. @param user - who `{{user.id}}` of rules is. @throws PLINTH_TESTKIT_GRANT_INVALID */
  add(grant: Grant, user?: ActorUser): string;
}

/**
 * Actors without a database row: requests with their token may do what the test grants. They work in apps without any
 * plugin.
 */
export function makeUpPeople(): GeneratedActors {
  const actors = new Map<string, Actor>();
  return {
    plugin: definePlugin({
      name: "test-kit",
      register: ({ strategy }) => {
        strategy("people", { name: "test-kit", authenticate: (bearer) => actors.get(bearer) });
      },
    }),
    add: (grant, user) => {
      const problems = checkGrant(grant, "grant").map(({ path, message }) => `${path} ${message}`);
      if (problems.length > 0) throw new GrantInvalidError({ problems });
      const bearer = `test-kit-${randomBytes(12).toString("hex")}`;
      const ability = createAbility(grant, user ? { user } : {});
      actors.set(bearer, user ? { kind: "user", ability, user } : { kind: "token", ability });
      return bearer;
    },
  };
}
