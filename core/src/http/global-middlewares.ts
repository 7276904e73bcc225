import { describeKnown } from "../base/suggest.js";
import { InvalidMiddlewareError } from "./errors.js";
import type { GlobalMiddlewareRef } from "./route.js";
import type { Lookup, Middleware, MiddlewareFactory, Tools } from "./types.js";

/** Where global middlewares come from. */
export interface GlobalMiddlewareSources {
  readonly builtIns: Readonly<Record<string, MiddlewareFactory>>;
  readonly middlewares: Lookup<MiddlewareFactory>;
  readonly tools: Tools;
}

/**
 * Makes the middlewares of the whole server, in the order of the list.
 *
 * @throws PLINTH_HTTP_INVALID_MIDDLEWARE (500) details `{ position, reason }`, positions from 1; what the look-up
 *   throws for an unknown name
 */
export function createGlobalMiddlewares(
  refs: readonly GlobalMiddlewareRef[],
  sources: GlobalMiddlewareSources,
): readonly Middleware[] {
  const made = refs.map((ref, i) => createOne(ref, i + 1, sources));
  if (!refs.some((ref) => nameOf(ref) === "plinth::router")) {
    throw new InvalidMiddlewareError({
      position: refs.length + 1,
      reason: 'is missing: "plinth::router", which answers',
    });
  }
  return made;
}

function createOne(ref: GlobalMiddlewareRef, position: number, sources: GlobalMiddlewareSources): Middleware {
  if (typeof ref === "function") return ref;
  assertKeys(ref, position);
  const config = (typeof ref === "object" && ref?.config) || {};
  const middleware = factoryOf(ref, position, sources)(config, sources.tools);
  if (typeof middleware === "function") return middleware;
  throw new InvalidMiddlewareError({ position, reason: "made no function; its factory must return a koa middleware" });
}

const KEYS = ["name", "resolve", "config"];

function assertKeys(ref: Exclude<GlobalMiddlewareRef, Middleware>, position: number): void {
  if (typeof ref !== "object" || ref === null) return;
  const unknown = Object.keys(ref).find((key) => key !== "factory" && !KEYS.includes(key));
  if (unknown === undefined) return;
  throw new InvalidMiddlewareError({ position, reason: `has a key "${unknown}". ${describeKnown(unknown, KEYS)}` });
}

function factoryOf(
  ref: Exclude<GlobalMiddlewareRef, Middleware>,
  position: number,
  { builtIns, middlewares }: GlobalMiddlewareSources,
): MiddlewareFactory {
  if (typeof ref === "object" && ref !== null && "factory" in ref) return ref.factory;
  const name = nameOf(ref);
  if (name === undefined) throw new InvalidMiddlewareError({ position, reason: "has no name, and is not a function" });
  if (Object.hasOwn(builtIns, name)) return builtIns[name] as MiddlewareFactory;
  const shared = name.includes("::") ? name : `global::${name}`;
  if (!middlewares.has(shared) && name.startsWith("plinth::"))
    throw new InvalidMiddlewareError({
      position,
      reason: `is "${name}", which does not exist. ${describeKnown(name, Object.keys(builtIns))}`,
    });
  return middlewares.get(shared);
}

/** The name of a reference; undefined for functions and factories. */
export function nameOf(ref: GlobalMiddlewareRef): string | undefined {
  if (typeof ref === "string") return ref;
  return typeof ref === "object" && ref !== null && "name" in ref && typeof ref.name === "string"
    ? ref.name
    : undefined;
}
