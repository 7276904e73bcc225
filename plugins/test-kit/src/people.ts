import { randomBytes } from "node:crypto";
import { type Actor, type ActorUser, definePlugin, type Plugin } from "@plinth/core";
import { checkGrant, createAbility, type Grant } from "@plinth/core/access";
import { GrantInvalidError } from "./errors.js";

/** The actors of a test, by the bearer tokens that it generated. */
export interface GeneratedActors {
  /** What makes the app know them. */
  readonly plugin: Plugin;
  /** A new bearer. @param user - who `{{user.id}}` of rules is. @throws PLINTH_TESTKIT_GRANT_INVALID */
  add(grant: Grant, user?: ActorUser): string;
}

/** People that no table knows: a request with their text as its token may do what the test says. They work in apps without any plugin. */
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
