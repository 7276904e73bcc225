import type { Size } from "../base/options/values.js";
import type { RouteApi } from "./route-api.js";
import type { RouteDescription, RouteMethod } from "./route-description.js";
import type { Handler, Middleware, MiddlewareFactory, Policy, Tools } from "./types.js";

/**
 * A policy on a route: a name (`is-owner` of the same api or plugin, `global::is-owner`, `api::article.is-owner`,
 * `plugin::bookmarks.is-owner`), a name with its configuration, or the function itself.
 */
export type PolicyRef =
  | string
  | { readonly name: string; readonly config?: Readonly<Record<string, unknown>> }
  | Policy;

/** A middleware on a route; names resolve as those of policies do, and a function is the koa middleware itself. */
export type MiddlewareRef =
  | string
  | { readonly name: string; readonly config?: Readonly<Record<string, unknown>> }
  | Middleware;

/**
 * A middleware of the whole server, in `config/middlewares`: a name (`plinth::cors`, `global::timing`,
 * `plugin::bookmarks.timing`), a name with its configuration, a factory that was loaded from a file, or the koa
 * middleware itself.
 */
export type GlobalMiddlewareRef =
  | string
  | { readonly name: string; readonly config?: Readonly<Record<string, unknown>> }
  | { readonly factory: MiddlewareFactory; readonly config?: Readonly<Record<string, unknown>> }
  | Middleware;

/** What a route asks of its caller. */
export interface RouteAuth {
  readonly scope?: readonly string[];
  /**
   * What is made of credentials that are not valid any more, such as an expired token; default: 401. `public`: they count
   * as none. `open`: the same, and `scope` is not asked for. For routes on which clients get new credentials, or give up old
   * ones.
   */
  readonly expired?: "public" | "open";
}

/** What a route may ask for beside its handler. */
export interface RouteConfig {
  /**
   * False: the route is public, and no credentials are read. Otherwise the actor's ability must include each action of
   * `scope`, by default the handler's own (`api::article.article.find`).
   */
  readonly auth?: false | RouteAuth;
  /** Run in order after authorisation; the first that blocks ends the request. */
  readonly policies?: readonly PolicyRef[];
  /** Run in order after the policies, around the handler. */
  readonly middlewares?: readonly MiddlewareRef[];
  /** Bytes, or a size such as `12mb`, that a JSON or form body of this route may have, in place of plinth::body's limits. */
  readonly bodyLimit?: Size;
  /** Stands before `path` instead of the owner's own prefix (`/<plugin>` for a plugin, nothing for an api). */
  readonly prefix?: string;
}

/** One way into the server. */
export interface Route {
  readonly method: RouteMethod;
  /**
   * Starts with a slash; `:name` matches one segment: `/articles/:documentId`. A RegExp, or a path with `*` or
   * braces, is matched last and one by one, by @koa/router.
   */
  readonly path: string | RegExp;
  /** `<controller>.<action>` of the owner, a full `api::article.article.find`, or the function itself. */
  readonly handler: string | Handler;
  /** `content-api` (default): below the REST prefix, `/api`. `root`: below the owner's prefix only. */
  readonly type?: "content-api" | "root";
  readonly config?: RouteConfig;
  /** What logs and metrics count it as. Default: `rest` for those of type `content-api`, `admin` below `/admin`, else `other`. */
  readonly api?: RouteApi;
  /** What it takes and answers, for documents of the API; false: it stands in none. */
  readonly description?: RouteDescription | false;
  /**
   * Title of the page at this path, such as `GraphQL`: the start prints its address, and the page at `/` links to it.
   */
  readonly page?: string;
}

/**
 * Routes that depend on what is known only when the server starts, such as the content model; core routers are ones.
 * They stand in the registry like a route, and are asked for once.
 */
export interface RouteSource {
  readonly createRoutes: (tools: Tools) => readonly Route[];
}

/** A route and who declared it. */
export interface OwnedRoute {
  /** The uid's namespace: `api::article`, `plugin::bookmarks`, `global`. */
  readonly owner: string;
  readonly route: Route;
}
