import type { Knex } from "knex";
import type { Client } from "pg";
import type { PlinthError } from "../../base/error.js";
import type { CountedTables } from "../layout/noted-changes.js";
import { assertStatement } from "./assert-statement.js";
import { runBatch, runStatement, ValueQuery, withBoundValues } from "./batch.js";
import { limitOf, runTimed } from "./timed-statement.js";
import { ChangeNotes } from "./change-notes.js";
import { createSchema } from "./create-schema.js";
import { type Engine, findEngine } from "./engine.js";
import type { PgliteConfig, PostgresConfig } from "./config.js";
import {
  type Database,
  type DatabaseLog,
  type Deferred,
  lockStatement,
  type Statement,
  type TransactionOptions,
} from "./database.js";
import { DatabaseUnreachableError, NoTransactionError } from "../errors.js";
import type { Driver } from "./driver.js";
import { isLostConnection, toCommitError, toDatabaseError } from "./driver-error.js";
import type { GuardedClient } from "./guarded-client.js";
import { acquireConnection, acquireFirst, type PoolState, poolState, releaseConnection } from "./knex-internals.js";
import type { ClientStatement } from "./pg-internals.js";
import { createMessages, type Messages } from "./messages.js";
import { runAfterCommit } from "./run-after-commit.js";
import { openEmbedded } from "./open-embedded.js";
import { openReplicas } from "./open-replicas.js";
import { openPostgres } from "./postgres.js";
import type { Replicas } from "./replicas.js";
import { isStaleName, PreparedStatements } from "./prepared-statements.js";
import { watchSlow } from "./watch-slow.js";
import { type HeldLock, SessionLocks } from "./session-locks.js";
import { SessionProof } from "./session-proof.js";
import { recurring, TransactionContext, type TransactionScope } from "./transactions.js";

/** Which database, and how to reach it. */
export type DatabaseConfig = PostgresConfig | PgliteConfig;

/**
 * Opens a database and checks that it answers.
 *
 * @param log - default: nothing is said.
 * @throws PLINTH_DATABASE_UNREACHABLE (503) details `{ where, reason }`
 * @throws PLINTH_DATABASE_LOCKED (503) another process has the embedded database open
 * @throws PLINTH_DATABASE_SESSION_DIFFERS (503) a pooler hands out sessions with other settings
 */
