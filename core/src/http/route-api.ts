import type { OwnedRoute } from "./route.js";

/** The APIs of a server, for logs and metrics. */
export const ROUTE_APIS = ["rest", "graphql", "auth", "upload", "admin", "other"] as const;

/** An API of a server. */
export type RouteApi = (typeof ROUTE_APIS)[number];

/** @param path - the whole path of the route. @returns what the route says; else it is found by its path */
export function apiOf({ route }: OwnedRoute, path: string): RouteApi {
  if (route.api !== undefined) return route.api;
  if (route.type !== "root") return "rest";
  return path === "/admin" || path.startsWith("/admin/") ? "admin" : "other";
}

/** A word of the code, never of a client: the last part of the action (`find`), or the method (`get`) of a bare function. */
export function operationOf({ route }: OwnedRoute, action: string | undefined): string {
  return action?.slice(action.lastIndexOf(".") + 1) ?? route.method.toLowerCase();
}
