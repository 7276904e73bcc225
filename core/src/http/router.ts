import KoaRouter from "@koa/router";
import createTree from "find-my-way";
import { assertRoute } from "./assert-route.js";
import {
  actionOf,
  createEndpoint,
  type EndpointSources,
  type PlainEndpoint,
  builtInEndpointOf,
  plainEndpointOf,
  scopeOf,
} from "./endpoint.js";
import { InvalidPathError, InvalidRoutesError, MalformedPathError, type RouteProblem } from "./errors.js";
import { apiOf, operationOf } from "./route-api.js";
import type { OwnedRoute } from "./route.js";
import type { HttpContext, Middleware } from "./types.js";
import { type MatchedRoute, ROUTE_METHODS, type RouteMethod } from "./route-description.js";
import { createParamsForCode, type PathParams } from "./strapi-context.js";

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
  /** The parameters of a match for a context. */
  readonly paramsForCode: (params: PathParams) => PathParams;
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
    const route = matchedRoute(owned, path, action, sources);
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
  return { routes, match, matchOf: remember(match), paramsForCode: createParamsForCode(routes) };
}

function matchedRoute(
  owned: OwnedRoute,
  path: string | RegExp,
  action: string | undefined,
  sources: EndpointSources,
): MatchedRoute {
  const { method, description, page, config } = owned.route;
  const scope = scopeOf(owned.route, action);
  const watched = { api: apiOf(owned.route, String(path)), operation: operationOf(method, action) };
  const own = { method, path: String(path), owner: owned.owner, action, ...watched, scope };
  const { policies = [], bodyLimit } = config ?? {};
  const hasOwnCode = policies.length > 0 || builtInEndpointOf(owned, action, sources) === undefined;
  return { ...own, isPattern: isPattern(path), hasOwnCode, description, page, bodyLimit };
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

/** The result of a look-up: the value of the route, and the decoded parameters of its path. */
interface Found<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

/** find-my-way wants a handler for every route; ours is the value. */
const NO_HANDLER = (): void => undefined;

/**
 * Every route whose path is literal segments and parameters of a whole segment, in the tree of find-my-way: a look-up
 * costs by the length of the path, not by the number of routes. Literal segments win over parameters; of two routes with
 * one method and one shape of path, the first added wins. Letter case does not matter in literal segments; one trailing
 * slash is allowed, an empty segment matches nothing.
 *
 * @source core/decisions/0016-libraries-and-what-stays.md
 */
export class RouteTable<T> {
  readonly #tree = createTree({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });

  /**
   * Adds a route unless one with this method and shape of path is there.
   *
   * @param path - segments after a slash each: `/api/articles/:documentId`.
   * @returns false when the earlier one stays.
   */
  add(method: RouteMethod, path: string, value: T): boolean {
    const shape = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    if (this.#tree.hasRoute(method, shape)) return false;
    this.#tree.on(method, shape, NO_HANDLER, value);
    return true;
  }

  /**
   * Finds the route of a request.
   *
   * @param path - the request's path as sent, percent-encoded.
   * @throws PLINTH_HTTP_MALFORMED_PATH (400) when a parameter cannot be decoded
   */
  find(method: RouteMethod, path: string): Found<T> | undefined {
    const found = this.#find(method, path);
    if (!found) return undefined;
    const params = found.params as Record<string, string>;
    if (path.includes("%")) for (const name in params) params[name] = decode(params[name] ?? "");
    return { value: found.store as T, params };
  }

  /** The methods that routes of this path have; none when the path is unknown. */
  methodsOf(path: string): readonly RouteMethod[] {
    return ROUTE_METHODS.filter((method) => this.#find(method, path));
  }

  /**
   * Given a path that is encoded once more, find-my-way returns parameters as they were sent. By itself it decodes literal
   * segments too, and finds no route where something cannot be decoded. It would take an empty segment for a parameter.
   */
  #find(method: RouteMethod, path: string) {
    if (!path.startsWith("/") || path.includes("//")) return null;
    if (path === "/" && !this.#tree.hasRoute(method, path)) return null;
    return this.#tree.find(method, path.includes("%") ? path.replaceAll("%", "%25") : path);
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new MalformedPathError({ segment }, { cause });
  }
}

const PLAIN_SEGMENT = /^(?::[A-Za-z_]\w*|[^:*{}()?+!]*)$/;

/** Whether a path needs more than literal segments and whole-segment parameters. */
function isPattern(path: string | RegExp): boolean {
  return typeof path !== "string" || path.split("/").some((segment) => !PLAIN_SEGMENT.test(segment));
}

/**
 * The few routes that a RouteTable cannot hold: RegExps (matched against the whole path) and paths with wildcards,
 * optional groups or part-segment parameters, in the syntax of @koa/router. A look-up tries one after the other.
 */
class PatternRoutes<T> {
  readonly #router = new KoaRouter();
  readonly #values: T[] = [];

  add(method: RouteMethod, path: string | RegExp, value: T): void {
    const name = String(this.#values.push(value) - 1);
    this.#router.register(path, [method], () => undefined, { name, pathAsRegExp: path instanceof RegExp });
  }

  /** The first route added that fits; a RegExp's groups are parameters by their names and by position, from 0. */
  find(method: RouteMethod, path: string): Found<T> | undefined {
    if (this.#values.length === 0) return undefined;
    const [layer] = this.#router.match(path, method).pathAndMethod;
    const value = layer && this.#values[Number(layer.name)];
    if (!layer || value === undefined) return undefined;
    return {
      value,
      params: layer.path instanceof RegExp ? readGroups(layer.path, path) : layer.params(path, layer.captures(path)),
    };
  }

  /** The methods that routes fitting this path have. */
  methodsOf(path: string): Set<RouteMethod> {
    if (this.#values.length === 0) return new Set();
    const methods = this.#router.match(path, "GET").path.flatMap((layer) => layer.methods as RouteMethod[]);
    return new Set(methods.filter((method) => (method as string) !== "HEAD"));
  }
}

function readGroups(pattern: RegExp, path: string): Readonly<Record<string, string>> {
  const match = path.match(pattern);
  const numbered = (match ?? []).slice(1).map((text, i) => [String(i), text] as const);
  return { ...Object.fromEntries(numbered), ...match?.groups };
}
