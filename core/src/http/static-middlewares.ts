import type { BodyReader } from "./body-reader.js";
import { nameOf } from "./global-middlewares.js";
import { bodyReaderOf } from "./middlewares/body.js";
import { defaultMiddlewares } from "./middlewares/built-in.js";
import { defaultQueryLimits, type QueryLimits } from "./query-string.js";
import type { GlobalMiddlewareRef } from "./route.js";
import type { Middleware } from "./types.js";

/** The built-in middlewares of a server that has no others. */
export interface StaticMiddlewares {
  /** Of query strings. */
  readonly limits: QueryLimits;
  readonly bodies: BodyReader;
  /** The middlewares that do no more than set headers. */
  readonly headerMiddlewares: readonly Middleware[];
}

const HEADER_MIDDLEWARES: ReadonlySet<string | undefined> = new Set(["plinth::security", "plinth::cors"]);

/**
 * The middlewares of a server whose global middlewares are the built-in ones in their order, configured by data;
 * undefined for any other server, because what its middlewares do is known only by running them.
 *
 * @param made - the middlewares of `refs`, in the same order.
 */
export function findStaticMiddlewares(
  refs: readonly GlobalMiddlewareRef[],
  made: readonly Middleware[],
): StaticMiddlewares | undefined {
  const names = refs.map(nameOf);
  if (names.join() !== defaultMiddlewares.join() || refs.some((ref) => !isData(ref))) return undefined;
  const [bodies] = made.flatMap((middleware) => bodyReaderOf(middleware) ?? []);
  if (!bodies) return undefined;
  const query = refs[names.indexOf("plinth::query")];
  const config = typeof query === "object" && "config" in query ? query.config : {};
  return {
    limits: { ...defaultQueryLimits, ...config },
    bodies,
    headerMiddlewares: made.filter((_middleware, i) => HEADER_MIDDLEWARES.has(names[i])),
  };
}

/** Whether there is no function in a value: helmet takes functions that look at the request. */
function isData(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isData);
  return typeof value !== "function";
}
