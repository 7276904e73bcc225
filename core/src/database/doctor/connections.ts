import type { Database } from "../driver/database.js";
import { listProcesses } from "../sync/processes.js";
import type { Finding } from "./finding.js";

/** What the processes of an app may open, and what the server takes. */
export interface ConnectionNeed {
  readonly processes: number;
  /** Connections of one pool at most. */
  readonly pool: number;
  /** `max_connections`, less what is kept for superusers. */
  readonly available: number;
}

/** Beside its pool a process has a connection for messages, and one for now and then. */
const BESIDE_POOL = 2;

const AVAILABLE = `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as available`;

/** Whether the server has as many connections as all processes together may open. A pooler has limits of its own. */
export async function examineConnections(db: Database, isPooled: boolean): Promise<readonly Finding[]> {
  if (isPooled) return [];
  const [server] = await db.query<{ available: number }>({ text: AVAILABLE, values: [] });
  const processes = (await listProcesses(db)).length;
  return judgeConnections({ processes, pool: db.connections, available: server?.available ?? 0 });
}

/** What is to be said of a need. */
export function judgeConnections({ processes, pool, available }: ConnectionNeed): readonly Finding[] {
  const wanted = processes * (pool + BESIDE_POOL);
  if (wanted <= available) return [];
  const what = `gives ${available} connections, and ${processes} processes may open ${wanted}`;
  const advice =
    "Lower `database.pool.max`, start fewer workers (each has a pool), raise max_connections, or put a pooler in front (`database.pooler`).";
  return [{ weight: "error", kind: "too few connections", where: "max_connections", what, advice }];
}
