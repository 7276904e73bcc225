import type { App, HttpContext } from "@plinth/core";
import { PlainHttpError } from "../errors.js";

/** A cookie of the page, which no script reads. */
export interface Cookie {
  /** Empty where there is none. */
  read(ctx: HttpContext): string;
  /** @param expires - undefined: when the browser is closed. */
  send(ctx: HttpContext, value: string, expires: Date | undefined): void;
  clear(ctx: HttpContext): void;
}

const LOCAL = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a browser says that it has the page over plain http. Behind a proxy that ends https, only the browser knows. */
function isPlainHttp(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !LOCAL.test(hostname);
}

const isSecure = ({ environment }: App, ctx: HttpContext): boolean => ctx.secure || environment === "production";

/**
 * Makes it. `__Host-` keeps a sister domain from setting it; browsers take that prefix over https only, so that in
 * development a server without https has a name without it.
 */
export function createCookie(app: App, name: string): Cookie {
  const nameOf = (ctx: HttpContext) => (isSecure(app, ctx) ? `__Host-${name}` : name);
  const write = (ctx: HttpContext, value: string | null, expires: Date | undefined) => {
    const secure = isSecure(app, ctx);
    // Behind a proxy that ends https the request itself is plain, and koa would refuse to send the cookie.
    ctx.cookies.secure = secure;
    const options = { httpOnly: true, secure, path: "/", sameSite: "strict", overwrite: true } as const;
    ctx.cookies.set(nameOf(ctx), value, expires ? { ...options, expires } : options);
  };
  return {
    read: (ctx) => ctx.cookies.get(nameOf(ctx)) ?? "",
    send: write,
    clear: (ctx) => write(ctx, null, new Date(0)),
  };
}

/** @throws PLINTH_ADMIN_PLAIN_HTTP (403) where the browser would drop a cookie without a word */
export function assertKept(app: App, ctx: HttpContext): void {
  const origin = ctx.get("Origin");
  if (isSecure(app, ctx) && isPlainHttp(origin)) throw new PlainHttpError({ origin });
}
