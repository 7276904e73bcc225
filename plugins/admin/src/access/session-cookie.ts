import type { App, HttpContext } from "@plinth/core";
import { createCookie } from "./cookie.js";
import { parseSessionKey, printSessionKey, type SessionKey } from "./session-key.js";

/** The cookie that holds a session. */
export interface SessionCookie {
  read(ctx: HttpContext): SessionKey | undefined;
  /** @param expires - undefined: when the browser is closed. */
  send(ctx: HttpContext, key: SessionKey, expires: Date | undefined): void;
  clear(ctx: HttpContext): void;
}

/** Makes it. */
export function createSessionCookie(app: App): SessionCookie {
  const cookie = createCookie(app, "plinth-admin");
  return {
    read: (ctx) => parseSessionKey(cookie.read(ctx)),
    send: (ctx, key, expires) => cookie.send(ctx, printSessionKey(key), expires),
    clear: cookie.clear,
  };
}
