import { NotFoundError } from "./errors.js";
import type { Handler, HttpContext } from "./types.js";

/** Resources that administrators manage, by their document id. The resource itself checks bodies. */
export interface Resource {
  list(): Promise<readonly object[]>;
  /** Undefined when there is no such thing; so in `update`. */
  findOne(documentId: string): Promise<object | undefined>;
  create(values: RequestBody, ctx: HttpContext): Promise<object>;
  update(documentId: string, changes: RequestBody, ctx: HttpContext): Promise<object | undefined>;
  /** False when there is no such thing. */
  remove(documentId: string, ctx: HttpContext): Promise<boolean>;
}

/** The JSON object of a request, with nothing checked but that it is one; empty where there is none. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** The endpoints of a resource, by what they do; the path of those on one thing ends in `:documentId`. */
export type ResourceEndpoints = Readonly<Record<keyof Resource, Handler>>;

/**
 * Makes the endpoints of a resource: `{ "data": ... }`, 201 for what was made, 204 for what was removed, 404 for what is
 * not there. Bodies come with or without the envelope of the content API.
 */
export function resourceEndpoints(resource: Resource): ResourceEndpoints {
  return {
    list: async () => ({ data: await resource.list() }),
    findOne: endpointOfOne((documentId) => resource.findOne(documentId)),
    create: async (ctx) => {
      const data = await resource.create(bodyOf(ctx), ctx);
      ctx.status = 201;
      return { data };
    },
    update: endpointOfOne((documentId, ctx) => resource.update(documentId, bodyOf(ctx), ctx)),
    remove: async (ctx) => {
      if (!(await resource.remove(documentIdOf(ctx), ctx))) throw new NotFoundError({});
      ctx.status = 204;
    },
  };
}

/** Makes an endpoint that finds or changes the thing of its path; undefined is a 404. */
export function endpointOfOne(work: (documentId: string, ctx: HttpContext) => Promise<object | undefined>): Handler {
  return async (ctx) => {
    const data = await work(documentIdOf(ctx), ctx);
    if (data === undefined) throw new NotFoundError({});
    return { data };
  };
}

const documentIdOf = (ctx: HttpContext): string => ctx.params["documentId"] ?? "";

function bodyOf(ctx: HttpContext): RequestBody {
  const body = recordOf(ctx.request.body);
  return Object.hasOwn(body, "data") ? recordOf(body["data"]) : body;
}

function recordOf(value: unknown): RequestBody {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RequestBody) : {};
}
