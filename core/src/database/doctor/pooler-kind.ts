import type { Knex } from "knex";
import type { Database } from "../driver/database.js";
import { acquireConnection, releaseConnection } from "../driver/knex-internals.js";
import type { Finding } from "./finding.js";

/** What is between this app and its server. */
export type PoolerKind = "none" | "session" | "transaction";

const PID = "select pg_backend_pid() as pid";

interface Connection {
  readonly processID?: number | null;
  query(text: string): Promise<{ readonly rows: readonly { readonly pid: number }[] }>;
}

const pidOf = async (connection: Connection): Promise<number> => Number((await connection.query(PID)).rows[0]?.pid);

/**
 * Finds out whether a pooler hands out sessions or transactions. A client gets the number of its session when that begins,
 * and from a pooler another one. While one connection is in a transaction, the other one of a pooler by transaction gets
 * another session than before.
 */
export async function findPoolerKind({ knex }: { readonly knex: Knex }): Promise<PoolerKind> {
  const first = (await acquireConnection(knex)) as unknown as Connection;
  try {
    const own = await pidOf(first);
    if (first.processID === own) return "none";
    const second = (await acquireConnection(knex)) as unknown as Connection;
    try {
      await second.query("begin");
      await second.query(PID);
      const others = await pidOf(first);
      await second.query("rollback");
      return others === own ? "session" : "transaction";
    } finally {
      void releaseConnection(knex, second as never);
    }
  } finally {
    void releaseConnection(knex, first as never);
  }
}

/** Whether `database.pooler` says what is there; it takes two connections to find that out. */
export async function examinePooler(db: Database, configured: PoolerKind): Promise<readonly Finding[]> {
  if (db.connections < 2) return [];
  return judgePooler(await findPoolerKind(db), configured);
}

/** What is to be said of what was found, against what is configured. */
export function judgePooler(found: PoolerKind, configured: PoolerKind): readonly Finding[] {
  if (found === configured) return [];
  const what = `is "${configured}", and ${found === "none" ? "there is no pooler" : `there is one by ${found}`}`;
  const advice = `Set \`database.pooler\` to "${found}"${found === "transaction" ? ", with `database.listen`" : ""}.`;
  return [{ weight: found === "none" ? "warning" : "error", kind: "pooler", where: "database.pooler", what, advice }];
}
