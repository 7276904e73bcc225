import type { Knex } from "knex";
import type { Client } from "pg";
import { identifier } from "./compiler/sql.js";
import type { Database, Statement, TransactionOptions } from "./database.js";
import type { Driver } from "./driver.js";
import { toDatabaseError } from "./driver-error.js";
import { createMessages, type Messages } from "./messages.js";
import { openPglite, type PgliteConfig } from "./pglite.js";
import { openPostgres, type PostgresConfig } from "./postgres.js";
import { PreparedStatements } from "./prepared-statements.js";
import { TransactionContext, type TransactionScope } from "./transaction-context.js";

/** Which database, and how to reach it. */
export type DatabaseConfig = PostgresConfig | PgliteConfig;

/**
 * Opens a database and proves that it answers.
 *
 * @throws PLINTH_DATABASE_UNREACHABLE (503) details `{ where, reason }`
 * @throws PLINTH_DATABASE_LOCKED (503) another process has the embedded database open
 */
export async function connectDatabase(config: DatabaseConfig): Promise<Database> {
  const driver = config.client === "pglite" ? await openPglite(config) : openPostgres(config);
  const db = new PooledDatabase(driver);
  try {
    if (config.schema === undefined) await db.query({ text: "select 1", values: [] });
    else await createSchema(db, config.schema);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** `if not exists` does not help against a process that makes it at the same moment: one of the two would fail. */
function createSchema(db: Database, schema: string): Promise<void> {
  return db.transaction(async () => {
    await db.query({
      text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [`plinth schema ${schema}`],
    });
    await db.query({ text: `create schema if not exists ${identifier(schema)}`, values: [] });
  });
}

/** A database over knex's pool. Statements of `query` go straight to the pg client, which knows named statements. */
class PooledDatabase implements Database {
  readonly messages: Messages;
  readonly #driver: Driver;
  readonly #context: TransactionContext;
  readonly #prepared: PreparedStatements;
  #statementCount = 0;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#context = new TransactionContext(driver.knex);
    this.#prepared = new PreparedStatements(driver.preparedStatements);
    this.messages = createMessages(this, driver.listener);
    driver.knex.on("query", () => this.#statementCount++);
  }

  get kind(): Database["kind"] {
    return this.#driver.kind;
  }

  get knex(): Knex {
    return this.#driver.knex;
  }

  get isInTransaction(): boolean {
    return this.#context.current !== undefined;
  }

  get statementCount(): number {
    return this.#statementCount;
  }

  builder(): Knex | Knex.Transaction {
    return this.#context.current?.trx ?? this.#driver.knex;
  }

  async query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    const scope = this.#context.current;
    try {
      const rows = await (scope ? this.#queryIn(scope, statement) : this.#queryOnPool(statement));
      return rows as Row[];
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  async transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T> {
    try {
      return await this.#context.run(work, options);
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  afterCommit(task: () => void): void {
    this.#context.afterCommit(task);
  }

  async close(): Promise<void> {
    await this.#driver.close();
  }

  async #queryOnPool(statement: Statement): Promise<object[]> {
    const { client } = this.#driver.knex;
    const connection = (await client.acquireConnection()) as Client;
    try {
      return await this.#run(connection, statement, true);
    } finally {
      client.releaseConnection(connection);
    }
  }

  #queryIn(scope: TransactionScope, statement: Statement): Promise<object[]> {
    const rows = scope.lastStatement.then(() => this.#run(scope.connection, statement, false));
    scope.lastStatement = rows.catch(() => {
      scope.hasFailed = true;
    });
    return rows;
  }

  async #run(connection: Client, { text, values, isPlan }: Statement, isAlone: boolean): Promise<object[]> {
    const name = isPlan ? await this.#prepared.nameOf(connection, text, isAlone) : undefined;
    this.#statementCount++;
    const statement = { text, values: values as unknown[] };
    const result = await connection.query<object>(name === undefined ? statement : { ...statement, name });
    return result.rows;
  }
}
