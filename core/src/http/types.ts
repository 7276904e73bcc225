import type { ReadSource } from "../database/reads/read.js";
import type Koa from "koa";
import type { Logger } from "pino";
import type { Actor } from "../access/ability.js";
import type { App } from "../kernel/app.js";
import type { ErrorBody } from "./error-answer.js";
import type { MatchedRoute } from "./route-description.js";

declare module "../kernel/app.js" {
  interface App {
    /** The log of this app; level and form by configuration. */
    readonly log: Logger;
  }
}

/** What every factory and policy gets: the app it runs in. There is no global one. */
export interface Tools {
  readonly app: App;
}

/**
 * The parsed query string, such as `{ filters: { title: { $eq: "a" } } }`: text, lists and objects, at most 20 levels
 * deep. Objects have no prototype. Handlers may replace or change it before they pass it on.
 */
export interface QueryObject {
  [key: string]: unknown;
}

/** The type in place of a member of Strapi that is not there here: the name says what to write. Reading it throws PLINTH_STRAPI_CODE. */
export interface StrapiForm<Instead extends string> {
  readonly [STRAPI]: Instead;
}

declare const STRAPI: unique symbol;

/** Members of Strapi's state. Code of an app may set them; it reads what it set as a type of its own. */
interface StrapiState {
  get user(): StrapiForm<"ctx.state.actor.user">;
  set user(value: unknown);
  get auth(): StrapiForm<"ctx.state.actor">;
  set auth(value: unknown);
  get isAuthenticated(): StrapiForm<'ctx.state.actor.kind !== "public"'>;
  set isAuthenticated(value: unknown);
  get userAbility(): StrapiForm<"ctx.state.actor.ability">;
  set userAbility(value: unknown);
}

/** What travels with a request, from the first middleware to the last. */
export interface RequestState extends StrapiState {
  /** Also the answer's X-Request-Id. */
  requestId: string;
  /** The caller; the endpoint sets it before policies run. */
  actor: Actor;
  /** The route that answers; absent where no path matches. */
  route?: MatchedRoute;
  /** Of the one document that the answer shows, for its ETag; see documentVersion. */
  version?: string;
  /** What the answer was read from; see EndpointAnswer. */
  source?: ReadSource;
  /** What is asked for, where the route does not say it: `query` or `mutation` of GraphQL. */
  operation?: string;
  /** What is wrong with the request, as the client sees it. */
  failure?: ErrorBody;
  /** Whether nothing was written, although the method is that of writes. */
  isRead?: boolean;
  /** The errors of its refusals that the hook `access:onAct` has had already. */
  toldRefusals?: Set<unknown>;
  [key: string]: unknown;
}

/** One request and its answer: koa's context with a parsed query, path parameters, and our state. */
export type HttpContext = Omit<Koa.ExtendableContext, "query" | "request"> & {
  /** Parsed when first read. */
  query: QueryObject;
  /** Decoded path parameters, such as `{ documentId: "..." }`. */
  params: Readonly<Record<string, string>>;
  readonly request: Koa.Request & { body?: unknown };
  readonly state: RequestState;
  body: unknown;
};

/** Runs what comes after a middleware. */
export type Next = () => Promise<unknown>;

/** A koa middleware on our context. */
export type Middleware = (ctx: HttpContext, next: Next) => unknown;

/**
 * Answers a request, by setting `ctx.body` or by returning the body: a returned value that is not undefined becomes the
 * body where the handler set none.
 */
export type Handler = (ctx: HttpContext, next: Next) => unknown;

/** The handlers of one controller by name: `{ find, findOne }`. */
export type Controller = Readonly<Record<string, Handler>>;

/** Makes a controller once, when the server starts. */
export type ControllerFactory = (tools: Tools) => Controller;

/**
 * Decides whether a request goes on. False blocks it with 403 `Policy Failed`; true or nothing lets it pass; a throw
 * answers with its own error.
 */
export type Policy = (
  ctx: HttpContext,
  config: Readonly<Record<string, unknown>>,
  tools: Tools,
) => boolean | undefined | Promise<boolean | undefined>;

/** Makes a middleware once, when the server starts. */
export type MiddlewareFactory = (config: Readonly<Record<string, unknown>>, tools: Tools) => Middleware;

/** Where names are looked up; a registry of the kernel is one. `get` of an unknown name throws and lists the known. */
export interface Lookup<V> {
  has(uid: string): boolean;
  get(uid: string): V;
}
