import type { HttpContext, Middleware, Next } from "./types.js";

/** Reads a body, and keeps room for it while `proceed` runs. */
type Read = (proceed: Next) => Promise<unknown>;

const late = new WeakMap<HttpContext, Read>();

/** Leaves the body of a request unread until its endpoint has authorised the caller. */
export function readLater(ctx: HttpContext, read: Read): void {
  late.set(ctx, read);
}

/** The step of an endpoint that reads such a body: after authorisation, before policies. */
export const readLateBody: Middleware = (ctx, next) => late.get(ctx)?.(next) ?? next();
