import { randomBytes } from "node:crypto";
import type { DatabaseConfig } from "@plinth/core";
import pg from "pg";
import { DatabaseOptionError } from "./errors.js";

/**
 * Where an app of a test keeps its data. `"memory"`: an embedded database of its own, which ends with the app.
 * `postgres://...`: a database of its own on that server, made at the start and dropped at the stop. A configuration:
 * that database as it is, and as it was left.
 */
export type TestDatabaseOption = "memory" | `postgres://${string}` | `postgresql://${string}` | DatabaseConfig;

/** A database and its end. */
export interface OpenedDatabase {
  readonly config: DatabaseConfig;
  remove(): Promise<void>;
}

/** Makes the database of a test. @throws PLINTH_TESTKIT_DATABASE_INVALID, and what the server says */
export async function openTestDatabase(option: TestDatabaseOption = "memory"): Promise<OpenedDatabase> {
  if (typeof option !== "string") return { config: option, remove: async () => undefined };
  if (option === "memory")
    return { config: { client: "pglite", directory: ":memory:" }, remove: async () => undefined };
  if (!/^postgres(ql)?:\/\//.test(option)) throw new DatabaseOptionError({ given: option });
  return await createOnServer(option);
}

async function createOnServer(url: string): Promise<OpenedDatabase> {
  const name = `plinth_test_${randomBytes(6).toString("hex")}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  await runOnServer(url, `create database ${name}`);
  return {
    config: { client: "postgres", connection: own.href },
    remove: () => runOnServer(url, `drop database if exists ${name} with (force)`),
  };
}

async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
