import { NotFoundError } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import { type EndpointAnswer, expectedVersions, type RequestInfo, unexpectedVersions } from "@plinth/core/http";
import type { ContentModel, ContentType } from "@plinth/core/schema";
import { createAnswer } from "../answer.js";
import type { Answer, Caller, FoundList, FoundOne, FoundPage, FoundVersions, WriteParams } from "../contract.js";
import { isWrappedFormat, wrapEntry } from "../response-format.js";

/** What answers are made for. */
export interface Responder {
  /** The answer to a list. */
  page(request: RequestInfo, page: FoundPage): EndpointAnswer;
  /** The answer with one document. @throws PLINTH_HTTP_NOT_FOUND (404) for null */
  one(request: RequestInfo, found: FoundOne | null, status?: number): EndpointAnswer;
  /** The answer of a draft action. */
  versions(request: RequestInfo, found: FoundVersions): EndpointAnswer;
}

/** The answer to a deletion. */
export const NO_CONTENT: EndpointAnswer = { status: 204 };

/** Makes answers of a content-type in the format that the request asks for. */
export function createResponder(model: ContentModel, type: ContentType): Responder {
  const list = ({ headers }: RequestInfo, found: FoundList, meta: Answer["meta"]): EndpointAnswer => {
    if (!isWrappedFormat(headers))
      return { status: 200, body: createAnswer({ text: found.text, parse: () => found.rows() }, meta) };
    return { status: 200, body: { data: found.rows().map((row) => wrapEntry(model, type, row)), meta } };
  };
  const one: Responder["one"] = ({ headers }, found, status = 200) => {
    if (!found) throw new NotFoundError({});
    const version = found.version ?? "";
    if (!isWrappedFormat(headers))
      return { status, version, body: createAnswer({ text: found.text, parse: () => found.row() }, {}) };
    return { status, version, body: { data: wrapEntry(model, type, found.row()), meta: {} } };
  };
  return {
    page: (request, page) => list(request, page, { pagination: page.pagination }),
    one,
    versions: (request, found) => ("rows" in found ? list(request, found, {}) : one(request, found)),
  };
}

/**
 * The caller of a request.
 *
 * @param action - what the core action does, `api::article.article.find`: it is allowed, because the route was
 * authorised (maybe by another action), and keeps its rule where the actor has one.
 */
export function callerOf({ actor, headers }: RequestInfo, action: string): Caller {
  const ability = allowAction(actor.ability, action);
  return {
    visibility: "public",
    ability,
    ifVersion: expectedVersions(headers),
    unlessVersion: unexpectedVersions(headers),
  };
}

/** The input of a write: the parameters of the query, and `data` of the body. */
export function writeOf(request: RequestInfo): WriteParams {
  // One hidden class for all of them: decision 11.
  return Object.assign({}, request.query, { data: dataOf(request) });
}

/** `data` of the body of a write; undefined when it is missing. */
export function dataOf({ body }: RequestInfo): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, "data")
    ? (body as { readonly data: unknown }).data
    : undefined;
}
