import { createHash, randomBytes } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import { citusUrl, createOnCluster, dropOnCluster, TENANT } from "./citus/cluster.js";
import { loadParser, refusedShapes } from "./citus/refused-shapes.js";
import type { DatabaseConfig } from "#core/database/driver/connect.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import type { PgliteConfig } from "#core/database/driver/config.js";
import type { Engine } from "#core/database/driver/engine.js";

/** Options that both databases take. */
type ConnectOptions = Omit<PgliteConfig, "client" | "directory">;

/** An empty database of one suite. */
export interface TestDatabase {
  readonly kind: Database["kind"];
  /** Settings for a connection of one's own, such as an app's. On PostgreSQL all connections see one database. */
  config(): DatabaseConfig;
  /** A connection that is closed after the suite. On PGlite every call makes a database of its own. */
  connect(options?: ConnectOptions): Promise<Database>;
}

/**
 * Defines a suite once for the embedded database, in memory, and once for PostgreSQL when TEST_DATABASE_URL names a
 * server. There the suite gets a new database, which is dropped afterwards.
 */
export function eachDatabase(define: (database: TestDatabase) => void): void {
  describe("on PGlite", () => define(embedded()));
  const url = process.env["TEST_DATABASE_URL"];
  if (url) describe("on PostgreSQL", () => define(onServer(url)));
}

/**
 * Defines a suite for one of the two in a run of all tests, and for each in a run of files: for what is the same on both, as all
 * above the documents is, because they share their SQL. With `TEST_DATABASES_TURN` (0, 1 or 2), a third of those that say no
 * database run on both all the same: CI takes the thirds in turns, and a nightly run has all on both.
 *
 * @param which - the one that some of its tests need; else `import.meta.url` of the test, whose name picks one. One in four has
 *   the embedded database, which each app computes for a second to open.
 */
export function eitherDatabase(
  which: TestDatabase["kind"] | URL["href"],
  define: (database: TestDatabase) => void,
): void {
  const url = process.env["TEST_DATABASE_URL"];
  if (!url || process.env["TEST_DATABASES"] !== "either" || hasTurn(which)) eachDatabase(define);
  else if ((isKind(which) ? which : pickFor(which)) === "pglite") describe("on PGlite", () => define(embedded()));
  else describe("on PostgreSQL", () => define(onServer(url)));
}

const THIRDS = 3;

const isKind = (which: string): which is TestDatabase["kind"] => which === "pglite" || which === "postgres";

const pickFor = (url: string): TestDatabase["kind"] => (numberOf(url) % 4 === 1 ? "pglite" : "postgres");

/** Whether the suite is of the third whose turn it is. */
function hasTurn(which: string): boolean {
  const turn = process.env["TEST_DATABASES_TURN"];
  return turn !== undefined && !isKind(which) && numberOf(which) % THIRDS === Number(turn);
}

/** The same for a test file at each run, wherever the repository is. */
function numberOf(url: string): number {
  const name = url.slice(url.lastIndexOf("/test/"));
  return createHash("sha256").update(name).digest().readUInt8();
}

/**
 * An empty database on the server that TEST_DATABASE_URL names, dropped after the suite; undefined without one. For suites
 * that start many processes and are not about the embedded database, which each process computes for seconds to open.
 */
export function serverDatabase(): TestDatabase | undefined {
  const url = process.env["TEST_DATABASE_URL"];
  return url ? onServer(url) : undefined;
}

/**
 * The same, which is taken for Citus: no triggers count, and no text may have several statements. The extension is not
 * there, so this shows what the app sends and not what Citus makes of it; with TEST_CITUS_URL the database is on a real one.
 */
export function citusDatabase(): TestDatabase | undefined {
  const url = process.env["TEST_DATABASE_URL"];
  return url ? onServer(url, "citus") : undefined;
}

/** Environment variables by which an app of the template takes a database; none: its own, embedded one. */
export function databaseVariables(database: TestDatabase | undefined): Readonly<Record<string, string>> {
  const config = database?.config();
  return config?.client === "postgres" ? { DATABASE_URL: String(config.connection) } : {};
}

