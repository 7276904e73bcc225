import { MalformedPathError } from "./errors.js";
import type { RouteMethod } from "./matched-route.js";

/** The result of a look-up: the value of the route, and the decoded parameters of its path. */
export interface Found<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Entry<T> {
  readonly names: readonly string[];
  readonly value: T;
}

interface Node<T> {
  readonly statics: Map<string, Node<T>>;
  param: Node<T> | undefined;
  readonly entries: Map<RouteMethod, Entry<T>>;
}

/**
 * Every route in one tree of path segments, so a look-up costs by the length of the path, not by the number of routes.
 * Literal segments win over parameters; of two routes with one method and one shape of path, the first added wins.
 * Letter case does not matter in literal segments; one trailing slash is allowed, an empty segment matches nothing.
 */
export class RouteTable<T> {
  readonly #root: Node<T> = createNode();

  /**
   * Adds a route unless one with this method and shape of path is there.
   *
   * @param path - segments after a slash each: `/api/articles/:documentId`.
   * @returns false when the earlier one stays.
   */
  add(method: RouteMethod, path: string, value: T): boolean {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(":")) {
        names.push(segment.slice(1));
        node.param ??= createNode();
        node = node.param;
      } else {
        node = childOf(node, segment.toLowerCase());
      }
    }
    if (node.entries.has(method)) return false;
    node.entries.set(method, { names, value });
    return true;
  }

  /**
   * Finds the route of a request.
   *
   * @param path - the request's path as sent, percent-encoded.
   * @throws PLINTH_HTTP_MALFORMED_PATH (400) when a parameter cannot be decoded
   */
  find(method: RouteMethod, path: string): Found<T> | undefined {
    const segments = segmentsOf(path);
    const end = findNode(this.#root, segments, (node) => node.entries.has(method));
    const entry = end?.node.entries.get(method);
    return end && entry && { value: entry.value, params: readParams(entry.names, end.values) };
  }

  /** The methods that routes of this path have, in no order; none when the path is unknown. */
  methodsOf(path: string): Set<RouteMethod> {
    const methods = new Set<RouteMethod>();
    findNode(this.#root, segmentsOf(path), (node) => {
      for (const method of node.entries.keys()) methods.add(method);
      return false;
    });
    return methods;
  }
}

interface Step<T> {
  readonly node: Node<T>;
  readonly values: readonly string[];
}

/** How many segments lie behind, and the values of parameters among them. */
interface Progress {
  readonly at: number;
  readonly values: readonly string[];
}

/** Walks every branch that fits, literal segments first, until `accept` takes the end of one. */
function findNode<T>(
  node: Node<T>,
  segments: readonly string[],
  accept: (node: Node<T>) => boolean,
  { at, values }: Progress = { at: 0, values: [] },
): Step<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return accept(node) ? { node, values } : undefined;
  const literal = node.statics.get(segment.toLowerCase());
  const found = literal && findNode(literal, segments, accept, { at: at + 1, values });
  if (found || !node.param || segment === "") return found;
  return findNode(node.param, segments, accept, { at: at + 1, values: [...values, segment] });
}

function segmentsOf(path: string): readonly string[] {
  if (path === "/") return [];
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  return trimmed.slice(trimmed.startsWith("/") ? 1 : 0).split("/");
}

function childOf<T>(node: Node<T>, segment: string): Node<T> {
  const known = node.statics.get(segment);
  if (known) return known;
  const child = createNode<T>();
  node.statics.set(segment, child);
  return child;
}

function createNode<T>(): Node<T> {
  return { statics: new Map(), param: undefined, entries: new Map() };
}

function readParams(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = Object.create(null);
  names.forEach((name, i) => {
    params[name] = decode(values[i] ?? "");
  });
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new MalformedPathError({ segment }, { cause });
  }
}
