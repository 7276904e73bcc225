import { relative } from "node:path";
import type { App } from "../kernel/app.js";
import { pagesOf } from "../http/front-page.js";
import type { MatchedRoute } from "../http/matched-route.js";
import type { ContentType } from "../schema/model.js";
import { databaseConfigOf } from "../app/app-database.js";
import type { AppSetup } from "../app/app-setup.js";
import { secondsSince } from "./terminal.js";

/** What is told of a start. */
export interface Start {
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
export function describeDatabase(setup: AppSetup): string {
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