/**
 * Milliseconds that work waits for a connection, and that a statement may take: as many as a test may. What an app refuses by
 * default, because it waited for 3 s, depends on the speed of the machine; tests of these limits set their own.
 */
const PATIENCE = 300_000;

/** The first database of a process takes seconds of computing; later ones are copies of it. */
let isWarm = false;

function embedded(): TestDatabase {
  const config = (): DatabaseConfig => ({
    client: "pglite",
    directory: ":memory:",
    acquireTimeout: PATIENCE,
    statementTimeout: PATIENCE,
  });
  before("make the first embedded database", async () => {
    if (isWarm) return;
    await (await connectDatabase(config())).close();
    isWarm = true;
  });
  return { kind: "pglite", config, connect: connector(config) };
}

function onServer(url: string, engine = process.env["TEST_ENGINE"] as Engine | undefined): TestDatabase {
  const name = `plinth_test_${randomBytes(6).toString("hex")}`;
  if (engine === "citus" && citusUrl !== undefined) return onCluster(citusUrl, name);
  if (engine === "citus") takeForCitus();
  const own = new URL(url);
  own.pathname = `/${name}`;
  const config = (): DatabaseConfig => ({
    client: "postgres",
    connection: own.href,
    pool: { acquireTimeout: PATIENCE },
    statementTimeout: PATIENCE,
    connectTimeout: PATIENCE,
    ...(engine === undefined ? {} : { engine }),
  });
  before(`create the database ${name}`, () => createOnServer(url, name));
  const connect = connector(config);
  after(`drop the database ${name}`, () => runOnServer(url, `drop database ${name} with (force)`));
  return { kind: "postgres", config, connect };
}

/** What the pg client sends: our own batches and single statements are made of it. */
interface SentQuery {
  readonly text: string;
  requiresPreparation(this: SentQuery): boolean;
}

/** The same on a real Citus. */
function onCluster(url: string, name: string): TestDatabase {
  const own = new URL(url);
  own.pathname = `/${name}`;
  const config = (): DatabaseConfig => ({
    client: "postgres",
    connection: own.href,
    schema: TENANT,
    pool: { acquireTimeout: PATIENCE },
    statementTimeout: PATIENCE,
    connectTimeout: PATIENCE,
  });
  before(`create the database ${name} on each server`, () => createOnCluster(url, name));
  const connect = connector(config);
  after(`drop the database ${name}`, () => dropOnCluster(url, name));
  return { kind: "postgres", config, connect };
}

/**
 * The extended protocol takes one statement in a text: until the suite ends, all of them go by it. In the end, those that
 * Citus refuses fail the suite.
 */
function takeForCitus(): void {
  const sent = new Set<string>();
  const query = (pg as unknown as { readonly Query: { readonly prototype: SentQuery } }).Query;
  const { requiresPreparation } = query.prototype;
  before("take one statement in a text", async () => {
    await loadParser();
    query.prototype.requiresPreparation = function () {
      sent.add(this.text);
      return true;
    };
  });
  after("take several again", () => {
    query.prototype.requiresPreparation = requiresPreparation;
  });
  after("look for statements that Citus refuses", () => {
    expect(sent.size, "statements that were seen").to.be.greaterThan(0);
    expect([...sent].flatMap((text) => refusedShapes(text).map((refusal) => ({ refusal, text })))).to.deep.equal([]);
  });
}

/** Connections that are closed when the suite ends. */
function connector(config: () => DatabaseConfig): TestDatabase["connect"] {
  const opened: Database[] = [];
  after("close the connections", () => Promise.all(opened.splice(0).map((db) => db.close())));
  return async (options) => {
    const db = await connectDatabase({ ...config(), ...options });
    opened.push(db);
    return db;
  };
}

/** The first version of PostgreSQL that can copy an empty database as files: 8 ms in place of 44. */
const COPIES_FILES = 150_000;

const createOnServer = (url: string, name: string): Promise<void> =>
  onConnection(url, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int as version");
    await client.query(`create database ${name}${rows[0].version < COPIES_FILES ? "" : " strategy file_copy"}`);
  });

const runOnServer = (url: string, sql: string): Promise<void> =>
  onConnection(url, async (client) => void (await client.query(sql)));

async function onConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
