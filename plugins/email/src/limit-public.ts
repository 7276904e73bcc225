import type { MiddlewareFactory } from "@plinth/core";

/** Counts requests by the address of the client, as those for signing in are counted. */
const RATE_LIMIT = "plugin::users-permissions.rate-limit";

/**
 * Limits how often clients without an account send mails. Programs with a token, and users who are signed in, are known:
 * their right can be taken away.
 *
 * @throws PLINTH_USERS_RATE_LIMITED (429)
 */
export const limitPublic: MiddlewareFactory = (_config, tools) => {
  const { app } = tools;
  if (!app.has("users-permissions")) return (_ctx, next) => next();
  const limit = app.registry("middleware").get(RATE_LIMIT)({}, tools);
  return (ctx, next) => (ctx.state.actor.kind === "public" ? limit(ctx, next) : next());
};
