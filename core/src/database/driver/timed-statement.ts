import type { Client } from "pg";
import { runBatch } from "./batch.js";
import { disposeConnection } from "./knex-internals.js";
import type { ClientStatement } from "./pg-internals.js";

/**
 * Runs one statement in a transaction, which its limit ends with: set for the session, it would be that of whom a pooler
 * gives the session next.
 *
 * @param limit - milliseconds; 0 for none.
 */
export async function runTimed(connection: Client, query: ClientStatement, limit: number): Promise<object[]> {
  const begin = { text: "begin" };
  const limited = { text: "select set_config('statement_timeout', $1, true)", values: [String(limit)] };
  try {
    const results = await runBatch(connection, [begin, limited, query, { text: "commit" }]);
    return results[2] as object[];
  } catch (error) {
    // One that cannot be rolled back is not used again: the transaction may still be open there.
    await connection.query("rollback").catch((failure: unknown) => disposeConnection(connection, failure));
    throw error;
  }
}

/** The limit of a statement that has a time of its own. @returns milliseconds; 0 for none */
export function limitOf(time: number, statementTimeout: number): number {
  const least = statementTimeout === 0 ? time : Math.min(time, statementTimeout);
  return Number.isFinite(least) ? Math.max(1, Math.ceil(least)) : 0;
}
