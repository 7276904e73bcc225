import type { MiddlewareFactory } from "@plinth/core";

/** Counts requests by the address of the client, as those for signing in are counted. */
const RATE_LIMIT = "plugin::users-permissions.rate-limit";

/**
 * Limits how often a client sends mails. Programs with a token are known, and their right can be taken away; every client may be a
 * user where registration is open.
 *
 * @throws PLINTH_USERS_RATE_LIMITED (429)
 */
export const limitSenders: MiddlewareFactory = (_config, tools) => {
  const { app } = tools;
  if (!app.has("users-permissions")) return (_ctx, next) => next();
  const limit = app.registry("middleware").get(RATE_LIMIT)({}, tools);
  return (ctx, next) => (ctx.state.actor.kind === "token" ? next() : limit(ctx, next));
};
