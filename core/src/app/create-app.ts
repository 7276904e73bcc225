import { availableParallelism, hostname } from "node:os";
import type { Logger } from "pino";
import { parseAccessConfig } from "../access/access-config.js";
import { type Access, createAccess } from "../access/access.js";
import { createPasswords, type Passwords } from "../access/passwords/passwords.js";
import { parseOptions } from "../base/options/parse-options.js";
import { withoutStrapi } from "../base/strapi-code.js";
import { refuseStrapiMembers } from "../base/strapi-members.js";
import type { BackgroundIndexes } from "../database/sync/background-indexes.js";
import { hashOfModel } from "../database/sync/model-history.js";
import { beSeen } from "../database/sync/processes.js";
import { followTables } from "../database/sync/follow-tables.js";
import { type AppClock, type Clock, startClock } from "../database/clock.js";
import { type AppliedSync, undoSync } from "../database/sync/sync-database.js";
import { runsCodeInReads } from "../documents/hooks.js";
import { createLoader } from "../documents/load/create-loader.js";
import type { DocumentLoader } from "../documents/load/loaded-version.js";
import { type ReadBudget, readsConfig } from "../documents/params/read-budget.js";
import { createDocuments } from "../documents/service.js";
import type { DocumentsOf } from "../documents/typed/typed-documents.js";
import { admissionLimitsOf } from "../http/admission.js";
import { Health } from "../http/health.js";
import { OpenStreams } from "../http/open-streams.js";
import { createControllers, listRoutes } from "../http/parts.js";
import type { GlobalMiddlewareRef, OwnedRoute } from "../http/route.js";
import { createManagement, type Management } from "../http/management.js";
import { type ManagementEndpoint, ManagementEndpoints } from "../http/management-endpoints.js";
import { createHttpServer, type HttpServer } from "../http/server.js";
import type { App } from "../kernel/app.js";
import type { ConfigReader } from "../kernel/config.js";
import { Kernel } from "../kernel/kernel.js";
import type { KernelReport } from "../kernel/report.js";
import type { ContentModel, PluginTable } from "../schema/model.js";
import type { RawComponent, RawContentType } from "../schema/raw.js";
import { appMail } from "./app-mail.js";
import { appVersion } from "./app-version.js";
import { type AppDatabase, openDatabase } from "./app-database.js";
import type { AppSetup } from "./app-setup.js";
import { assertConfig } from "./check-config.js";
import { beforeSync, collectModel } from "./collect-model.js";
import { createCorePlugin } from "./core-plugin.js";
import { createLog } from "./create-log.js";
import { databaseChecks } from "./database-checks.js";
import { InvalidReadsConfigError } from "./errors.js";
import { assertPermissions, createPermissions, type Permissions } from "./permissions/permissions.js";
import { schemaCheck } from "./schema-check.js";
import { createSecrets } from "./secrets.js";
import type { Sources } from "./sources.js";
import { traceDatabase } from "./trace-database.js";
import { Duty } from "./duty.js";
import { readServerConfig } from "./server-config.js";
import type { MatchedRoute } from "../http/route-description.js";

declare module "../kernel/registries.js" {
  interface Registries {
    "content-type": Omit<RawContentType, "uid">;
    component: Omit<RawComponent, "uid">;
    /** By any name; tables are made in the order in which plugins start. */
    table: PluginTable;
  }
}

declare module "../kernel/app.js" {
  interface App {
    /** Folder of the project, which relative paths start from. */
    readonly root: string;
    /** `development`, `test`, `production` or another. */
    readonly environment: string;
    /** The files of the project, where they may be changed while it is served: in `plinth develop`; undefined elsewhere. */
    readonly sources: Sources | undefined;
    /** The content model; from the database synchronisation on. */
    readonly model: ContentModel;
    /** The database, and an Objection model per content-type; from bootstrap on. */
    readonly db: AppDatabase;
    /** The operations on a content-type: `app.documents("api::article.article")`; from bootstrap on. */
    readonly documents: DocumentsOf;
    /** The time of the database, which all processes of the app share; from bootstrap on. */
    readonly clock: Clock;
    /** Stores documents as they are, past every hook: for imports and restores; from bootstrap on. */
    readonly loader: DocumentLoader;
    /** What code grants to roles; from bootstrap on. */
    readonly permissions: Permissions;
    /** What clients may ask of one read, by configuration; from bootstrap on. Transports hand it to parseReadParams. */
    readonly readBudget: ReadBudget;
    /** What this process knows of itself; checks are added by `health.add`, at any time. */
    readonly health: Health;
    /** What the app says of itself to those who run it: `ask("/metrics")` is the answer of all its workers; from bootstrap on. */
    readonly management: ManagementEndpoints;
    /** Answers that stay open, such as server-sent events; those who open one add it. */
    readonly streams: OpenStreams;
    /** The HTTP server; once everything has started. */
    readonly http: HttpServer;
  }
}

