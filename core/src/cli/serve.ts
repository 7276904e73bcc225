import { existsSync } from "node:fs";
import { relative } from "node:path";
import { databaseConfigOf } from "../app/app-database.js";
import type { AppSetup } from "../app/app-setup.js";
import { createPlinth } from "../app/create-app.js";
import { pagesOf } from "../http/front-page.js";
import type { MatchedRoute } from "../http/matched-route.js";
import type { App } from "../kernel/app.js";
import type { ContentType } from "../schema/model.js";
import { disablePretenuring } from "./disable-pretenuring.js";
import { type CodeForm, loadSetup } from "./load-setup.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { print, secondsSince, withProgress } from "./terminal.js";

/**
 * Starts the project in a folder, prints where it is, and stops it when the process is asked to end. While its sources
 * are developed, the types of its content-types are written as well.
 *
 * @throws what loading or starting throws
 */
export async function serve(root: string, form: CodeForm): Promise<void> {
  // Before the project is loaded: the lines of a stack are then those of its sources.
  process.setSourceMapsEnabled(true);
  disablePretenuring();
  const since = performance.now();
  const setup = await loadSetup(root, form);
  const plinth = createPlinth(setup);
  const ending = stopOnSignal(() => plinth.stop());
  try {
    const url = await withProgress(describeWork(setup), () => plinth.start());
    if (form === "sources" && setup.environment === "development") {
      const { writeTypesForCompiler } = await import("./types/generate-types.js");
      await writeTypesForCompiler({ setup, app: plinth.app });
    }
    print(describeStart({ setup, app: plinth.app, routes: plinth.routes(), url: url ?? "", since }));
  } catch (error) {
    // A start that was given up on request has not failed.
    if (ending.isWanted) return;
    ending.release();
    throw error;
  }
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

/** Where the server is, a request to try, its pages, the database in use, and how long the start took. */
export function describeStart({ setup, app, routes, url, since }: Start): string {
  const rest = `${url}${app.config.get("api.rest.prefix", "/api")}`;
  return [
    `REST      ${rest}`,
    `          ${describeTry(rest, [...app.model.contentTypes.values()])}`,
    ...pagesOf(routes).map(({ name, path }) => `${name.padEnd(9)} ${url}${path}`),
    `database  ${describeDatabase(setup)}`,
    `started in ${secondsSince(since)}, ${process.env["NODE_ENV"]}`,
  ].join("\n");
}

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
