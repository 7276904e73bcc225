import type { App, HttpContext } from "@plinth/core";
import { PlainHttpError } from "../errors.js";
import { parseSessionKey, printSessionKey, type SessionKey } from "./session-key.js";

const NAME = "plinth-admin";

/** The cookie that holds a session. */
export interface SessionCookie {
  read(ctx: HttpContext): SessionKey | undefined;
  /** @param expires - undefined: when the browser is closed. */
  send(ctx: HttpContext, key: SessionKey, expires: Date | undefined): void;
  clear(ctx: HttpContext): void;
  /** @throws PLINTH_ADMIN_PLAIN_HTTP (403) where the browser would drop the cookie without a word */
  assertKept(ctx: HttpContext): void;
}

const LOCAL = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a browser says that it has the page over plain http. Behind a proxy that ends https, only the browser knows. */
function isPlainHttp(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !LOCAL.test(hostname);
}

/**
 * Makes it. `__Host-` keeps a sister domain from setting it; browsers take that prefix over https only, so that in
 * development a server without https has a name without it.
 */
export function createSessionCookie({ environment }: App): SessionCookie {
  const isSecure = (ctx: HttpContext) => ctx.secure || environment === "production";
  const nameOf = (ctx: HttpContext) => (isSecure(ctx) ? `__Host-${NAME}` : NAME);
  const write = (ctx: HttpContext, value: string | null, expires: Date | undefined) => {
    const secure = isSecure(ctx);
    // Behind a proxy that ends https the request itself is plain, and koa would refuse to send the cookie.
    ctx.cookies.secure = secure;
    const options = { httpOnly: true, secure, path: "/", sameSite: "strict", overwrite: true } as const;
    ctx.cookies.set(nameOf(ctx), value, expires ? { ...options, expires } : options);
  };
  return {
    read: (ctx) => parseSessionKey(ctx.cookies.get(nameOf(ctx)) ?? ""),
    send: (ctx, key, expires) => write(ctx, printSessionKey(key), expires),
    clear: (ctx) => write(ctx, null, new Date(0)),
    assertKept: (ctx) => {
      const origin = ctx.get("Origin");
      if (isSecure(ctx) && isPlainHttp(origin)) throw new PlainHttpError({ origin });
    },
  };
}
