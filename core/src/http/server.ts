import { createServer, type Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import Koa from "koa";
import type { Access } from "../access/access.js";
import { findTracer } from "../base/tracing.js";
import { withoutStrapi } from "../base/strapi-code.js";
import { refuseStrapiMembers } from "../base/strapi-members.js";
import type { Database } from "../database/driver/database.js";
import type { Replicas } from "../database/driver/replicas.js";
import type { App } from "../kernel/app.js";
import type { PlinthError } from "../base/error.js";
import { addressOf, listenOn, type OpenSocket } from "./address.js";
import { Admission, type AdmissionLimits, type Load } from "./admission.js";
import { type ConnectionLimits, defaultConnectionLimits } from "./connection-limits.js";
import { Connections } from "./connections.js";
import { createFrontPage } from "./front-page.js";
import { Health } from "./health.js";
import { OpenStreams } from "./open-streams.js";
import { liveRoute, withHealthAnswers } from "./health-answers.js";
import { createGlobalMiddlewares } from "./global-middlewares.js";
import { findStaticMiddlewares } from "./static-headers.js";
import { observeRequests, traceRequests } from "./observed-requests.js";
import { CONSISTENCY, Consistency, positionMiddleware } from "./consistency.js";
import { createPlainRequests } from "./plain-requests.js";
import type { GlobalMiddlewareRef } from "./route.js";
import { createBuiltIns, defaultMiddlewares } from "./middlewares/built-in.js";
import type { HttpParts } from "./parts.js";
import { outerMiddleware } from "./answer-body.js";
import { createRouter, type Router } from "./router.js";
import type { MatchedRoute } from "./route-description.js";
import { AnswerRoom } from "./answer-room.js";

/** How a server listens and what surrounds its routes. */
export interface HttpConfig extends Partial<ConnectionLimits> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A socket that outlives the process, and is used instead. It serves one `listen`. */
  readonly socket?: OpenSocket | undefined;
  /** Before the paths of content-api routes; starts with a slash, or is empty. Default `/api`. */
  readonly restPrefix?: string;
  /** Default: every built-in middleware; see defaultMiddlewares. */
  readonly middlewares?: readonly GlobalMiddlewareRef[];
  /**
   * How many proxies in front are trusted for the client's address and protocol (X-Forwarded-*); true is one. Earlier
   * entries in X-Forwarded-For come from the client, and are ignored.
   */
  readonly proxy?: boolean | number;
  /** How long close still accepts connections, which end with their answers, in milliseconds. Default 0. */
  readonly drainDelay?: number;
  /** How long close waits for requests that are being answered, in milliseconds. Default 20,000. */
  readonly closeTimeout?: number;
  /** Most connections at once; others are closed by the system as soon as they are accepted. Default: no limit. */
  readonly maxConnections?: number | undefined;
  /** What the process takes on. Default: everything. */
  readonly limits?: AdmissionLimits;
}

/** What a server is made of. */
export interface HttpServerOptions {
  readonly app: App;
  readonly access: Access;
  readonly parts: HttpParts;
  readonly config: HttpConfig;
  /** Servers that may answer reads; default: none. */
  readonly replicas?: Replicas<Database> | undefined;
  /** Default: one without checks. */
  readonly health?: Health;
  /** Default: none are open. */
  readonly streams?: OpenStreams;
  /** Why the database has no room for one more request; asked for each. Default: there is room. */
  readonly refusal?: () => PlinthError | undefined;
  /** Paths whose GET requests `limits` never refuse: what those who run the app ask. Default: those of health only. */
  readonly exempt?: ReadonlySet<string>;
  /** Whether code of the app runs in reads, so that what it writes comes from the request that reads. Default: false. */
  readonly readsRunCode?: boolean;
}

