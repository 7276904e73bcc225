import type { App, HttpContext } from "@plinth/core";
import type { Site } from "./passkeys.js";

/**
 * The page as the browser of a request has it. Who sends another one gets nothing by it: the browser signs where it is, and a passkey
 * answers only where it was made.
 */
export function siteOf(app: App, ctx: HttpContext): Site {
  const given = ctx.get("Origin");
  const { origin, hostname } = new URL(URL.canParse(given) ? given : pageAddress(app, ctx));
  return { origin, name: hostname };
}

/** How the page is reached: as the configuration says, else as the request does. */
export const pageAddress = ({ config }: App, ctx: HttpContext): string =>
  config.get<string>("server.url") ?? `${ctx.protocol}://${ctx.host}`;
