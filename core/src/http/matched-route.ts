import type { Size } from "../base/options/byte-size.js";
import type { RouteDescription } from "./route-description.js";

/** The methods a route may have, in the order of an `Allow` header; HEAD comes with GET. */
export const ROUTE_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A method that a route may have. */
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** What a request can read of its route: `ctx.state.route`. */
export interface MatchedRoute {
  readonly method: RouteMethod;
  /** The whole path as declared: `/api/articles/:documentId`. */
  readonly path: string;
  readonly owner: string;
  /** The action that authorisation asks for, such as `api::article.article.find`; none for a bare function. */
  readonly action: string | undefined;
  /** The actions that the caller needs, all of them; undefined where no credentials are read. */
  readonly scope: readonly string[] | undefined;
  /** Whether the path is a RegExp, or one with wildcards or parts of segments. */
  readonly isPattern: boolean;
  readonly description: RouteDescription | false | undefined;
  /** Title of the page at this path, such as `GraphQL`; undefined for what is not a page. */
  readonly page: string | undefined;
  /** What a JSON or form body may have, in place of plinth::body's limits. */
  readonly bodyLimit: Size | undefined;
}
