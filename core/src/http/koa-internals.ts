import type { IncomingMessage, ServerResponse } from "node:http";
import Koa from "koa";

/*
 * What our code takes for granted of koa and koa-body beside their documentation stands here and nowhere else. Written
 * against koa 3.3 and koa-body 8.0; test/core/http/koa-internals.test.ts fails when a version of theirs differs.
 */

/** Koa's prototype of the requests of one server; every request inherits from it. */
export interface RequestPrototype {
  readonly querystring: string;
}

/** The getter and the setter of a property of every request. */
export interface QueryAccess<Query> {
  get(request: RequestPrototype): Query;
  set(request: RequestPrototype, query: Query): void;
}

/** Has `query` of every request of a server, and with it `ctx.query`, be read and set by `access`. */
export function replaceQuery<Query>(prototype: RequestPrototype, access: QueryAccess<Query>): void {
  Object.defineProperty(prototype, "query", {
    configurable: true,
    get(this: RequestPrototype): Query {
      return access.get(this);
    },
    set(this: RequestPrototype, query: Query) {
      access.set(this, query);
    },
  });
}

const { request: koaRequest } = new Koa();

/** The type of a request's body where it is one of some, else false; null: it has no body. As `ctx.is`, without a context. */
export const isType = (req: IncomingMessage, types: string[]): string | false | null =>
  koaRequest.is.call({ req }, types);

/** As much of a koa context as koa-body asks for. */
export interface BodyContext {
  readonly req: IncomingMessage;
  readonly request: { body?: unknown };
  readonly method: string;
  is(...types: (string | string[])[]): string | false | null;
}

/** What koa-body reads a body of JSON or a form from, and leaves it in; a whole context is not made. */
export function createBodyContext(req: IncomingMessage): BodyContext {
  return { req, request: {}, method: "POST", is: (...types) => isType(req, types.flat()) };
}

/** A context of a server for a request that its middlewares do not see; koa makes one of its own only with them. */
export const createContext = (koa: Koa, req: IncomingMessage, res: ServerResponse): Koa.ExtendableContext =>
  koa.createContext(req, res);

/** The address of a client, as `ctx.ip` of a server, without a context. */
export const clientAddress = (koa: Koa, req: IncomingMessage): string =>
  (Object.assign(Object.create(koa.request), { app: koa, req }) as Koa.Request).ip;
