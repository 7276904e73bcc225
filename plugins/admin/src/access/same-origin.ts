import type { HttpContext } from "@plinth/core";
import { ForeignOriginError, UnknownBodyError } from "../errors.js";

/** A header that no form can send, and scripts of other origins only with an `Origin`. */
const HEADER = "X-Plinth-Admin";

/**
 * Refuses what a page of another origin can send, however the content API is opened to it, and bodies that a form can
 * send.
 *
 * @param ownUrl - how others reach the server, where it is configured.
 * @throws PLINTH_ADMIN_FOREIGN_ORIGIN (403), PLINTH_ADMIN_BODY_TYPE (415)
 */
export function assertSameOrigin(ctx: HttpContext, ownUrl: string | undefined): void {
  if (!isSameOrigin(ctx, ownUrl)) throw new ForeignOriginError({});
  if (hasBody(ctx) && !isOwnBody(ctx)) throw new UnknownBodyError({ type: ctx.get("Content-Type") });
}

/**
 * Browsers say where a request comes from; over plain http, but for localhost, by its origin only, and of reads not even
 * that. Then a header says that it is a script of this origin.
 *
 * @source https://www.w3.org/TR/fetch-metadata/#fetch-metadata-headers, "potentially trustworthy"
 */
function isSameOrigin(ctx: HttpContext, ownUrl: string | undefined): boolean {
  const site = ctx.get("Sec-Fetch-Site").toLowerCase();
  if (site !== "") return site === "same-origin";
  const origin = ctx.get("Origin");
  if (origin === "") return ctx.get(HEADER) === "1";
  if (!URL.canParse(origin)) return false;
  // The protocol is not compared where it is not configured: a proxy may end https.
  const { host } = new URL(origin);
  return host === ctx.host || (ownUrl !== undefined && origin === new URL(ownUrl).origin);
}

function hasBody(ctx: HttpContext): boolean {
  return ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
}

function isOwnBody(ctx: HttpContext): boolean {
  const type = ctx.get("Content-Type");
  if (/^application\/json\b/i.test(type)) return true;
  return /^multipart\/form-data\b/i.test(type) && ctx.get(HEADER) === "1";
}
