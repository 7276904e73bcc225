import { createError } from "../../base/error.js";
import type { SettingDifference } from "./session-settings.js";

/** Sessions have other settings than the app asked for. */
export const SessionDiffersError = createError<{ where: string; differences: readonly SettingDifference[] }>(
  "PLINTH_DATABASE_SESSION_DIFFERS",
  503,
  (d) =>
    `Sessions of the database at ${d.where} are not as this app needs them: ${d.differences.map(describeDifference).join("; ")}. Behind a pooler the role has to have them: run plinth database settings --apply, and have the pooler connect anew (RECONNECT).`,
  {
    cause:
      "A pooler drops the settings that a connection asks for, or hands out a session in which somebody else changed them; or the role of a pooled connection does not have them.",
    remedy:
      "Set `pooler` in config/database, give each app behind it a role of its own, run `plinth database settings --apply`, and send the pooler RECONNECT.",
  },
);

const describeDifference = ({ name, expected, found }: SettingDifference): string =>
  `${name} is ${found || "empty"} and has to be ${expected || "empty"}`;

/** A pooler is configured, and no address past it. */
export const ListenMissingError = createError<Readonly<Record<never, never>>>(
  "PLINTH_DATABASE_LISTEN_MISSING",
  500,
  () =>
    'config/database says pooler: "transaction" and names no `listen`: the address of the server itself, for messages between processes and schema changes.',
  {
    cause: "A pooler that hands out sessions by transaction passes no notifications on, and has no session to lock in.",
    remedy: "Set `listen` in config/database to the address of the server that is behind the pooler.",
  },
);

/** A table or another object is in use, so that it cannot be changed. */
export const ObjectInUseError = createError<{ reason: string }>(
  "PLINTH_DATABASE_IN_USE",
  409,
  () => "What this changes is in use by others; nothing of it was done. Send it again.",
  {
    cause: "A statement changes or drops what another statement, transaction or session is using.",
    remedy: "Send it again once the others have ended; pg_stat_activity shows who they are.",
  },
);

/** The server, or an object of it, is not in the state that a statement needs. */
export const WrongStateError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_WRONG_STATE",
  503,
  (d) => `The database at ${d.where} is not in the state that a statement needs: ${d.reason}.`,
  {
    cause:
      "A table is published without a replica identity, a view is not filled yet, a server is in recovery, or a setting cannot change while it runs.",
    remedy: "Read the reason in the log, bring the object or the server in that state, and send the request again.",
  },
);

/** Too many wait for a connection, for too long; the newest of them are turned away. */
export const DatabaseCrowdedError = createError<{ connections: number }>(
  "PLINTH_DATABASE_CROWDED",
  503,
  (d) =>
    `For half a second everybody waited for more than 200 ms for one of the ${d.connections} database connections, so the newest are turned away.`,
  {
    cause: "More requests arrive than the connections of the pool can answer.",
    remedy:
      "Ask for less at once, add indexes, raise pool.max where PostgreSQL is not busy, or add processes or replicas. /health/ready says overloaded once this lasts five seconds.",
    answer: "The server has too much to do at the moment. Try again later.",
  },
);

/** The server ended the connection, because it stops or somebody asked for that. */
export const ServerStoppingError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_STOPPING",
  503,
  (d) => `The database at ${d.where} ended the connection: ${d.reason}.`,
  {
    cause: "The server stops or restarts, one of its processes crashed, or an administrator ended the session.",
    remedy: "Nothing, if that was meant: the next request connects again. Else read the log of the server.",
  },
);

/** The server takes no connections yet, or no more. */
export const ServerStartingError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_STARTING",
  503,
  (d) => `The database at ${d.where} takes no connections at the moment: ${d.reason}.`,
  {
    cause: "The server starts, recovers after a crash, or is about to stop.",
    remedy: "Wait until it has started; its log says how far it is. A standby takes connections with hot_standby = on.",
  },
);

/** The server could not load a library: its package was upgraded while it ran, or lacks an extension. */
export const LibraryNotLoadedError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_LIBRARY",
  503,
  (d) => `The database server in ${d.where} could not load a library: ${d.reason}. Restart PostgreSQL.`,
  {
    cause:
      "PostgreSQL was upgraded and not restarted: the server that runs cannot load the libraries of the new version. Or the package of an extension is not installed.",
    remedy: "Restart PostgreSQL, and install the packages of extensions for its version. No content is damaged.",
    answer: "Nothing can be read or changed at the moment. Try again later.",
  },
);

/** The database of the connection is gone. */
export const DatabaseDroppedError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_DROPPED",
  503,
  (d) => `The database at ${d.where} was dropped while the app used it: ${d.reason}.`,
  {
    cause: "Somebody dropped or renamed the database, or restored another one in its place.",
    remedy: "Restore the database, or correct its name in config/database.ts or DATABASE_URL, and start the app again.",
  },
);

/** The server ended a session because it did nothing. */
export const SessionEndedError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_SESSION_ENDED",
  503,
  (d) => `The database at ${d.where} ended a session that did nothing: ${d.reason}.`,
  {
    cause: "idle_session_timeout of the server, its role or its database is shorter than connections are kept.",
    remedy: "Send the request again. Set idle_session_timeout to 0 for the role of the app, or pool.min to 0.",
  },
);

/** The server ended a transaction that took too long, or in which nothing happened. */
export const TransactionTimeoutError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_TRANSACTION_TIMEOUT",
  503,
  (d) => `The database at ${d.where} ended a transaction: ${d.reason}. Nothing of it was written.`,
  {
    cause:
      "Code waited for more than 60 s inside a transaction without a statement, or transaction_timeout is shorter than the transaction.",
    remedy:
      "Do what takes long (mails, requests to others) before or after the transaction, and send the request again.",
    answer: "This took the server too long. Try again later.",
  },
);

/** An app asks for Citus, and its schema is on the coordinator alone. */
export const CitusLocalError = createError<{ schema: string; advice: string }>(
  "PLINTH_DATABASE_CITUS_LOCAL",
  500,
  (d) =>
    `The database has Citus, and all tables of the schema ${d.schema} are on its coordinator, none on a worker. ${d.advice}`,
  {
    cause:
      "config/database names no `schema`, or the schema was made while citus.enable_schema_based_sharding was off.",
    remedy:
      "Name a `schema` in config/database, run `alter database ... set citus.enable_schema_based_sharding = on` before the first start, or `select citus_schema_distribute('...')` for a schema that is there, other than `public`. Without workers, use PostgreSQL without the extension.",
  },
);
