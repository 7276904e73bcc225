import createTree from "find-my-way";
import { MalformedPathError } from "./errors.js";
import { ROUTE_METHODS, type RouteMethod } from "./matched-route.js";

/** The result of a look-up: the value of the route, and the decoded parameters of its path. */
export interface Found<T> {
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