/** What an app is started for. */
export interface StartOptions {
  /** Whether it takes requests. Default: true. */
  readonly listen?: boolean;
  /** Without `listen`: it does what is to be done in the background, and nothing else. Default: false, as for a command. */
  readonly works?: boolean;
}

/** An app and its life. Several can run in one process. */
export interface PlinthApp {
  readonly app: App;
  /**
   * Runs every phase; when one fails, what had started is stopped first, and the tables are as they were. Where that is
   * not possible, the log says what stays (PLINTH_SCHEMA_NOT_UNDONE).
   *
   * @returns the address it listens on, or undefined with `listen: false`
   */
  start(options?: StartOptions): Promise<string | undefined>;
  /**
   * The content model, without a database and without starting anything; the app cannot be started afterwards.
   *
   * @throws PLINTH_SCHEMA_INVALID, and what start throws before it connects
   */
  declareModel(): ContentModel;
  /**
   * Stops everything, last first; afterwards no connection, handle or listener is left.
   *
   * @param options - `hasFailed`: what came after the start failed, so the tables go back to what they were, as they do
   * when the start itself fails.
   */
  stop(options?: { readonly hasFailed?: boolean }): Promise<void>;
  report(): KernelReport;
  /** Every route; once it has started. */
  routes(): readonly MatchedRoute[];
  /** Where `server.management` listens; undefined where it does not. */
  management(): string | undefined;
}

/**
 * Assembles an app from its parts: the one place that knows all floors. Starting it declares and registers the
 * plugins, makes the content model, updates the tables to match it, bootstraps, and listens.
 *
 * @throws PLINTH_CONFIG_WRONG before anything is made
 */
export function createPlinth(setup: AppSetup): PlinthApp {
  assertConfig(setup.config);
  const log = setup.log ?? createLog(setup.config?.["log"]);
  const live: Partial<LiveParts> = {};
  let toDo: StartOptions = {};
  const kernel = new Kernel({
    plugins: [createCorePlugin(setup), ...setup.plugins],
    app: setup.app ?? {},
    config: setup.config ?? {},
    pluginConfig: setup.pluginConfigs ?? {},
    log: (err) => log.error({ err }, err.message),
    sync: { run: (app) => openContent(app, setup, live), stop: (app) => closeContent(app, live) },
    listen: {
      run: async (app) => {
        await makeServer(app, setup, live);
        await open(app, setup, live, toDo);
      },
      stop: async () => {
        await Promise.all([stopListening(setup, live), live.duty?.end()]);
      },
    },
  });
  const health = new Health();
  const endpoints = new ManagementEndpoints(() => (live.model ? endpointsOf(kernel.app) : []), setup.worker?.askAll);
  provideParts(kernel, { log, setup, health, live, endpoints });
  const management = setup.worker ? undefined : managementOf(kernel.app, endpoints);
  return {
    app: kernel.app,
    start: async (options = {}) => {
      toDo = options;
      if (options.listen !== false || options.works) live.management = await management?.listen();
      try {
        await kernel.start();
      } catch (error) {
        await management?.close();
        throw error;
      }
      live.hasStarted = true;
      return live.url;
    },
    declareModel: () => collectModel(kernel.declareOnly().app),
    stop: async ({ hasFailed = false } = {}) => {
      if (hasFailed) live.hasStarted = false;
      health.drain();
      await kernel.stop().finally(() => management?.close());
    },
    report: () => kernel.report(),
    routes: () => kernel.app.http.routes,
    management: () => live.management,
  };
}

interface LiveParts {
  model: ContentModel;
  permissions: Permissions;
  routes: readonly OwnedRoute[];
  db: AppDatabase;
  passwords: Passwords;
  documents: DocumentsOf;
  readBudget: ReadBudget;
  loader: DocumentLoader;
  clock: AppClock;
  /** Says that this process does not use the database any more. */
  leave: () => Promise<void>;
  /** Ends what keeps up with changes of the tables by other processes. */
  unfollow: () => void;
  http: HttpServer;
  duty: Duty;
  /** Where it listens, if it does. */
  url: string;
  /** Ends the spans of statements. */
  untrace: (() => void) | undefined;
  /** Those that are made after the start. */
  indexes: BackgroundIndexes;
  /** Where those who run the app ask for its health. */
  management: string | undefined;
  /** What the start changed in the tables. */
  sync: AppliedSync;
  hasStarted: boolean;
}

