import type { App, HttpContext } from "@plinth/core";
import type { SessionTokens } from "../contract.js";
import type { SessionsConfig } from "../config.js";
import { ForeignSiteError } from "../errors.js";

/** @source plugins/content-api/WIRE.md#sessions */
const COOKIE = "strapi_up_refresh";
const HEADER = "x-strapi-refresh-cookie";

/** Where clients keep refresh tokens: in a body they read, or in a cookie that no script can. */
export interface RefreshCookie {
  /** The refresh token that came in the cookie. */
  read(ctx: HttpContext): string | undefined;
  /** Sends the token in the cookie, if that is wanted; else returns what of it belongs into the body. */
  send(ctx: HttpContext, tokens: SessionTokens): { readonly refreshToken?: string };
  clear(ctx: HttpContext): void;
  /**
   * Refuses what a page of another site could send to have its own session put into the cookie of a visitor: forms, and
   * scripts of origins that `plinth::cors` does not trust with credentials. Only where a cookie could be set or is read.
   *
   * @throws PLINTH_SESSION_FOREIGN_SITE (403)
   */
  assertOwnSite(ctx: HttpContext): void;
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
  const url = app.config.get<string>("server.url");
  const ownHost = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
  const read = (ctx: HttpContext) => ctx.cookies.get(COOKIE);
  const isWanted = (ctx: HttpContext) =>
    httpOnly || ctx.get(HEADER).toLowerCase() === "httponly" || read(ctx) !== undefined;
  return {
    read,
    send: (ctx, { refreshToken, expiresAt }) => {
      if (!isWanted(ctx)) return { refreshToken };
      write(ctx, refreshToken, expiresAt);
      return {};
    },
    clear: (ctx) => {
      if (read(ctx) !== undefined) write(ctx, null, new Date(0));
    },
    assertOwnSite: (ctx) => {
      if (isWanted(ctx) && (isForm(ctx) || isForeign(ctx, ownHost))) throw new ForeignSiteError({});
    },
  };
}

/** A form of any site may be sent to any other, and so may a body without a type. */
function isForm(ctx: HttpContext): boolean {
  const hasBody = ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
  return hasBody && !/^application\/(?:[\w.-]+\+)?json\b/i.test(ctx.get("Content-Type"));
}

/** Browsers say where a request comes from, older ones by its origin only; what is no browser says nothing. */
function isForeign(ctx: HttpContext, ownHost: string | undefined): boolean {
  if (ctx.response.get("Access-Control-Allow-Credentials") === "true") return false;
  const site = ctx.get("Sec-Fetch-Site").toLowerCase();
  if (site !== "") return site !== "same-origin" && site !== "none";
  const origin = ctx.get("Origin");
  if (origin === "") return false;
  // The protocol is not compared: a proxy may end https.
  const host = URL.canParse(origin) ? new URL(origin).host : undefined;
  return host === undefined || (host !== ctx.host && host !== ownHost);
}
