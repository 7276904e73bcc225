import { type HttpContext, NotFoundError } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import { expectedVersions, unexpectedVersions } from "@plinth/core/http";
import type { ContentModel, ContentType } from "@plinth/core/schema";
import { createAnswer } from "../answer.js";
import type { Answer, FoundList, FoundOne, FoundPage, FoundVersions, Reader, WriteParams } from "../contract.js";
import { isWrappedFormat, wrapEntry } from "../response-format.js";

/** What answers are made for. */
export interface Responder {
  /** The answer to a list. */
  page(ctx: HttpContext, page: FoundPage): Answer;
  /** The answer with one document. @throws PLINTH_HTTP_NOT_FOUND (404) for null */
  one(ctx: HttpContext, found: FoundOne | null): Answer;
  /** The answer of a draft action. */
  versions(ctx: HttpContext, found: FoundVersions): Answer;
}

/** Makes answers of a content-type in the format that the request asks for. */
export function createResponder(model: ContentModel, type: ContentType): Responder {
  const list = (ctx: HttpContext, found: FoundList, meta: Answer["meta"]): Answer => {
    if (isWrappedFormat(ctx.headers)) return { data: found.rows().map((row) => wrapEntry(model, type, row)), meta };
    return createAnswer({ text: found.text, parse: () => found.rows() }, meta);
  };
  const one: Responder["one"] = (ctx, found) => {
    if (!found) throw new NotFoundError({});
    ctx.state.version = found.version ?? "";
    if (isWrappedFormat(ctx.headers)) return { data: wrapEntry(model, type, found.row()), meta: {} };
    return createAnswer({ text: found.text, parse: () => found.row() }, {});
  };
  return {
    page: (ctx, page) => list(ctx, page, { pagination: page.pagination }),
    one,
    versions: (ctx, found) => ("rows" in found ? list(ctx, found, {}) : one(ctx, found)),
  };
}

/**
 * On whose behalf a request reads and writes.
 *
 * @param action - what the core action does, `api::article.article.find`: it may be done, whatever action the route
 * asked for, and keeps its rule where the actor has one.
 */
export function readerOf(ctx: HttpContext, action: string): Reader {
  const ability = allowAction(ctx.state.actor.ability, action);
  return { visibility: "public", ability, ifVersion: expectedVersions(ctx), unlessVersion: unexpectedVersions(ctx) };
}

/** What a write is asked for: the parameters of the query, and what the body has under `data`. */
export function writeOf(ctx: HttpContext): WriteParams {
  // One hidden class for all of them: decision 11.
  return Object.assign({}, ctx.query, { data: dataOf(ctx) });
}

/** What the body of a write has under `data`; undefined when it has no such thing. */
export function dataOf(ctx: HttpContext): unknown {
  const { body } = ctx.request;
  return typeof body === "object" && body !== null && Object.hasOwn(body, "data")
    ? (body as { readonly data: unknown }).data
    : undefined;
}
