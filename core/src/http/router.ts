import { assertRoute } from "./assert-route.js";
import {
  actionOf,
  createEndpoint,
  type EndpointSources,
  type PlainEndpoint,
  plainEndpointOf,
  scopeOf,
} from "./endpoint.js";
import { InvalidPathError, InvalidRoutesError, type RouteProblem } from "./errors.js";
import { type MatchedRoute, ROUTE_METHODS, type RouteMethod } from "./matched-route.js";
import { isPattern, PatternRoutes } from "./pattern-routes.js";
import type { OwnedRoute } from "./route.js";
import { RouteTable } from "./route-table.js";
import type { HttpContext, Middleware } from "./types.js";

/** The result of a look-up by method and path. */
export type Match =
  | { readonly kind: "endpoint"; readonly endpoint: RoutedEndpoint; readonly params: Readonly<Record<string, string>> }
  /** The path is known, and none of its routes has the method. */
  | { readonly kind: "other-method"; readonly allow: string }
  | { readonly kind: "unknown" };

/** A route, ready to answer. */
export interface RoutedEndpoint {
  readonly route: MatchedRoute;
  readonly run: Middleware;
  /** How it is answered without a koa context, where none is needed. */
  readonly plain: PlainEndpoint | undefined;
}

/** Finds the endpoints of requests. */
export interface Router {
  /** Every route that can answer, in order of declaration. */
  readonly routes: readonly MatchedRoute[];
  match(method: string, path: string): Match;
  /**
   * The match of a request's method and path as they are now; looked up once for both.
   *
   * @throws PLINTH_HTTP_MALFORMED_PATH (400)
   */
  matchOf(ctx: HttpContext): Match;
}

/**
 * Makes the router of a server: composes each route's endpoint, and puts it into the table of its kind.
 *
 * @param restPrefix - before the paths of routes of type `content-api`: `/api`; may be empty.
 * @throws PLINTH_HTTP_INVALID_ROUTES (500) details `{ problems: [{ route, message }] }`, all routes at once
 */
export function createRouter(sources: EndpointSources, restPrefix: string): Router {
  const table = new RouteTable<RoutedEndpoint>();
  const patterns = new PatternRoutes<RoutedEndpoint>();
  const routes: MatchedRoute[] = [];
  forEachRoute(sources.parts.routes, (owned) => {
    assertRoute(owned.route);
    const path = pathOf(owned, restPrefix);
    const action = actionOf(owned);
    const route = matchedRoute(owned, path, action);
    const run = createEndpoint(owned, action, sources);
    const endpoint = { route, run, plain: plainEndpointOf(owned, action, sources) };
    if (isPattern(path)) patterns.add(route.method, path, endpoint);
    else if (!table.add(route.method, route.path, endpoint)) return;
    routes.push(route);
  });
  const match = (method: string, path: string): Match => {
    const asked = (method === "HEAD" ? "GET" : method) as RouteMethod;
    const found = table.find(asked, path) ?? patterns.find(asked, path);
    if (found) return { kind: "endpoint", endpoint: found.value, params: found.params };
    const methods = new Set([...table.methodsOf(path), ...patterns.methodsOf(path)]);
    // A path without a readable method is a 404 for reads; the corpus has it ("login GET").
    if (methods.size === 0 || asked === "GET") return { kind: "unknown" };
    return { kind: "other-method", allow: formatAllow(methods) };
  };
  return { routes, match, matchOf: remember(match) };
}

function matchedRoute(owned: OwnedRoute, path: string | RegExp, action: string | undefined): MatchedRoute {
  const { method, description, page, config } = owned.route;
  const scope = scopeOf(owned.route, action);
  const own = { method, path: String(path), owner: owned.owner, action, scope };
  return { ...own, isPattern: isPattern(path), description, page, bodyLimit: config?.bodyLimit };
}

/** Runs `add` for every route, and throws what is wrong with all of them together. */
function forEachRoute(routes: readonly OwnedRoute[], add: (owned: OwnedRoute) => void): void {
  const problems: RouteProblem[] = [];
  const causes: unknown[] = [];
  for (const owned of routes) {
    try {
      add(owned);
    } catch (cause) {
      const { method, path } = owned.route;
      problems.push({
        route: `${method} ${String(path)} of ${owned.owner}`,
        message: cause instanceof Error ? cause.message : String(cause),
      });
      causes.push(cause);
    }
  }
  if (problems.length > 0) throw new InvalidRoutesError({ problems }, { cause: causes[0] });
}

/**
 * The whole path of a route: the REST prefix (content-api routes only), the owner's prefix, its own path. A RegExp is
 * whole already.
 *
 * @throws PLINTH_HTTP_INVALID_PATH (500) details `{ path }`
 */
function pathOf({ owner, route }: OwnedRoute, restPrefix: string): string | RegExp {
  if (typeof route.path !== "string") return route.path;
  const [kind, plugin] = owner.split("::");
  const ownPrefix = route.config?.prefix ?? (kind === "plugin" ? `/${plugin}` : "");
  const path = `${route.type === "root" ? "" : restPrefix}${ownPrefix}${route.path}`;
  if (!path.startsWith("/") || path.includes("//")) throw new InvalidPathError({ path });
  return path;
}

/**
 * @source plugins/content-api/WIRE.md#routing-and-headers, `Allow: HEAD, GET, POST`, `Allow: HEAD, GET, PUT, DELETE`
 */
function formatAllow(methods: ReadonlySet<RouteMethod>): string {
  const known = ROUTE_METHODS.filter((method) => methods.has(method));
  return (methods.has("GET") ? ["HEAD", ...known] : known).join(", ");
}

/** A middleware before the router may change method or path, so the match is kept with those it was found by. */
function remember(match: Router["match"]): Router["matchOf"] {
  const known = new WeakMap<HttpContext, { method: string; path: string; match: Match }>();
  return (ctx) => {
    const { method, path } = ctx;
    const last = known.get(ctx);
    if (last?.method === method && last.path === path) return last.match;
    const found = match(method, path);
    known.set(ctx, { method, path, match: found });
    return found;
  };
}
