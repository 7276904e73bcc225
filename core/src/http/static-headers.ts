import Koa from "koa";
import { LRUCache } from "lru-cache";
import { createExchange } from "./node-internals.js";
import type { Middleware } from "./types.js";

/** Headers as names and values in turns, as `writeHead` takes them. */
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
