import { hash, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { withOrigin } from "../access/origin.js";
import { createState } from "./strapi-context.js";
import type { HttpContext, Middleware } from "./types.js";
import type { App } from "../kernel/app.js";
import type { AnswerRoom } from "./answer-room.js";
import type { ErrorAnswer } from "./error-answer.js";
import { answerError } from "./outcome.js";
import { originOf } from "./request-log.js";

const HASH_LENGTH = 32;
const FIRST_REDIRECT = 300;
const NOT_MODIFIED = 304;

/** Gives an answer that shows content its ETag; a client that has the body already gets 304 without one. See tagOf. */
function tagAnswer(ctx: HttpContext): void {
  const { version, source } = ctx.state;
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (version === undefined && !source?.decides) return;
  if (ctx.status >= FIRST_REDIRECT || !isJson(ctx.body)) return;
  const text = hasJsonText(ctx.body) ? ctx.body[jsonText]() : JSON.stringify(ctx.body);
  const bodyHash = hashBody(text);
  ctx.set("ETag", tagOf(version, bodyHash));
  if (isRead && isKnownTag(ctx.get("If-None-Match"), bodyHash)) {
    ctx.body = null;
    ctx.status = NOT_MODIFIED;
    return;
  }
  ctx.type = "application/json";
  ctx.body = text;
}

/** Whether a body is sent as JSON, not as a file or a stream. */
function isJson(body: unknown): body is object {
  if (typeof body !== "object" || body === null) return false;
  return hasJsonText(body) || Object.getPrototypeOf(body) === Object.prototype;
}

/**
 * The ETag of an answer: `"<version>-<hash of the body>"` of one document, `W/"<hash of the body>"` of any other. The
 * version is for If-Match, the hash for If-None-Match: it says no more than the body does, so callers who see less
 * learn nothing from it, and those who see the same share it.
 *
 * @source plugins/content-api/README.md#conditional-reads
 */
export const tagOf = (version: string | undefined, bodyHash: string): string =>
  version === undefined ? `W/"${bodyHash}"` : `"${version}-${bodyHash}"`;

/** The part of an ETag that says what the body is. */
export function hashBody(text: string): string {
  return hash("sha256", text).slice(0, HASH_LENGTH);
}

/** Whether If-None-Match names a body. */
export function isKnownTag(header: string, bodyHash: string): boolean {
  const tags = parseTags(header);
  return tags === "*" || (tags ?? []).some((tag) => tag.endsWith(`${bodyHash}"`));
}

/**
 * The versions that If-Match of a request names, for the writes of documents; undefined without the header. Weak tags
 * and those that are not ours match no version.
 */
export function expectedVersions(headers: IncomingHttpHeaders): "*" | readonly string[] | undefined {
  return versionsIn(parseTags(headers["if-match"] ?? ""), /^"([0-9a-f]+)-[0-9a-f]+"$/);
}

/** The versions that If-None-Match of a write names; weak tags count. @source RFC 9110, 13.1.2 */
export function unexpectedVersions(headers: IncomingHttpHeaders): "*" | readonly string[] | undefined {
  return versionsIn(parseTags(headers["if-none-match"] ?? ""), /^(?:W\/)?"([0-9a-f]+)-[0-9a-f]+"$/);
}

function versionsIn(tags: "*" | readonly string[] | undefined, form: RegExp): "*" | readonly string[] | undefined {
  return typeof tags === "object" ? tags.flatMap((tag) => form.exec(tag)?.[1] ?? []) : tags;
}

/** The tags of a header, quotes included. @source RFC 9110, 8.8.3 and 13.1 */
function parseTags(header: string): "*" | readonly string[] | undefined {
  const text = header.trim();
  if (text === "") return undefined;
  return text === "*" ? "*" : text.split(",").map((tag) => tag.trim());
}

/** The key under which a body carries its own JSON; see JsonText. */
export const jsonText: unique symbol = Symbol.for("plinth.jsonText");

/**
 * A body that knows its JSON: sent as that text, without parsing or walking it. Its other members may parse on demand,
 * so that middlewares can read and change it; the text is read last.
 */
export interface JsonText {
  [jsonText](): string;
}

/** Whether a body carries its own JSON. */
export function hasJsonText(body: unknown): body is JsonText {
  return typeof body === "object" && body !== null && jsonText in body;
}

/** The JSON of a body that is no stream. */
export function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  return hasJsonText(body) ? body[jsonText]() : JSON.stringify(body);
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The id of a request: the one that it came with, if that can be written into a log, else a new one. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The text of a body that is one, or is sent as JSON; undefined for files and streams. */
function jsonOrTextOf(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (hasJsonText(body)) return body[jsonText]();
  return isJson(body) || Array.isArray(body) ? JSON.stringify(body) : undefined;
}

/**
 * The outermost middleware, before the configurable ones: the request id, the origin of writes, the ETag, and the text of a body, read after
 * every other middleware had its chance to change the body.
 *
 * @param room - for texts that are large.
 */
export function outerMiddleware(app: App, room: AnswerRoom): Middleware {
  return async (ctx, next) => {
    Object.assign(ctx, { state: createState(requestIdOf(ctx.get("X-Request-Id"))) });
    ctx.set("X-Request-Id", ctx.state.requestId);
    await withOrigin(() => originOf(ctx), next);
    tagAnswer(ctx);
    const text = jsonOrTextOf(ctx.body);
    if (text === undefined) return;
    const refusal = ctx.method === "GET" || ctx.state.isRead ? room.refusal(text) : undefined;
    if (refusal) return refuse(ctx, answerError(app, refusal, ctx));
    if (hasJsonText(ctx.body)) ctx.type = "application/json";
    if (text !== ctx.body) ctx.body = text;
    room.add(ctx.res, ctx.response.length ?? 0);
  };
}

/** Puts an error in the place of an answer that is complete. */
function refuse(ctx: HttpContext, { status, headers, body }: ErrorAnswer): void {
  for (const name of ["ETag", "Cache-Control"]) ctx.remove(name);
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body;
}
