import type { Client } from "pg";
import { isPlinthError, reasonOf } from "../../base/error.js";
import type { PostgresConfig } from "../driver/config.js";
import type { Database } from "../driver/database.js";
import { findEngine } from "../driver/engine.js";
import type { GuardedClient } from "../driver/guarded-client.js";
import { describeConnection } from "../driver/host-list.js";
import { acquireConnection, releaseConnection } from "../driver/knex-internals.js";
import { type DirectClients, directClients } from "../driver/postgres.js";
import { sessionSettings } from "../driver/session-settings.js";
import { DatabaseUnreachableError } from "../errors.js";
import { identifier } from "../sql/sql.js";
import { type TriedFeature, tryFeatures } from "./engine-feature.js";
import { FEATURES } from "./engine-features.js";
import { SERVER_FEATURES } from "./server-features.js";

export type { TriedFeature } from "./engine-feature.js";

/** What `plinth doctor --engine` shows. */
export interface EngineExamination {
  /** As the server says it: `PostgreSQL 17.5 on x86_64...`. */
  readonly version: string;
  /** What is missing first. */
  readonly features: readonly TriedFeature[];
}

/** Tries what Plinth uses on the embedded database. Nothing of it stays. */
export async function examineEmbedded({ knex, engine }: Pick<Database, "knex" | "engine">): Promise<EngineExamination> {
  const session = await acquireConnection(knex);
  try {
    return { version: await versionOf(session), features: inOrder(await tryFeatures(FEATURES, { session }, engine)) };
  } finally {
    await releaseConnection(knex, session);
  }
}

/**
 * Tries what Plinth uses on a server, past any pooler, with the role of the app. Tables named `plinth_probe` are there for a
 * moment, and the schema of the configuration is made where it is missing; nothing else stays.
 *
 * @throws PLINTH_DATABASE_UNREACHABLE (503), PLINTH_DATABASE_TWO_PRIMARIES (503)
 */
export async function examineServer(config: PostgresConfig): Promise<EngineExamination> {
  const sessions = new Sessions(config);
  try {
    const [session, other] = [await sessions.open(), await sessions.open()];
    const engine = config.engine ?? (await findEngine(async (text) => (await session.query<object>(text)).rows));
    const settings = sessionSettings({ ...config, engine });
    const connect = () => sessions.connect(true, engine);
    const tried = [
      ...(await tryFeatures(FEATURES, { session }, engine)),
      ...(await tryFeatures(SERVER_FEATURES, { session, other, settings, connect }, engine)),
    ];
    return { version: await versionOf(session), features: inOrder(tried) };
  } finally {
    await sessions.close();
  }
}

/** Those of one examination. */
class Sessions {
  readonly #clients: DirectClients[] = [];
  readonly #open: GuardedClient[] = [];

  constructor(private readonly config: PostgresConfig) {}

  /** @param engine - whose settings it asks for. */
  async connect(withSettings: boolean, engine = this.config.engine): Promise<Client> {
    const clients = directClients({ ...this.config, engine });
    this.#clients.push(clients);
    const client = clients.make(withSettings);
    // One that breaks fails the statement that waits for it.
    client.on("error", () => undefined);
    await client.connect();
    this.#open.push(client);
    return client;
  }

  /** A session in the schema of the app, by `set`: a server may refuse settings of connections. */
  async open(): Promise<Client> {
    const { schema, connection, listen } = this.config;
    const client = await this.connect(false).catch((cause: unknown) => {
      if (isPlinthError(cause)) throw cause;
      const where = describeConnection(listen ?? connection);
      throw new DatabaseUnreachableError({ where, reason: reasonOf(cause) }, { cause });
    });
    if (schema === undefined) return client;
    await client.query(`create schema if not exists ${identifier(schema)}`);
    await client.query(`set search_path = ${identifier(schema)}`);
    return client;
  }

  async close(): Promise<void> {
    for (const clients of this.#clients) clients.close();
    await Promise.all(this.#open.map((client) => client.leave()));
  }
}

async function versionOf(session: Client): Promise<string> {
  const { rows } = await session.query<{ version: string }>("select version()");
  return rows[0]?.version ?? "";
}

/** What is needed and missing, what is missing, and the rest. */
const inOrder = (features: readonly TriedFeature[]): readonly TriedFeature[] => {
  const rankOf = ({ works, isNeeded }: TriedFeature): number => (works ? 2 : isNeeded ? 0 : 1);
  return [...features].sort((one, other) => rankOf(one) - rankOf(other));
};
