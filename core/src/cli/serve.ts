import { existsSync } from "node:fs";
import { relative } from "node:path";
import { setFlagsFromString } from "node:v8";
import { databaseConfigOf } from "../app/app-database.js";
import { onStart } from "../app/duty.js";
import type { AppSetup } from "../app/app-setup.js";
import { createPlinth, type PlinthApp, type StartOptions } from "../app/create-app.js";
import { type StartLine, transformStartLines } from "../app/start-lines.js";
import { pagesOf } from "../http/front-page.js";
import type { MatchedRoute } from "../http/route-description.js";
import type { App } from "../kernel/app.js";
import type { ContentType } from "../schema/model.js";
import type { RunningApp } from "./beside/running-app.js";
import type { CommandServer } from "./beside/serve-commands.js";
import { type CodeForm, loadSetup } from "./load-setup.js";
import { inheritedSocket } from "./inherited-socket.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { reportUncaught } from "./uncaught-errors.js";
import { print, secondsSince, withProgress } from "./terminal.js";

/** The part that a serving process has: alone, or as one of several. */
export interface ServeRole {
  /** What the app is started for. Default: to take requests. */
  readonly start?: StartOptions;
  /** What is special about the app; asked once the project is loaded. */
  place(setup: AppSetup): Promise<Pick<AppSetup, "socket" | "worker">>;
  /** Shows long work while it goes on. */
  progress<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** The app serves. @param text - what its start prints. */
  started(plinth: PlinthApp, text: string): Promise<void>;
  /** Gets SIGHUP. Default: it ends the process. */
  onHangup?(): void;
}

const ALONE: ServeRole = {
  place: async () => ({ socket: inheritedSocket(process.env, process.pid) }),
  progress: withProgress,
  started: async (_, text) => print(text),
};

/** Takes no requests: what a process does in the background is all that it does. */
export const WORKING: ServeRole = {
  start: { listen: false, works: true },
  place: async () => ({}),
  progress: withProgress,
  started: async (plinth) => {
    const { taps = [] } = plinth.report().hooks.find(({ name }) => name === onStart.name) ?? {};
    print(`working   ${taps.join(", ") || "on nothing: no plugin of the app works in the background"}`);
  },
};

/**
 * Starts the project in a folder, prints where it is, and stops it when the process is asked to end. While its sources
 * are developed, the types of its content-types are written as well.
 *
 * @throws what loading or starting throws
 */
export async function serve(root: string, form: CodeForm, role = ALONE): Promise<void> {
  // Before the project is loaded: the lines of a stack are then those of its sources.
  process.setSourceMapsEnabled(true);
  disablePretenuring();
  const since = performance.now();
  const setup = await loadSetup(root, form);
  const plinth = createPlinth({ ...setup, ...(await role.place(setup)) });
  const { log } = plinth.app;
  const leaveUncaught = reportUncaught((err) => log.error({ err }, err.message));
  let commands: CommandServer | undefined;
  const stop = async () => {
    await commands?.close();
    await plinth.stop();
    leaveUncaught();
  };
  const ending = stopOnSignal(stop, role);
  try {
    const url = await role.progress(describeWork(setup), () => plinth.start(role.start));
    commands = await serveBeside(setup, {
      ...{ by: role.start?.works ? "plinth work" : "plinth start", root, app: plinth.app },
      hold: (work) => work(),
      read: () => loadSetup(root, form),
    });
    if (form === "sources" && setup.environment === "development") {
      const { writeTypesForCompiler } = await import("./types/write-types.js");
      await writeTypesForCompiler({ setup, app: plinth.app });
    }
    const text = await describeStart({ setup, app: plinth.app, routes: plinth.routes(), url: url ?? "", since });
    await role.started(plinth, text);
  } catch (error) {
    // A start that was given up on request has not failed.
    if (ending.isWanted) return;
    leaveUncaught();
    ending.release();
    throw error;
  }
}