export async function connectDatabase(config: DatabaseConfig, log: DatabaseLog = silent): Promise<Database> {
  const db =
    config.client === "pglite"
      ? new PooledDatabase(watchSlow(await openEmbedded(config, log), "primary", config, log), log)
      : openServer(config, log);
  try {
    await db.open();
    // Sessions of the other engine have other settings, which a connection gets when it begins.
    if (config.client === "postgres" && config.engine === undefined) {
      const engine = await findEngine((text) => db.query({ text, values: [] }));
      if (engine !== db.engine) return await db.close().then(() => connectDatabase({ ...config, engine }, log));
    }
    if (config.schema !== undefined) await createSchema(db, config.schema);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

const silent: DatabaseLog = { warn: () => undefined };

function openServer(config: PostgresConfig, log: DatabaseLog): PooledDatabase {
  const driver = watchSlow(openPostgres(config), "primary", config, log);
  const poolOf = (own: Driver) => new PooledDatabase(watchSlow(own, "replica", config, log), log);
  const replicas = openReplicas<Database>(config, { driver, log, poolOf });
  return new PooledDatabase(driver, log, replicas);
}

/** A database over knex's pool. Statements of `query` go straight to the pg client, which knows named statements. */
class PooledDatabase implements Database {
  readonly messages: Messages;
  readonly #driver: Driver;
  readonly #context: TransactionContext;
  readonly #prepared: PreparedStatements;
  readonly #proof: SessionProof;
  readonly #notes: ChangeNotes | undefined;
  readonly #locks = new SessionLocks(this);
  #statementCount = 0;

  constructor(
    driver: Driver,
    private readonly log: DatabaseLog,
    readonly replicas: Replicas<Database> | undefined = undefined,
  ) {
    this.#driver = driver;
    const commit = replicas && ((connection: Client) => this.#commit(replicas, connection, [recurring("commit")]));
    this.#context = new TransactionContext(driver, () => this.#statementCount++, commit);
    this.#prepared = new PreparedStatements(driver.preparedStatements);
    this.#proof = new SessionProof(driver, log);
    this.messages = createMessages(this, driver.listener);
    this.#notes = driver.engine === "citus" ? new ChangeNotes() : undefined;
    driver.knex.on("query", ({ sql }: { readonly sql: string }) => {
      this.#statementCount++;
      const scope = this.#notes && this.#context.current;
      if (scope) this.#notes?.add(scope.connection, { text: sql });
    });
  }

  /** Checks that the database answers, with sessions as they have to be. */
  async open(): Promise<void> {
    try {
      await acquireConnection(this.#driver.knex).then((connection) => releaseConnection(this.#driver.knex, connection));
      await this.#proof.start();
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  get fault(): Database["fault"] {
    return this.#proof.fault;
  }

  async ping(text = "select 1"): Promise<void> {
    const { kind, knex } = this.#driver;
    if (kind === "pglite") return;
    try {
      const connection = await acquireFirst(knex);
      await connection.query(text).finally(() => releaseConnection(knex, connection));
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  connectDirect(): GuardedClient | undefined {
    return this.#driver.connectDirect?.();
  }

  get kind(): Database["kind"] {
    return this.#driver.kind;
  }

  get engine(): Engine {
    return this.#driver.engine;
  }

  noteChangesOf(tables: CountedTables): void {
    if (this.#notes) this.#notes.tables = tables;
  }

  get knex(): Knex {
    return this.#driver.knex;
  }

  get isInTransaction(): boolean {
    return this.#context.current !== undefined;
  }

  get sharesReads(): boolean {
    return this.#driver.sharesReads;
  }

  get connections(): number {
    return this.#driver.connections;
  }

  /** A replica may answer where the primary has no room: then only those are turned away who wait for the primary. */
  refusal(): PlinthError | undefined {
    const refusal = this.#driver.refusal();
    return refusal && (this.replicas?.usable ?? 0) === 0 ? refusal : undefined;
  }

  get pool(): PoolState {
    return poolState(this.#driver.knex);
  }

  get statementCount(): number {
    return this.#statementCount;
  }

  builder(): Knex | Knex.Transaction {
    return this.#context.current?.builder() ?? this.#driver.knex;
  }

  /** Wrong forms are thrown at once: the next call on what this returns would hide them. */
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    assertStatement(statement);
    return this.#query(statement);
  }

  async #query<Row extends object>(statement: Statement): Promise<Row[]> {
    const scope = this.#context.current;
    try {
      const bound = withBoundValues(statement);
      if (scope === undefined) this.#assertPrimary();
      if (scope === undefined) return (await this.#queryOutside(bound)) as Row[];
      const [rows] = await this.#queryIn(scope, [bound], false);
      return rows as Row[];
    } catch (error) {
      throw toDatabaseError(error, this.#driver, statement.isPlan);
    }
  }

  async queryAll(
    statements: readonly Statement[],
    { ends = false }: { readonly ends?: boolean } = {},
  ): Promise<object[][]> {
    for (const statement of statements) assertStatement(statement);
    const scope = this.#context.current;
    if (statements.length === 0 && !ends && !scope?.hasDeferred) return [];
    if (scope === undefined) return await this.transaction(() => this.queryAll(statements, { ends: true }));
    try {
      return await this.#queryIn(scope, statements.map(withBoundValues), ends);
    } catch (error) {
      throw toDatabaseError(
        error,
        this.#driver,
        statements.every(({ isPlan }) => isPlan),
      );
    }
  }

  async transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T> {
    if (this.#proof.fault) throw this.#proof.fault;
    if (!this.isInTransaction) this.#assertPrimary();
    try {
      return await this.#context.run(async () => {
        const scope = this.#context.current as TransactionScope;
        const result = await work();
        await this.#sendRest(scope);
        return result;
      }, options);
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  /** What was put off, and, where changes are noted, notes: with the commit. A statement that failed is found at the commit. */
  async #sendRest(scope: TransactionScope): Promise<void> {
    if (scope.hasEnded || !(scope.hasDeferred || this.#notes)) return;
    await Promise.all([scope.lastInner, scope.lastStatement]);
    const ends = !scope.outer && !scope.hasFailed;
    if (scope.hasDeferred || (ends && this.#notes?.has(scope.connection))) await this.#queryIn(scope, [], ends);
  }

  defer(statement: Statement): Deferred {
    return this.#openScope("db.defer").defer(statement);
  }

  async hold(name: string): Promise<HeldLock | undefined> {
    try {
      return await this.#locks.hold(name);
    } catch (error) {
      throw toDatabaseError(error, this.#driver);
    }
  }

  async lock(...names: readonly string[]): Promise<void> {
    this.#openScope("db.lock");
    await this.query(lockStatement(names));
  }

  /** Without a primary no statement waits for one. @throws PLINTH_DATABASE_UNREACHABLE (503) */
  #assertPrimary(): void {
    if (this.replicas?.isAlone)
      throw new DatabaseUnreachableError({ where: this.#driver.where, reason: "there is no primary at the moment" });
  }

  #openScope(what: string): TransactionScope {
    const scope = this.#context.current;
    if (scope === undefined) throw new NoTransactionError({ what });
    return scope;
  }

  async liftTimeLimits(): Promise<void> {
    const scope = this.#context.current;
    const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
    await this.query({ text: "select set_config(name, '0', true) from unnest($1::text[]) name", values: [names] });
    if (scope) (scope.connection as GuardedClient).isUnlimited = true;
  }

  afterCommit(task: () => void): void {
    this.#context.afterCommit(() => runAfterCommit(task, this.log));
  }

  async close(): Promise<void> {
    this.#proof.close();
    await this.#locks.close();
    await this.replicas?.close();
    await this.#driver.close();
  }

  /** The connection of a read is replaced once: the pool may hold several that broke with a server, and they go together. */
  async #queryOutside(statement: Statement): Promise<object[]> {
    if (this.#notes?.isWrite(statement)) return (await this.queryAll([statement]))[0] as object[];
    try {
      return await this.#queryOnPool(statement);
    } catch (error) {
      if (!statement.isRead || !isLostConnection(error)) throw error;
      return await this.#queryOnPool(statement);
    }
  }

  async #queryOnPool(statement: Statement): Promise<object[]> {
    const { knex } = this.#driver;
    if (this.#proof.fault) throw this.#proof.fault;
    const connection = await acquireConnection(knex);
    try {
      const named = this.#named(connection, statement, true);
      if (!statement.isUpkeep) this.#statementCount += 1;
      const query = named instanceof Promise ? await named : named;
      if (statement.time !== undefined)
        return await runTimed(connection, query, limitOf(statement.time, this.#driver.statementTimeout));
      return await runStatement(connection, query);
    } catch (error) {
      if (!isStaleName(error) || !statement.isPlan) throw error;
      this.#forgetNames(connection, error);
    } finally {
      void releaseConnection(knex, connection);
    }
    return await this.#queryOnPool({ ...statement, isPlan: false });
  }

  /** What begins the transaction goes along with its first statement, what was put off with the next one; what ends it, with the last ones. */
  #queryIn(scope: TransactionScope, statements: readonly Statement[], ends: boolean): Promise<object[][]> {
    const rows = scope.lastStatement.then(async () => {
      const leading = scope.takeLeading();
      const notes = this.#notesOf(scope, [...leading, ...statements], ends);
      const all = [...leading, ...statements, ...notes, ...(ends ? [recurring(scope.closing)] : [])];
      const named: ClientStatement[] = [];
      for (const statement of all) named.push(await this.#named(scope.connection, statement, false));
      if (ends) scope.isOpen = false;
      const commits = ends && scope.outer === undefined;
      const sent =
        commits && this.replicas
          ? this.#commit(this.replicas, scope.connection, named)
          : this.#send(scope.connection, named);
      const results = await sent.catch((error: unknown) => {
        throw commits ? toCommitError(error, this.#driver.where) : error;
      });
      scope.hasEnded = ends;
      return results.slice(leading.length, leading.length + statements.length);
    });
    scope.lastStatement = rows.catch((error) => {
      scope.hasFailed = true;
      if (isStaleName(error)) this.#forgetNames(scope.connection, error);
    });
    return rows;
  }

  #notesOf(scope: TransactionScope, statements: readonly Statement[], ends: boolean): readonly Statement[] {
    if (!this.#notes) return [];
    for (const statement of statements) this.#notes.add(scope.connection, statement);
    return ends && !scope.outer ? this.#notes.take(scope.connection) : [];
  }

  #forgetNames(connection: Client, error: unknown): void {
    if (!this.#prepared.forget(connection, error)) return;
    this.log.warn(
      { err: error },
      `Prepared statements are off: a pooler gives one session to several clients. Set pooler: "transaction", or preparedStatements: false, in config/database`,
    );
  }

  /** A promise only where a name has to be deallocated first: every statement passes here. */
  #named(
    connection: Client,
    { text, values, isPlan, isRead, failsAs }: Statement,
    isAlone: boolean,
  ): ClientStatement | Promise<ClientStatement> {
    const name = isPlan ? this.#prepared.nameOf(connection, text, isAlone) : undefined;
    if (name === undefined) return { text, values, isRead, failsAs };
    if (typeof name === "string") return { text, values, name, isRead, failsAs };
    return name.then((given) => ({ text, values, name: given, isRead, failsAs }));
  }

  /** Ends a transaction. Where it ended comes with the answer, without a round trip. */
  #commit(
    replicas: Replicas<Database>,
    connection: Client,
    statements: readonly ClientStatement[],
  ): Promise<object[][]> {
    this.#statementCount += statements.length;
    const { commitText } = replicas;
    if (commitText === undefined) {
      replicas.wrote(undefined);
      return runBatch(connection, statements);
    }
    const name = this.#prepared.nameOf(connection, commitText, false) as string | undefined;
    return runBatch(connection, statements, new ValueQuery(commitText, name, replicas.wrote));
  }

  async #send(connection: Client, statements: readonly ClientStatement[]): Promise<object[][]> {
    this.#statementCount += statements.length;
    if (statements.length > 1) return await runBatch(connection, statements);
    const results: object[][] = [];
    for (const statement of statements) results.push(await runStatement(connection, statement));
    return results;
  }
}
