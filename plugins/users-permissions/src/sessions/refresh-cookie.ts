import type { App, HttpContext } from "@plinth/core";
import type { SessionTokens } from "../contract.js";
import type { SessionsConfig } from "./config.js";

/** @source wire.md section 13.38 */
const COOKIE = "strapi_up_refresh";
const HEADER = "x-strapi-refresh-cookie";

/** Where clients keep refresh tokens: in a body they read, or in a cookie that no script can. */
export interface RefreshCookie {
  /** The refresh token that came in the cookie. */
  read(ctx: HttpContext): string | undefined;
  /** Sends the token in the cookie, if that is wanted; else returns what of it belongs into the body. */
  send(ctx: HttpContext, tokens: SessionTokens): { readonly refreshToken?: string };
  clear(ctx: HttpContext): void;
}

/** The cookie is only sent to the endpoints about signing in, and not by forms of other sites. */
export function createRefreshCookie(app: App, { httpOnly, secureCookie }: SessionsConfig): RefreshCookie {
  const secure = secureCookie ?? app.environment === "production";
  const path = `${app.config.get("api.rest.prefix", "/api")}/auth`;
  const options = { httpOnly: true, secure, path, sameSite: "lax", overwrite: true } as const;
  const write = (ctx: HttpContext, value: string | null, expires: Date) => {
    // Behind a proxy that ends https the request itself is plain, and koa would refuse to send the cookie.
    ctx.cookies.secure = secure;
    ctx.cookies.set(COOKIE, value, { ...options, expires });
  };
  const read = (ctx: HttpContext) => ctx.cookies.get(COOKIE);
  return {
    read,
    send: (ctx, { refreshToken, expiresAt }) => {
      const isWanted = httpOnly || ctx.get(HEADER).toLowerCase() === "httponly" || read(ctx) !== undefined;
      if (!isWanted) return { refreshToken };
      write(ctx, refreshToken, expiresAt);
      return {};
    },
    clear: (ctx) => {
      if (read(ctx) !== undefined) write(ctx, null, new Date(0));
    },
  };
}