/** Lets others run commands in the app while it has the embedded database open; undefined with any other. */
export async function serveBeside(setup: AppSetup, running: RunningApp): Promise<CommandServer | undefined> {
  const config = databaseConfigOf(setup);
  if (config.client !== "pglite" || config.directory === ":memory:") return undefined;
  const { serveCommands } = await import("./beside/serve-commands.js");
  return await serveCommands(config.directory, running);
}

/** What takes the time of a start. Making the embedded database takes some seconds; a server may not answer. */
export function describeWork(setup: AppSetup): string {
  const config = databaseConfigOf(setup);
  if (config.client !== "pglite") return `starting on ${describeDatabase(setup)}`;
  return existsSync(config.directory)
    ? "starting"
    : "starting, and making the embedded database, which takes some seconds";
}

/** What is printed of a start. */
interface Start {
  readonly setup: AppSetup;
  readonly app: App;
  readonly routes: readonly MatchedRoute[];
  /** Such as `http://127.0.0.1:1337`. */
  readonly url: string;
  /** When it began, by performance.now(). */
  readonly since: number;
}

/** Where the server is, a request to try, its pages, what plugins add, the database in use, and how long the start took. */
export async function describeStart({ setup, app, routes, url, since }: Start): Promise<string> {
  const rest = `${url}${app.config.get("api.rest.prefix", "/api")}`;
  return [
    `REST      ${rest}`,
    `          ${describeTry(rest, [...app.model.contentTypes.values()])}`,
    ...pagesOf(routes).map(({ name, path }) => describeLine({ name, text: url + path })),
    ...(await app.hooks.waterfall(transformStartLines, [], { url })).map(describeLine),
    `database  ${describeDatabase(setup)}`,
    `started in ${secondsSince(since)}, ${process.env["NODE_ENV"]}`,
  ].join("\n");
}

const describeLine = ({ name, text }: StartLine): string => `${name.padEnd(9)} ${text}`;

function describeTry(rest: string, types: readonly ContentType[]): string {
  const own = types.filter(({ uid, kind }) => uid.startsWith("api::") && kind === "collectionType");
  const [type] = own.filter((candidate) => relationOf(candidate) !== undefined).concat(own);
  if (!type) return "no content-type yet: plinth generate content-type article --attributes title:string";
  const relation = relationOf(type);
  return `try: curl '${rest}/${type.pluralName}${relation === undefined ? "" : `?populate=${relation}`}'`;
}

function relationOf({ attributes }: ContentType): string | undefined {
  return [...attributes.values()].find(({ kind }) => kind === "relation")?.name;
}

/** Which database, never with a password: `PostgreSQL 127.0.0.1:5432/blog`. */
function describeDatabase(setup: AppSetup): string {
  const config = databaseConfigOf(setup);
  if (config.client === "pglite") {
    return config.directory === ":memory:"
      ? "embedded, in memory"
      : `embedded, in ${relative(setup.root, config.directory) || "."}`;
  }
  const { connection } = config;
  if (typeof connection !== "string")
    return `PostgreSQL ${connection.host ?? "localhost"}/${connection.database ?? ""}`;
  if (!URL.canParse(connection)) return "PostgreSQL";
  const { host, pathname } = new URL(connection);
  return `PostgreSQL ${host}${pathname}`;
}

/**
 * Makes V8 allocate every object young, which suits a server: the objects of a request are garbage after its answer.
 * Otherwise V8 allocates objects old at places whose objects once lived long, as during many writes.
 * Such an object keeps all that it leads to, the text of an answer too, until the whole heap is looked through. In the
 * benchmark every read left its text there: a page with relations took node 0.41 ms instead of 0.25, with a p99 of 23
 * instead of 17, and the GraphQL page 0.66 instead of 0.26, with a p99 of 24 instead of 11.
 *
 * It holds for the whole process, and for code that is compiled from now on: so the command sets it before it loads an
 * app. V8 promises nothing about its flags; test/core/cli/disable-pretenuring.test.ts fails on a version without this one.
 *
 * @source core/decisions/0011-young-objects.md, --allocation-site-pretenuring
 */
function disablePretenuring(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