interface ProvidedParts {
  readonly log: Logger;
  readonly setup: AppSetup;
  readonly health: Health;
  readonly live: Partial<LiveParts>;
  readonly endpoints: ManagementEndpoints;
}

/** The kernel hands a part out from its phase on, and by then the step that makes it has run. */
function provideParts(kernel: Kernel, { log, setup, health, live, endpoints }: ProvidedParts): void {
  kernel.provide("log", () => log, "created");
  kernel.provide("root", () => setup.root, "created");
  kernel.provide("health", () => health, "created");
  const streams = new OpenStreams();
  kernel.provide("streams", () => streams, "created");
  kernel.provide("environment", () => setup.environment ?? "development", "created");
  kernel.provide("sources", () => setup.sources, "created");
  kernel.provide("secrets", () => createSecrets(setup), "register");
  kernel.provide("auth", () => accessOf(kernel.app), "register");
  kernel.provide("model", () => live.model as ContentModel, "bootstrap");
  kernel.provide("permissions", () => live.permissions as Permissions, "bootstrap");
  kernel.provide("db", () => refuseStrapiMembers(live.db as AppDatabase, "app.db"), "bootstrap");
  kernel.provide("mail", () => appMail(kernel.app), "bootstrap");
  kernel.provide("passwords", () => live.passwords as Passwords, "bootstrap");
  kernel.provide("documents", () => live.documents as DocumentsOf, "bootstrap");
  kernel.provide("readBudget", () => live.readBudget as ReadBudget, "bootstrap");
  kernel.provide("clock", () => live.clock as Clock, "bootstrap");
  kernel.provide("loader", () => live.loader as DocumentLoader, "bootstrap");
  kernel.provide("management", () => endpoints, "bootstrap");
  kernel.provide("http", () => live.http as HttpServer, "running");
}

/** Makes the content model, opens its database, and makes what reads and writes documents in it. */
async function openContent(app: App, setup: AppSetup, live: Partial<LiveParts>): Promise<void> {
  const model = collectModel(app);
  live.model = model;
  live.permissions = createPermissions(app, { model, routes: () => live.routes ?? [] });
  const { db, layout } = await openDatabase(setup, model, {
    log: app.log,
    opened: (database) => (live.db = database),
    beforeSync: (database) => app.hooks.series(beforeSync, { db: database, model }),
    applied: (sync) => (live.sync = sync),
    goesOn: (indexes) => (live.indexes = indexes),
  });
  live.clock = setup.clock ?? (await startClock(db, app.log));
  const passwords = createPasswords(passwordThreads(), setup.passwordRounds);
  const isNamed = (action: string) => live.permissions?.isNamed(action) ?? false;
  live.passwords = passwords;
  const budget = readBudgetOf(app.config);
  live.readBudget = budget;
  live.documents = createDocuments({
    db,
    layout,
    hooks: app.hooks,
    hashPassword: passwords.hash,
    isNamed,
    budget,
    clock: live.clock,
  });
  live.loader = createLoader({ db, layout, hooks: app.hooks });
  live.untrace = traceDatabase(db);
  for (const check of databaseChecks(db, live.clock)) app.health.add(check);
  app.health.add(schemaCheck(db, model, live.indexes));
  if (db.kind === "postgres") live.unfollow = followTables(db, layout, app.log);
}

async function closeContent({ log }: App, parts: Partial<LiveParts>): Promise<void> {
  const { db, clock, passwords, sync, hasStarted, unfollow, untrace, indexes, leave } = parts;
  unfollow?.();
  untrace?.();
  clock?.close?.();
  await Promise.all([indexes?.stop(), leave?.()]);
  if (db && sync && !hasStarted) await takeBack(db, sync, log);
  await passwords?.close();
  await db?.close();
}

async function makeServer(app: App, setup: AppSetup, live: Partial<LiveParts>): Promise<void> {
  live.routes = listRoutes(app.registry("route"), withoutStrapi({ app }));
  await assertPermissions(app, app.permissions);
  live.duty = new Duty(app);
  live.http = live.duty.around(createServer(app, setup, live.routes));
}

