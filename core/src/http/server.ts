import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import type { Access } from "../access/access.js";
import type { App } from "../kernel/app.js";
import { answerClientError } from "./client-error.js";
import { createDirectRoad } from "./direct-road.js";
import { ListenError } from "./errors.js";
import { createGlobalMiddlewares } from "./global-middlewares.js";
import { plainFrame } from "./plain-frame.js";
import type { MatchedRoute } from "./matched-route.js";
import { createBuiltIns, defaultMiddlewares } from "./middlewares/built-in.js";
import type { HttpParts } from "./parts.js";
import { requestFrame } from "./request-frame.js";
import type { GlobalMiddlewareRef, OwnedRoute } from "./route.js";
import { createRouter } from "./router.js";

/** How a server listens and what surrounds its routes. */
export interface HttpConfig {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Before the paths of content-api routes; starts with a slash, or is empty. Default `/api`. */
  readonly restPrefix?: string;
  /** Default: every built-in middleware; see defaultMiddlewares. */
  readonly middlewares?: readonly GlobalMiddlewareRef[];
  /**
   * How many proxies in front are trusted to say the client's address and protocol (X-Forwarded-*); true is one. What
   * stands before their entries in X-Forwarded-For is the client's own invention, and is not believed.
   */
  readonly proxy?: boolean | number;
  /** How long close waits for requests that are being answered, in milliseconds. Default 10,000. */
  readonly closeTimeout?: number;
}

/** What a server is made of. */
export interface HttpServerOptions {
  readonly app: App;
  readonly access: Access;
  readonly parts: HttpParts;
  readonly config: HttpConfig;
}

/** The HTTP side of one app. */
export interface HttpServer {
  /** Every route that can answer, in order of precedence. */
  readonly routes: readonly MatchedRoute[];
  /**
   * Starts to accept connections, for the first time or again after a close.
   *
   * @returns the address, such as `http://127.0.0.1:1337`
   * @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }`
   */
  listen(): Promise<string>;
  /**
   * Stops to accept connections, ends those that wait, lets requests finish, and after the time limit cuts off the
   * rest. Does nothing when the server does not listen.
   */
  close(): Promise<void>;
}

/** Answers monitoring without credentials, whatever else is configured. */
const health: OwnedRoute = {
  owner: "plinth",
  route: {
    method: "GET",
    path: "/_health",
    type: "root",
    config: { auth: false },
    description: { summary: "Whether the server answers", tag: "Server", answers: { 204: { description: "It does" } } },
    handler: (ctx) => {
      ctx.status = 204;
    },
  },
};

/**
 * Makes the server of an app: all its routes and middlewares are resolved and composed here, so that an unknown name
 * stops the start and not a request.
 *
 * @throws PLINTH_HTTP_INVALID_ROUTES, PLINTH_HTTP_INVALID_MIDDLEWARE (500)
 */
export function createHttpServer({ app, access, parts, config }: HttpServerOptions): HttpServer {
  const tools = { app };
  const routes = [...parts.routes, health];
  const router = createRouter({ parts: { ...parts, routes }, access, tools }, config.restPrefix ?? "/api");
  const proxies = Number(config.proxy ?? 0);
  const koa = new Koa({ proxy: proxies > 0, maxIpsCount: proxies });
  const refs = config.middlewares ?? defaultMiddlewares;
  const middlewares = createGlobalMiddlewares(refs, {
    builtIns: createBuiltIns(router, koa.request),
    middlewares: parts.middlewares,
    tools,
  });
  for (const middleware of [requestFrame, ...middlewares]) koa.use(middleware as unknown as Koa.Middleware);
  koa.on("error", (err: unknown) => app.log.warn({ err }, "An answer could not be sent"));
  const otherwise = koa.callback();
  let answer: RequestListener = otherwise;
  const server = createServer((request, response) => answer(request, response));
  server.on("clientError", answerClientError);
  const { listen, close } = createListener(server, config);
  const frame = plainFrame(refs, middlewares);
  return {
    routes: router.routes,
    listen: async () => {
      if (frame) answer = await createDirectRoad({ app, access, router, otherwise, ...frame });
      return listen();
    },
    close,
  };
}

function createListener(server: Server, config: HttpConfig): Pick<HttpServer, "listen" | "close"> {
  const { host, port, closeTimeout = 10_000 } = config;
  let isClosing = false;
  server.on("request", (_request, response) => {
    response.once("close", () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
  return {
    listen: async () => {
      isClosing = false;
      await listenOn(server, host, port);
      return addressOf(server, host);
    },
    close: async () => {
      if (!server.listening) return;
      isClosing = true;
      await closeWithin(server, closeTimeout);
    },
  };
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      reject(new ListenError({ host, port, reason: cause.code ?? cause.message }, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/** Node ends idle connections when a server closes; one that becomes idle later is ended when its answer is out. */
function closeWithin(server: Server, limit: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), limit);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
