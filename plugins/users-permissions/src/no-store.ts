import type { Middleware } from "@plinth/core";

/** On routes whose answers have tokens or what belongs to a person: no cache keeps them, that of a shared browser either. */
export const noStore: Middleware = (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  return next();
};
