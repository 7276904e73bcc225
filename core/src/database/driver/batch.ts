import pg from "pg";
import type { Statement } from "./database.js";
import type { Client, Connection } from "pg";
import { channels } from "../../base/telemetry.js";
import { countRows, noteTime, observeStatements } from "./observed-statements.js";
import {
  type ClientStatement,
  type ConnectionInternals,
  createQuery,
  internalsOf,
  prepareValue,
  type QueryInternals,
} from "./pg-internals.js";

/**
 * Stands for the connection while statements write their messages. An object of its own, once for all: one made from the
 * connection for every batch would make that a prototype, and slow permanently.
 */
class BufferingConnection extends pg.Connection {
  readonly #messages: Buffer[];

  constructor() {
    const messages: Buffer[] = [];
    super({ stream: { writable: true, write: (message: Buffer) => messages.push(message) } } as object);
    this.#messages = messages;
  }

  override sync(): void {
    // The statements of a batch have one synchronisation, which is sent after all of them.
  }

  /** What some statements send, up to the first that cannot be sent; `failed` gets the error. */
  bufferMessages(
    connection: ConnectionInternals,
    queries: readonly BatchedQuery[],
    failed: (error: Error) => void,
  ): Buffer[] {
    const { parsedStatements, submittedNamedStatements } = connection;
    Object.assign(internalsOf(this), { parsedStatements, submittedNamedStatements });
    try {
      for (const query of queries) {
        const refusal = query.submit(this);
        if (refusal) throw refusal;
      }
    } catch (error) {
      failed(error as Error);
    }
    return this.#messages.splice(0);
  }
}

const buffering = new BufferingConnection();

/**
 * The message that asks the server to answer.
 *
 * @source https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

/** Sends a statement. @returns its rows. */
export function runStatement(client: Client, statement: ClientStatement): Promise<object[]> {
  if (!channels.db.hasListeners) return sendStatement(client, statement, performance.now());
  return observeStatements(client, [statement], () => sendStatement(client, statement));
}

/** @param startedAt - given where no channel has a listener: the time is noted here. */
function sendStatement(client: Client, statement: ClientStatement, startedAt?: number): Promise<object[]> {
  return new Promise((done, fail) => {
    const callback: QueryInternals["callback"] = (error, result) => {
      const rows = result?.rows ?? [];
      if (startedAt !== undefined) noteTime(client, statement, startedAt, rows.length);
      if (error) fail(failureOf(statement, error));
      else done(rows);
    };
    const query = createQuery(client, statement);
    query.callback = callback;
    client.query(query as unknown as pg.Submittable);
  });
}

/**
 * Sends several statements at once and waits once: one after the other, in one round trip. The first that fails ends
 * them all. Only inside a transaction: what ran before the failure is there to be rolled back.
 *
 * @param last - follows a commit, and is none of those whose rows are returned.
 * @returns the rows of each.
 */
export function runBatch(
  client: Client,
  statements: readonly ClientStatement[],
  last?: ValueQuery,
): Promise<object[][]> {
  if (!channels.db.hasListeners) return sendBatch(client, statements, last, performance.now());
  return observeStatements(client, statements, () => sendBatch(client, statements, last));
}

function sendBatch(
  client: Client,
  statements: readonly ClientStatement[],
  last?: ValueQuery,
  startedAt?: number,
): Promise<object[][]> {
  return new Promise((resolve, reject) => {
    const note = (rows: readonly object[][]): void => {
      if (startedAt !== undefined) noteTime(client, statements, startedAt, countRows(rows));
    };
    const done = (rows: object[][]): void => {
      note(rows);
      resolve(rows);
    };
    const fail = (error: Error, at: number): void => {
      note([]);
      reject(failureOf(statements[at], error));
    };
    const queries = statements.map((statement) => createQuery(client, statement));
    for (const query of queries) query.queryMode = "extended";
    client.query(new Batch(queries, last, done, fail) as unknown as pg.Submittable);
  });
}

/** SQLSTATE of a division by zero. @source https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DIVISION_BY_ZERO = "22012";

/** What the caller gets for a statement that failed: where it is a check, what the check says. */
export const failureOf = (statement: Pick<ClientStatement, "failsAs"> | undefined, error: Error): Error =>
  statement?.failsAs && (error as { readonly code?: unknown }).code === DIVISION_BY_ZERO
    ? statement.failsAs(error)
    : error;

