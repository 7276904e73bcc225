import type { IncomingHttpHeaders } from "node:http";
import { NotFoundError } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import {
  type EndpointAnswer,
  expectedVersions,
  type JsonText,
  jsonText,
  type RequestInfo,
  unexpectedVersions,
} from "@plinth/core/http";
import type { StampWish } from "@plinth/core/reads";
import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import type {
  Answer,
  Caller,
  FoundBySource,
  FoundList,
  FoundOne,
  FoundPage,
  FoundVersions,
  WriteParams,
} from "../contract.js";

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
  const list = ({ headers }: RequestInfo, found: FoundList & FoundBySource, meta: Answer["meta"]): EndpointAnswer => {
    const { source, stamp } = found;
    if (!isWrappedFormat(headers))
      return { status: 200, source, stamp, body: createAnswer({ text: found.text, parse: () => found.rows() }, meta) };
    return { status: 200, source, stamp, body: { data: found.rows().map((row) => wrapEntry(model, type, row)), meta } };
  };
  const one: Responder["one"] = ({ headers }, found, status = 200) => {
    if (!found) throw new NotFoundError({});
    const { source, stamp, version = "" } = found;
    if (!isWrappedFormat(headers))
      return { status, version, source, stamp, body: createAnswer({ text: found.text, parse: () => found.row() }, {}) };
    return { status, version, source, stamp, body: { data: wrapEntry(model, type, found.row()), meta: {} } };
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
 * @param withStamp - whether the answer to a read needs the stamp of what it reads.
 * @param action - what the core action does, `api::article.article.find`: it is allowed, because the route was
 * authorised (maybe by another action), and keeps its rule where the actor has one.
 */
export function callerOf(request: RequestInfo, action: string, withStamp?: StampWish): Caller {
  const { actor, headers, method, from } = request;
  const ability = allowAction(actor.ability, action);
  const isRead = method === "GET" || method === "HEAD";
  return {
    from: isRead ? from : undefined,
    withStamp,
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

/** What an answer is made from: JSON as text, and the same parsed. */
interface AnswerSource {
  readonly text: string;
  readonly parse: () => unknown;
}

/** `data` and `meta`; what a handler adds makes it more. */
const OWN_MEMBERS = 2;

/**
 * An answer with the database's text as it is. Reading `data` parses it, and from then on the answer
 * is written from the parsed form, so that handlers and middlewares can change it.
 */
class TextAnswer implements Answer, JsonText {
  /**
   * Shared by all answers: an accessor per answer would give each a hidden class of its own, which keeps its text
   * alive.
   */
  static readonly #data: PropertyDescriptor & ThisType<TextAnswer> = {
    enumerable: true,
    get() {
      return this.#parse().data;
    },
    set(data: unknown) {
      this.#parse().data = data;
    },
  };

  declare data: unknown;
  readonly #source: AnswerSource;
  #parsed: { data: unknown } | undefined;

  constructor(
    source: AnswerSource,
    public meta: Record<string, unknown>,
  ) {
    this.#source = source;
    // An own property, so that `{ ...answer }` has it too.
    Object.defineProperty(this, "data", TextAnswer.#data);
  }

  [jsonText](): string {
    const hasMore = Object.keys(this).length > OWN_MEMBERS;
    if (this.#parsed || hasMore) return JSON.stringify(this);
    return `{"data":${this.#source.text},"meta":${JSON.stringify(this.meta)}}`;
  }

  #parse(): { data: unknown } {
    this.#parsed ??= { data: this.#source.parse() };
    return this.#parsed;
  }
}

/** The answer `{ data, meta }` of some JSON text. */
export function createAnswer(source: AnswerSource, meta: Record<string, unknown>): Answer {
  return new TextAnswer(source, meta);
}

type Row = Readonly<Record<string, unknown>>;

/** Whether a request asks for the older format of answers. @source plugins/content-api/WIRE.md#response-format-v4 */
export function isWrappedFormat(headers: IncomingHttpHeaders): boolean {
  return headers["strapi-response-format"] === "v4";
}

/**
 * An entry in the older format: `{ id, documentId, attributes: { ... } }`, relations and media as `{ data }`, also inside
 * components, which stay flat themselves.
 *
 * @source plugins/content-api/WIRE.md#response-format-v4
 */
export function wrapEntry(model: ContentModel, type: ContentType, { id, documentId, ...row }: Row): Row {
  return { id, documentId, attributes: wrapValues(model, type, row) };
}

function wrapValues(model: ContentModel, shape: ContentType | Component, row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wrapValue(model, shape, name, value)]));
}

function wrapValue(model: ContentModel, shape: ContentType | Component, name: string, value: unknown): unknown {
  const attribute = shape.attributes.get(name);
  if (attribute?.kind === "relation" || attribute?.kind === "media")
    return wrapRelation(model, attribute.target, value);
  if (attribute?.kind !== "component" && attribute?.kind !== "dynamiczone") return value;
  const uid = attribute.kind === "component" ? attribute.component : undefined;
  return eachOf(value, (item) => wrapComponent(model, uid ?? String(item["__component"]), item));
}

function wrapComponent(model: ContentModel, uid: string, item: Row): Row {
  const component = model.components.get(uid);
  return component ? wrapValues(model, component, item) : item;
}

/** A count in place of the entries stays as it is: it is not an entry. */
function wrapRelation(model: ContentModel, target: string | undefined, value: unknown): unknown {
  if (isRow(value) && "count" in value && !("documentId" in value)) return value;
  const data = eachOf(value, (item) => {
    const type = model.contentTypes.get(target ?? String(item["__type"]));
    return type ? wrapEntry(model, type, item) : item;
  });
  return { data };
}

function eachOf(value: unknown, change: (item: Row) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isRow(item) ? change(item) : item));
  return isRow(value) ? change(value) : value;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
