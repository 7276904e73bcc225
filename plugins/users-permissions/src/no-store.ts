import type { Middleware } from "@plinth/core";

/**
 * On routes whose answers have tokens or what belongs to a person: no cache keeps them, not even that of a shared
 * browser.
 */
export const noStore: Middleware = (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  return next();
};
