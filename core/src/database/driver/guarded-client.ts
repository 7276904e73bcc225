import type { Duplex } from "node:stream";
import pg from "pg";
import { reasonOf } from "../../base/error.js";
import { AnswerTooLargeError, BrokenAnswerError } from "../errors.js";
import { activeQueryOf, connectionOf, type Listenable } from "./pg-internals.js";

/** How long a server may take to close a connection, in milliseconds. */
const END_TIMEOUT = 500;

/**
 * A client of PostgreSQL whose faults do not end the process: an error while a message of the server is parsed or
 * delivered ends this connection and rejects its statement. Thrown in the handler of a socket, it would end the
 * process.
 */
export class GuardedClient extends pg.Client {
  /** Whether it is taken from the pool. */
  isInUse = false;
  /** Whether its statements may run for as long as they want, until it goes back to the pool. */
  isUnlimited = false;
  /** Whether it has to answer a check before it is used again. */
  isSuspect = false;

  constructor(config: pg.ClientConfig) {
    super(config);
    const connection = connectionOf(this);
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(guard(stream as Duplex));
  }

  /** Whether a statement waits for its answer. */
  get pending(): object | null | undefined {
    return activeQueryOf(this);
  }

  /** Ends the connection, soon even if the server does not answer any more. */
  async leave(): Promise<void> {
    const limit = setTimeout(() => this.destroy(new Error("Connection terminated")), END_TIMEOUT).unref();
    await this.end();
    clearTimeout(limit);
  }

  /** Ends the connection at once, whether or not the server still answers. Its statements are rejected with `reason`. */
  destroy(reason: Error): void {
    connectionOf(this).stream.destroy(reason);
  }
}

/** A stream whose listeners end it when they throw. */
function guard(stream: Duplex): Listenable {
  return {
    on: (event, listener) =>
      stream.on(event, (...args: unknown[]) => {
        try {
          listener(...args);
        } catch (error) {
          stream.destroy(toAnswerError(error));
        }
      }),
  };
}

function toAnswerError(cause: unknown): Error {
  const isTooLong = cause instanceof Error && "code" in cause && cause.code === "ERR_STRING_TOO_LONG";
  return isTooLong
    ? new AnswerTooLargeError({}, { cause })
    : new BrokenAnswerError({ reason: reasonOf(cause) }, { cause });
}