/** From then on `plinth processes` lists the process; the embedded database has one only. */
async function open(app: App, { root, worker }: AppSetup, live: Partial<LiveParts>, toDo: StartOptions): Promise<void> {
  const { listen = true, works = false } = toDo;
  const { db, model, http, duty } = live;
  if (listen && http) live.url = await http.listen();
  else if (works) duty?.begin("work");
  if (!(listen || works) || db?.kind !== "postgres" || !model) return;
  live.leave = beSeen(
    db,
    {
      host: worker ? `${hostname()} #${worker.number}` : hostname(),
      version: appVersion(root),
      model: hashOfModel(model),
    },
    app.log,
  );
}

async function stopListening({ worker }: AppSetup, { http }: Partial<LiveParts>): Promise<void> {
  await http?.close();
  await worker?.leave();
}

/** The caller gets the error of the start, so a change that stays is logged. */
async function takeBack(db: AppDatabase, sync: AppliedSync, log: Logger): Promise<void> {
  try {
    await undoSync(db, sync);
    log.warn(`The start failed; the ${sync.steps.length} changes that it had made to the tables are taken back`);
  } catch (err) {
    log.error({ err }, (err as Error).message);
  }
}

const MAX_PASSWORD_THREADS = 4;

/** Requests keep a processor core to themselves, where there are several. */
function passwordThreads(): number {
  return Math.min(Math.max(1, availableParallelism() - 1), MAX_PASSWORD_THREADS);
}

function accessOf(app: App): Access {
  return createAccess(parseAccessConfig(app.config.get("access")), [], { app, now: () => app.clock.now() });
}

function managementOf(app: App, endpoints: ManagementEndpoints): Management | undefined {
  const { host, management: port } = readServerConfig(app.config, app.environment);
  if (port === undefined) return undefined;
  const onError = (err: unknown): void => app.log.error({ err }, "A question on the management port failed");
  return createManagement({ host, port, health: app.health, ask: (path) => endpoints.ask(path), onError });
}

const endpointsOf = (app: App): readonly ManagementEndpoint[] =>
  [...app.registry("management").entries()].map(([, endpoint]) => endpoint);

function createServer(app: App, { socket }: AppSetup, routes: readonly OwnedRoute[]): HttpServer {
  for (const [, strategy] of app.registry("strategy").entries()) app.auth.register(strategy);
  const parts = {
    routes,
    controllers: createControllers(app.registry("controller"), withoutStrapi({ app })),
    policies: app.registry("policy"),
    middlewares: app.registry("middleware"),
  };
  const middlewares = app.config.get<readonly GlobalMiddlewareRef[]>("middlewares");
  const restPrefix = app.config.get<string>("api.rest.prefix");
  const server = readServerConfig(app.config, app.environment);
  const { db, health, streams } = app;
  const config = {
    ...server,
    limits: admissionLimitsOf(server.limits, db, app.environment),
    socket,
    ...(middlewares ? { middlewares } : {}),
    ...(restPrefix === undefined ? {} : { restPrefix }),
  };
  const refusal = () => db.refusal();
  const exempt = new Set(endpointsOf(app).map(({ path }) => path));
  const readsRunCode = runsCodeInReads(app.hooks, app.model.contentTypes.keys());
  const of = { app, access: app.auth, parts, replicas: db.replicas };
  return createHttpServer({ ...of, config, health, streams, refusal, exempt, readsRunCode });
}

/**
 * What clients may ask of one read: `reads` of config/api over the defaults, and `rest.nestedLimit`.
 *
 * @throws PLINTH_READS_INVALID_CONFIG (500) details `{ problems }`
 */
export function readBudgetOf(config: Pick<ConfigReader, "get">): ReadBudget {
  const reads = config.get("api.reads") ?? {};
  const nestedLimit = config.get("api.rest.nestedLimit");
  const given = nestedLimit === undefined || typeof reads !== "object" ? reads : { ...reads, nestedLimit };
  const { value, problems } = parseOptions(readsConfig, given, "api.reads");
  if (!problems) return Object.freeze(value);
  // It is written beside `maxLimit`, whose counterpart it is.
  const placeOf = (path: string) => path.replace("api.reads.nestedLimit", "api.rest.nestedLimit");
  throw new InvalidReadsConfigError({ problems: problems.map(({ path, message }) => `${placeOf(path)} ${message}`) });
}