/** What a batch needs of its statements. */
type BatchedQuery = Pick<
  QueryInternals,
  | "text"
  | "name"
  | "submit"
  | "handleRowDescription"
  | "handleDataRow"
  | "handleCommandComplete"
  | "handleReadyForQuery"
>;

const NO_VALUES = { values: [] };
const nothing = (): void => undefined;

/**
 * A statement after a commit, which reports one value. It is not the client's query: without a description
 * of its row and a result to put it into it costs next to nothing. It cannot fail the batch: what came before it is
 * committed.
 */
export class ValueQuery implements BatchedQuery {
  /** @param told - undefined: it failed. */
  constructor(
    readonly text: string,
    readonly name: string | undefined,
    readonly told: (value: string | undefined) => void,
  ) {}

  submit(connection: Connection): null {
    const { text, name = "" } = this;
    const { parsedStatements, submittedNamedStatements } = internalsOf(connection);
    if (name === "" || !(name in parsedStatements || name in submittedNamedStatements)) {
      connection.parse({ text, name, types: [] }, true);
      if (name !== "") submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, ...NO_VALUES }, true);
    connection.execute(null, true);
    return null;
  }

  handleDataRow(message: unknown): void {
    this.told((message as { readonly fields: readonly (string | null)[] }).fields[0] ?? undefined);
  }

  // It is not described, and has no result.
  readonly handleRowDescription = nothing;
  readonly handleCommandComplete = nothing;
  readonly handleReadyForQuery = nothing;
}

/**
 * Goes through the client as one query: the statements of it without the synchronisation after each, so that the server
 * answers when it has done them all.
 *
 * @source https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
class Batch {
  readonly #rows: object[][] = [];
  /** Whose answer is coming. */
  #at = 0;
  #failure: Error | undefined;

  private readonly queries: readonly BatchedQuery[];

  constructor(
    queries: readonly QueryInternals[],
    private readonly last: ValueQuery | undefined,
    private readonly done: (rows: object[][]) => void,
    /** Gets the place of the statement that failed. */
    private readonly fail: (error: Error, at: number) => void,
  ) {
    this.queries = last ? [...queries, last] : queries;
    // Not made where it is given away: V8 makes a function old that is assigned to a property, with all that it leads to.
    const callback: QueryInternals["callback"] = (error, result) => {
      if (error) this.#failure ??= error;
      else this.#rows.push(result?.rows ?? []);
    };
    for (const query of queries) query.callback = callback;
  }

  /** The client notes what is prepared by the name and text of its query. */
  get name(): string | undefined {
    return this.queries[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.#at]?.text;
  }

  submit(connection: Connection): null {
    const state = internalsOf(connection);
    const messages = buffering.bufferMessages(state, this.queries, (error) => {
      this.#failure ??= error;
    });
    if (state.stream.writable) state.stream.write(Buffer.concat([...messages, SYNC]));
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.#at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.#at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.queries[this.#at]?.handleCommandComplete(message, connection);
    this.#endOne(connection);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#endOne(connection);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.fail(this.#failure, this.#at);
    else this.done(this.#rows);
  }

  /** What follows was sent and is not looked at by the server: it is not prepared. */
  handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements } = internalsOf(connection);
    for (const { name } of this.queries.slice(this.#at)) if (name !== undefined) delete submittedNamedStatements[name];
    if (!this.#failure && this.last && this.queries[this.#at] === this.last) {
      this.last.told(undefined);
      this.done(this.#rows);
    } else this.fail(this.#failure ?? error, this.#at);
  }

  #endOne(connection: Connection): void {
    this.queries[this.#at]?.handleReadyForQuery(connection);
    this.#at += 1;
  }
}

/**
 * The statement with its values as they are sent. Done before anything is: a value that cannot be sent is found when the
 * client has named and parsed its statement and sent those before it, and what a connection has prepared and what
 * we believe of it are then two things.
 *
 * @throws what writing the value throws, as a circular object does.
 */
export function withBoundValues(statement: Statement): Statement {
  return { ...statement, values: statement.values.map(prepareValue) };
}
