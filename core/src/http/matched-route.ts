/** The methods a route may have; HEAD comes with GET. */
export type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a request knows of the route that answers it: `ctx.state.route`. */
export interface MatchedRoute {
  readonly method: RouteMethod;
  /** The whole path as declared: `/api/articles/:documentId`. */
  readonly path: string;
  readonly owner: string;
  /** The action that authorisation asks for, such as `api::article.article.find`; none for a bare function. */
  readonly action: string | undefined;
}
