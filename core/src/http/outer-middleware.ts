import { randomUUID } from "node:crypto";
import { tagAnswer } from "./entity-tag.js";
import { hasJsonText, jsonText } from "./json-text.js";
import type { Middleware } from "./types.js";

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The id of a request: the one that it came with, if that can be written into a log, else a new one. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * The outermost middleware, before the configurable ones: the request id, the ETag, and the text of a body that carries
 * its own JSON, read after every other middleware had its chance to change the body.
 */
export const outerMiddleware: Middleware = async (ctx, next) => {
  ctx.state.requestId = requestIdOf(ctx.get("X-Request-Id"));
  ctx.set("X-Request-Id", ctx.state.requestId);
  await next();
  tagAnswer(ctx);
  const { body } = ctx;
  if (!hasJsonText(body)) return;
  ctx.type = "application/json";
  ctx.body = body[jsonText]();
};
