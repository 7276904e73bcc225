import type { Knex } from "knex";
import type { Client } from "pg";

/** What knex keeps of the client that its statements go through. */
interface KnexClient {
  transacting: boolean;
  acquireConnection: () => Promise<Client>;
  releaseConnection: () => Promise<void>;
}

/**
 * Knex on one connection, in the transaction that is open there; a transaction inside is a savepoint.
 *
 * @param connection - gives it once the transaction has begun.
 */
export function bindKnex(knex: Knex, connection: () => Promise<Client>): Knex {
  const bound = knex.withUserParams({});
  const client = bound.client as KnexClient;
  client.transacting = true;
  client.acquireConnection = connection;
  client.releaseConnection = () => Promise.resolve();
  return Object.assign(bound, { isTransaction: true });
}
