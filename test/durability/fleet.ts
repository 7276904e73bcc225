import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AppSetup, connectDatabase, type DatabaseConfig, loadProject } from "@plinth/core";
import { pino } from "pino";
import type { TestDatabase } from "../databases.js";
import { CHEAP_ROUNDS } from "../projects.js";

const ROOT = fileURLToPath(new URL("../apps/fleet", import.meta.url));

/** The fleet app on a database, listening on a free port. */
export async function loadFleet(database: DatabaseConfig): Promise<AppSetup> {
  const setup = await loadProject({ root: ROOT, code: ROOT }, { variables: {}, environment: "test" });
  const config = { ...setup.config, database, server: { host: "127.0.0.1", port: 0 } };
  return { ...setup, config, passwordRounds: CHEAP_ROUNDS, log: pino({ level: "silent" }) };
}

/** A database that outlives its connections: on PGlite a directory, which is removed after the suite. */
export function lastingConfig(database: TestDatabase): DatabaseConfig {
  if (database.kind === "postgres") return database.config();
  const directory = mkdtempSync(join(tmpdir(), "plinth-fleet-"));
  before("copy an empty cluster", async () => {
    emptyCluster ??= createCluster();
    cpSync(await emptyCluster, directory, { recursive: true });
  });
  after("remove the data directory", () => rmSync(directory, { recursive: true, force: true }));
  return { client: "pglite", directory };
}

/** Making a cluster takes seconds, so it is made once. */
let emptyCluster: Promise<string> | undefined;

async function createCluster(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "plinth-cluster-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  await (await connectDatabase({ client: "pglite", directory })).close();
  return directory;
}

/** An answer of the REST API. */
export interface Answer {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly error?: { readonly name: string; readonly message: string } };
}

/** Sends a request, such as `send(url, "POST", "/api/cars", { plate: "B 1" })`. Rejects when the server is gone. */
export async function send(url: string, method: string, path: string, data?: object): Promise<Answer> {
  const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
  const response = await fetch(`${url}${path}`, { method, headers: { "content-type": "application/json" }, ...body });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Answer["body"]) };
}

/** A document as REST shows it. */
export type Entry = { readonly id: number; readonly documentId: string } & Readonly<Record<string, unknown>>;

/** What was asked for; fails on anything but success. */
export async function fetchData<T = Entry>(...request: Parameters<typeof send>): Promise<T> {
  const { status, body } = await send(...request);
  if (status >= 300) throw new Error(`${request.slice(1, 3).join(" ")}: ${status} ${JSON.stringify(body)}`);
  return body.data as T;
}