/** How a server closes. */
export interface CloseOptions {
  /** Another server of this process uses the address next: it is free as soon as close is called. Default: false. */
  readonly handsOver?: boolean;
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
   * For a while, every answer ends its connection, and the process is not ready. Then stops to accept connections, ends those
   * that wait, lets requests finish, and after the time limit cuts off the rest. Does nothing when the server does not
   * listen.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Makes the server of an app: all its routes and middlewares are resolved and composed here, so that an unknown name
 * stops the start and not a request.
 *
 * @throws PLINTH_HTTP_INVALID_ROUTES, PLINTH_HTTP_INVALID_MIDDLEWARE (500)
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { app, access, parts, config, replicas, health = new Health(), streams = new OpenStreams() } = options;
  const tools = withoutStrapi({ app });
  const isTraced = findTracer() !== undefined;
  const outward = { report: () => ({ status: health.outward }) };
  const listener = withHealthAnswers(outward, { withDetails: false }, (request, response) =>
    admission.take(request, response),
  );
  const ended = () => admission.release();
  const connections = new Connections(app.log, { ...defaultConnectionLimits, ...config }, listener, ended);
  const { restPrefix = "/api", limits = NO_LIMITS } = config;
  const front = app.environment === "production" ? [] : [createFrontPage(restPrefix, () => router.routes)];
  const routes = [...parts.routes, liveRoute, ...front];
  const router: Router = createRouter({ parts: { ...parts, routes }, access, tools }, restPrefix);
  const koa = createKoa(config);
  const refs = config.middlewares ?? defaultMiddlewares;
  const middlewares = createGlobalMiddlewares(refs, {
    builtIns: createBuiltIns(router, { prototype: koa.request, isTraced }),
    middlewares: parts.middlewares,
    tools,
  });
  const consistency = replicas && new Consistency(replicas);
  if (consistency) Object.assign(koa.context, { [CONSISTENCY]: consistency });
  const room = new AnswerRoom(connections.limits.maxUnsent);
  const outer = [...(consistency ? [positionMiddleware(consistency)] : []), outerMiddleware(app, room)];
  for (const middleware of [...outer, ...middlewares]) koa.use(middleware as unknown as Koa.Middleware);
  koa.on("error", (err: unknown) => app.log.warn({ err }, "An answer could not be sent"));
  const fallback = koa.callback();
  const fixed = findStaticMiddlewares(refs, middlewares);
  const { readsRunCode = false } = options;
  const sources = { app, access, router, koa, consistency, room, isTraced, readsRunCode, fallback };
  const answerAny = fixed ? createPlainRequests({ ...sources, middlewares: fixed }) : fallback;
  const answer = traceRequests(observeRequests(app, answerAny), isTraced);
  const { refusal = () => undefined, exempt = new Set() } = options;
  const load = withoutStreams(connections, streams);
  const admission = new Admission({ app, limits, load, refusal, exempt, answer });
  health.add(admission.check);
  const server = createServer({ ...timeoutsOf(connections), connectionsCheckingInterval: 1000 });
  if (config.maxConnections !== undefined) server.maxConnections = config.maxConnections;
  connections.serve(server);
  return { routes: router.routes, ...createListener({ server, connections, admission, config, health, streams }) };
}

/** @param config - `proxy`: how many proxies are in front. */
function createKoa({ proxy }: Pick<HttpServerOptions["config"], "proxy">): Koa {
  const maxIpsCount = Number(proxy ?? 0);
  const koa = new Koa({ proxy: maxIpsCount > 0, maxIpsCount });
  refuseStrapiMembers(koa.context, "ctx");
  return koa;
}

const timeoutsOf = ({ limits: { headersTimeout, requestTimeout, keepAliveTimeout } }: Connections) => ({
  headersTimeout,
  requestTimeout,
  keepAliveTimeout,
});

/** A stream is open, and costs nothing while it is silent. */
function withoutStreams(connections: Connections, streams: OpenStreams): Load {
  return {
    get busy() {
      return connections.busy - streams.count;
    },
    get isStopping() {
      return connections.isStopping;
    },
    countWork: () => connections.countWork(),
  };
}

const NO_LIMITS: AdmissionLimits = { maxConcurrent: Number.MAX_SAFE_INTEGER, maxWaiting: 0, shed: false };

/** What listens and stops together. */
interface ListenerParts {
  readonly server: Server;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly config: HttpConfig;
  readonly health: Health;
  readonly streams: OpenStreams;
}

function createListener(parts: ListenerParts): Pick<HttpServer, "listen" | "close"> {
  const { server, connections, admission, health, streams } = parts;
  const { host, port, socket, drainDelay = 0, closeTimeout = 20_000 } = parts.config;
  return {
    listen: async () => {
      connections.watch();
      admission.watch();
      streams.begin();
      await listenOn(server, { host, port, socket });
      health.begin();
      return addressOf(server, host);
    },
    close: async ({ handsOver = false } = {}) => {
      if (!server.listening || connections.isStopping) return;
      connections.beginToStop();
      health.drain();
      streams.endAll();
      if (!handsOver && drainDelay > 0) await wait(drainDelay);
      const end = performance.now() + closeTimeout;
      if (!handsOver) await acceptWaiting(connections, end);
      await closeWithin(server, connections, end - performance.now());
      connections.unwatch();
      admission.unwatch();
    },
  };
}

/** Turns of the event loop without a new connection, after which none is waiting. */
const QUIET_TURNS = 4;
/** As many may have waited when it began, which is what node asks the system for; those who come later may always be more. */
const BACKLOG = 511;

/**
 * Accepts waiting connections, and reads what has arrived: the system resets those that were not accepted. In a turn of
 * the event loop one connection is accepted, and what it sent is read in the next.
 */
async function acceptWaiting(connections: Connections, end: number): Promise<void> {
  const last = connections.accepted + BACKLOG;
  const isOver = () => connections.accepted >= last || performance.now() > end;
  for (let quiet = 0; quiet < QUIET_TURNS && !isOver(); ) {
    const before = connections.accepted;
    await nextTurn();
    quiet = connections.accepted === before ? quiet + 1 : 0;
  }
}

/** Clients that connected last get this long to send a request, in milliseconds. */
const LAST_REQUEST = 500;

/** Node ends idle connections when a server closes; one that becomes idle later got `Connection: close`. */
function closeWithin(server: Server, connections: Connections, limit: number): Promise<void> {
  return new Promise((resolve) => {
    // After the reads of this turn: where the process was late, a request may have arrived long ago.
    const idle = setInterval(() => setImmediate(() => connections.endIdle()), LAST_REQUEST);
    const timer = setTimeout(() => server.closeAllConnections(), limit);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(timer);
      resolve();
    });
  });
}
