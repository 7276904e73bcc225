/** The APIs of a server, for logs and metrics. */
export const ROUTE_APIS = ["rest", "graphql", "auth", "upload", "admin", "other"] as const;

/** An API of a server. */
export type RouteApi = (typeof ROUTE_APIS)[number];

/** @param path - the whole path of the route. @returns what the route says; else it is found by its path */
export function apiOf({ api, type }: Declared, path: string): RouteApi {
  if (api !== undefined) return api;
  if (type !== "root") return "rest";
  return path === "/admin" || path.startsWith("/admin/") ? "admin" : "other";
}

/** A word of the code, never of a client: the last part of the action (`find`), or the method (`get`) of a bare function. */
export function operationOf(method: string, action: string | undefined): string {
  return action?.slice(action.lastIndexOf(".") + 1) ?? method.toLowerCase();
}

/** As much of a route as says what it is part of. */
interface Declared {
  readonly api?: RouteApi;
  readonly type?: "content-api" | "root";
}
