import type { BodyReader } from "./body-reader.js";
import { nameOf } from "./global-middlewares.js";
import { bodyReaderOf } from "./middlewares/body.js";
import { defaultMiddlewares } from "./middlewares/built-in.js";
import { defaultQueryLimits, type QueryLimits } from "./query-string.js";
import type { GlobalMiddlewareRef } from "./route.js";
import type { Middleware } from "./types.js";

/** What surrounds the answers of a server that has the built-in middlewares only. */
export interface PlainFrame {
  /** Of query strings. */
  readonly limits: QueryLimits;
  readonly bodies: BodyReader;
  /** The middlewares that do no more than set headers. */
  readonly framing: readonly Middleware[];
}

const FRAMING: ReadonlySet<string | undefined> = new Set(["plinth::security", "plinth::cors"]);

/**
 * The frame of a server whose global middlewares are the built-in ones in their order, configured by data; undefined
 * for any other, because only running its middlewares tells what they do.
 *
 * @param made - the middlewares of `refs`, in the same order.
 */
export function plainFrame(refs: readonly GlobalMiddlewareRef[], made: readonly Middleware[]): PlainFrame | undefined {
  const names = refs.map(nameOf);
  if (names.join() !== defaultMiddlewares.join() || refs.some((ref) => !isData(ref))) return undefined;
  const [bodies] = made.flatMap((middleware) => bodyReaderOf(middleware) ?? []);
  if (!bodies) return undefined;
  const query = refs[names.indexOf("plinth::query")];
  const config = typeof query === "object" && "config" in query ? query.config : {};
  return {
    limits: { ...defaultQueryLimits, ...config },
    bodies,
    framing: made.filter((_middleware, i) => FRAMING.has(names[i])),
  };
}

/** Whether there is no function in a value: helmet takes functions that look at the request. */
function isData(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isData);
  return typeof value !== "function";
}
