import KoaRouter from "@koa/router";
import type { RouteMethod } from "./matched-route.js";
import type { Found } from "./route-table.js";

const PLAIN_SEGMENT = /^(?::[A-Za-z_]\w*|[^:*{}()?+!]*)$/;

/** Whether a path needs more than literal segments and whole-segment parameters. */
export function isPattern(path: string | RegExp): boolean {
  return typeof path !== "string" || path.split("/").some((segment) => !PLAIN_SEGMENT.test(segment));
}

/**
 * The few routes that a RouteTable cannot hold: RegExps (matched against the whole path) and paths with wildcards,
 * optional groups or part-segment parameters, in the syntax of @koa/router. A look-up tries one after the other.
 */
export class PatternRoutes<T> {
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
