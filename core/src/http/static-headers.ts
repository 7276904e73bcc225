import Koa from "koa";
import { LRUCache } from "lru-cache";
import type { BodyReader } from "./body-reader.js";
import { nameOf } from "./global-middlewares.js";
import { bodyReaderOf } from "./middlewares/body.js";
import { defaultMiddlewares } from "./middlewares/built-in.js";
import { createExchange } from "./node-internals.js";
import { defaultQueryLimits, type QueryLimits } from "./query-string.js";
import type { GlobalMiddlewareRef } from "./route.js";
import type { Middleware } from "./types.js";

/** Headers as names, in lower case, and values in turns, as `writeHead` takes them. */
type HeaderList = readonly string[];

const ORIGINS = 1000;
/** Characters, of a byte each, of all origins and headers that are kept; with the usual headers an origin has some 1500. */
const MOST = 2_000_000;
/** Characters of an Origin that is kept: a scheme and the longest host name. */
const MAX_ORIGIN = 300;

/**
 * The headers that middlewares give every answer to one Origin. The middlewares are run once for an Origin, on a
 * request that has nothing but it, so that their behaviour is defined in one place. Bounded, because clients choose
 * their Origin.
 */
export class StaticHeaders {
  readonly #known = new LRUCache<string, HeaderList>({
    max: ORIGINS,
    maxSize: MOST,
    sizeCalculation: (headers, origin) => 1 + headers.reduce((sum, text) => sum + text.length, origin.length),
  });
  readonly #run: ReturnType<Koa["callback"]>;

  /** @param headerMiddlewares - middlewares that set headers, by nothing of the request but its Origin. */
  constructor(headerMiddlewares: readonly Middleware[]) {
    const koa = new Koa();
    for (const middleware of headerMiddlewares) koa.use(middleware as unknown as Koa.Middleware);
    koa.use((ctx) => {
      ctx.status = 204;
    });
    this.#run = koa.callback();
  }

  /** @param origin - the header; empty where there is none. */
  of(origin: string): HeaderList | Promise<HeaderList> {
    return this.#known.get(origin) ?? this.#make(origin);
  }

  async #make(origin: string): Promise<HeaderList> {
    const { request, response } = createExchange(origin === "" ? {} : { origin });
    await this.#run(request, response);
    const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
    if (origin.length <= MAX_ORIGIN) this.#known.set(origin, headers);
    return headers;
  }
}

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
