import * as v from "@plinth/core/valibot";
import { byteSize } from "../base/options/values.js";
import { describeAllowed } from "../base/options/describe-allowed.js";
import { nodeOf } from "../base/options/schema-node.js";
import { describeKnown } from "../base/suggest.js";
import { InvalidPathError, InvalidRouteError } from "./errors.js";
import { ROUTE_APIS } from "./route-api.js";
import type { Route, RouteAuth, RouteConfig } from "./route.js";
import { ROUTE_METHODS } from "./route-description.js";

const ROUTE_KEYS: Readonly<Record<keyof Route, true>> = {
  method: true,
  path: true,
  handler: true,
  type: true,
  config: true,
  description: true,
  page: true,
  api: true,
};

const AUTH_KEYS: Readonly<Record<keyof RouteAuth, true>> = { scope: true, expired: true };

const CONFIG_KEYS: Readonly<Record<keyof RouteConfig, true>> = {
  auth: true,
  policies: true,
  middlewares: true,
  bodyLimit: true,
  prefix: true,
};

/**
 * Checks what the compiler checks in TypeScript: keys, method, type and the slashes of path and prefix.
 *
 * @throws PLINTH_HTTP_INVALID_ROUTE, PLINTH_HTTP_INVALID_PATH (500)
 */
export function assertRoute(route: Route): void {
  assertKeys(route, "a route", ROUTE_KEYS);
  assertKeys(route.config ?? {}, "the config of a route", CONFIG_KEYS);
  if (!ROUTE_METHODS.includes(route.method))
    throw new InvalidRouteError({
      reason: `its method "${route.method}" does not exist. ${describeKnown(String(route.method), ROUTE_METHODS)}`,
    });
  const { type = "content-api" } = route;
  if (type !== "content-api" && type !== "root")
    throw new InvalidRouteError({ reason: `its type "${String(type)}" must be content-api or root` });
  if (route.api !== undefined && !ROUTE_APIS.includes(route.api))
    throw new InvalidRouteError({ reason: `its api "${String(route.api)}" must be one of ${ROUTE_APIS.join(", ")}` });
  const { auth, bodyLimit } = route.config ?? {};
  if (auth) assertKeys(auth, "`auth` of a route", AUTH_KEYS);
  if (auth && auth.expired !== undefined && auth.expired !== "public" && auth.expired !== "open")
    throw new InvalidRouteError({ reason: `its auth.expired "${String(auth.expired)}" must be public or open` });
  if (bodyLimit !== undefined && !v.is(byteSize, bodyLimit))
    throw new InvalidRouteError({ reason: `its bodyLimit must be ${describeAllowed(nodeOf(byteSize))}` });
  for (const path of [route.path, route.config?.prefix])
    if (typeof path === "string" && path !== "" && !path.startsWith("/")) throw new InvalidPathError({ path });
}

function assertKeys(given: object, what: string, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  throw new InvalidRouteError({
    reason: `"${unknown}" is not a key of ${what}. ${describeKnown(unknown, Object.keys(known))}`,
  });
}
