import type { Duplex } from "node:stream";
import pg from "pg";
import type { Client, Connection } from "pg";

/** What the parser of messages needs from a stream. */
export interface Listenable {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

/** Members of a connection of pg that its types lack. */
export interface ConnectionInternals {
  readonly stream: Duplex;
  attachListeners(stream: Listenable): void;
  /** An error that the server said, with its SQLSTATE in `code`. */
  on(event: "errorMessage", listener: (message: Error) => void): void;
  /** Text by name, of the statements that the server has prepared; the client never forgets one by itself. */
  parsedStatements: Record<string, string>;
  /** The same of those that were sent and not answered yet. */
  submittedNamedStatements: Record<string, string>;
}

/** A statement as the client takes it; with a name it is prepared on its first use. */
export interface ClientStatement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
  /** Whether it only reads, where its text does not begin by saying so. */
  readonly isRead?: boolean | undefined;
  /** See `Statement`. */
  readonly failsAs?: ((cause: Error) => Error) | undefined;
}

/** What the client's own query does with the messages of the server. */
export interface QueryInternals {
  readonly text: string;
  name: string | undefined;
  /** `extended`: each statement is a message of its own, also one without values. */
  queryMode?: "extended";
  readonly _result: { _types: unknown };
  callback: (error: Error | null, result?: { readonly rows: object[] }) => void;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/*
 * Everything of pg that its types do not name is reached here and nowhere else. Written against pg 8.23;
 * test/core/database/driver/pg-internals.test.ts fails when a version of pg has it no more.
 */

/** The connection of a client. */
export function connectionOf(client: Client): ConnectionInternals {
  return internalsOf((client as unknown as { readonly connection: Connection }).connection);
}

/** A connection, with its undocumented members. */
export function internalsOf(connection: Connection): ConnectionInternals {
  return connection as unknown as ConnectionInternals;
}

/** What a server wants to see of who cancels a statement of this client; undefined until it is connected. */
export function cancelKeyOf(client: Client): { readonly processID: number; readonly secretKey: number } | undefined {
  const { processID, secretKey } = client as unknown as Readonly<Record<"processID" | "secretKey", number | null>>;
  return processID === null || secretKey === null ? undefined : { processID, secretKey };
}

/** The query whose answer a client waits for. */
export function activeQueryOf(client: Client): object | null | undefined {
  return (client as unknown as { _getActiveQuery(): object | null | undefined })._getActiveQuery();
}

/**
 * A query as the client would make it, with the client's parsers of values. It is made of the text alone: an object would
 * be copied by its property descriptors, which takes longer than all else here.
 */
export function createQuery(client: Client, { text, values, name }: ClientStatement): QueryInternals {
  const query = new pg.Query(text, values as unknown[]) as unknown as QueryInternals;
  query.name = name;
  query._result._types = (client as unknown as { readonly _types: unknown })._types;
  return query;
}

/**
 * Has the server forget a named statement.
 *
 * @source https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY, Close
 */
export function closeStatement(client: Client, name: string): Promise<void> {
  return new Promise((done, fail) => {
    const request = {
      submit: (connection: Connection): null => {
        connection.close({ type: "S", name }, false);
        connection.sync();
        return null;
      },
      handleError: fail,
      handleReadyForQuery: () => done(),
    };
    client.query(request as unknown as pg.Submittable);
  });
}

const { utils } = pg as unknown as { readonly utils: { prepareValue(value: unknown): string | Buffer | null } };

/** A value as the client sends it. @throws what writing the value throws, as a circular object does. */
export const prepareValue = (value: unknown): string | Buffer | null => utils.prepareValue(value);
