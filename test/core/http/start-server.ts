import { pino } from "pino";
import { createAccess } from "#core/access/access.js";
import { type AccessConfig, parseAccessConfig } from "#core/access/access-config.js";
import type { GlobalMiddlewareRef, Route } from "#core/http/route.js";
import { createHttpServer, type HttpConfig, type HttpServer, type HttpServerOptions } from "#core/http/server.js";
import type { Controller, MiddlewareFactory, Policy } from "#core/http/types.js";
import type { App } from "#core/kernel/app.js";
import { Registry } from "#core/kernel/registry.js";

/** What a test declares; routes belong to `api::article` unless their key is another owner's. */
export interface ServerParts {
  readonly routes?: readonly Route[] | Readonly<Record<string, readonly Route[]>>;
  readonly controllers?: Readonly<Record<string, Controller>>;
  readonly policies?: Readonly<Record<string, Policy>>;
  readonly middlewares?: Readonly<Record<string, MiddlewareFactory>>;
  readonly globals?: readonly GlobalMiddlewareRef[];
  readonly access?: Partial<AccessConfig>;
  /** Beside the address. */
  readonly config?: Partial<HttpConfig>;
  /** Of the database; default: it has room. */
  readonly refusal?: HttpServerOptions["refusal"];
}

/** One line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

/** A server that can be asked. */
export interface TestServer {
  readonly server: HttpServer;
  readonly url: string;
  readonly log: readonly LogLine[];
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** A server on a free port of this machine, not listening yet. */
export function buildServer(parts: ServerParts): { readonly server: HttpServer; readonly log: LogLine[] } {
  const log: LogLine[] = [];
  const write = (line: string) => void log.push(JSON.parse(line));
  // Only the log of an app is needed below the floor that assembles one.
  const app = { log: pino({ level: "info" }, { write }), hooks: { has: () => false } } as unknown as App;
  const { routes = [], controllers = {}, policies = {}, middlewares = {}, globals, config } = parts;
  const byOwner = Array.isArray(routes) ? { "api::article": routes as readonly Route[] } : routes;
  const server = createHttpServer({
    app,
    access: createAccess(parseAccessConfig(parts.access)),
    parts: {
      routes: Object.entries(byOwner).flatMap(([owner, list]) => list.map((route: Route) => ({ owner, route }))),
      controllers: fill("controller", controllers),
      policies: fill("policy", policies),
      middlewares: fill("middleware", middlewares),
    },
    config: {
      host: "127.0.0.1",
      port: 0,
      ...(globals ? { middlewares: globals } : {}),
      ...config,
    },
    ...(parts.refusal ? { refusal: parts.refusal } : {}),
  });
  return { server, log };
}

/** The same, listening. */
export async function startServer(parts: ServerParts): Promise<TestServer> {
  const { server, log } = buildServer(parts);
  const url = await server.listen();
  started.push(server);
  return { server, url, log, request: (path, init) => fetch(url + path, init) };
}

const started: HttpServer[] = [];

/** Ends every server that startServer started. */
export async function stopServers(): Promise<void> {
  for (const server of started.splice(0)) await server.close();
}

/** A route that anybody may call. */
export function openRoute(method: Route["method"], path: Route["path"], handler: Route["handler"]): Route {
  return { method, path, handler, config: { auth: false } };
}

function fill<V>(label: string, values: Readonly<Record<string, V>>): Registry<V> {
  const registry = new Registry<V>(label);
  for (const [uid, value] of Object.entries(values)) registry.add(uid, value, "app");
  registry.seal();
  return registry;
}
