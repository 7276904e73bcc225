import { createError } from "../base/error.js";

/** The synchronised database has no table or column for a content-type or attribute. */
export const LayoutMissingError = createError<{ uid: string; what: string }>(
  "PLINTH_LAYOUT_MISSING",
  500,
  ({ uid, what }) => `The database has no ${what} for "${uid}".`,
  {
    cause:
      "Code asked for a content-type, or a link of it, that was not part of the model when the database was synchronised.",
    remedy:
      "Check the uid; content-types have to be registered before start, so that the synchronisation makes their tables.",
  },
);

/** A Query names an attribute in a place where its kind does not fit: a bug in the code that made the Query. */
export const UncompilableError = createError<{ uid: string; field: string }>(
  "PLINTH_QUERY_UNCOMPILABLE",
  500,
  ({ uid, field }) => `A query uses "${field}" of "${uid}" in a way its kind does not allow.`,
  {
    cause: "A Query was put together by hand with a name that the content-type lacks, or that is of another kind.",
    remedy: "Make Queries with parseReadParams, which checks every name against the schema.",
  },
);

/** `db.query` was given something else than a statement. */
export const StatementInvalidError = createError<{ given: string }>(
  "PLINTH_DATABASE_STATEMENT_INVALID",
  500,
  (d) => `db.query takes { text, values }, the SQL and a list of the values of $1, $2 ...; it was given ${d.given}.`,
  {
    cause: "Code of the app or of a plugin calls `app.db.query`, `queryAll` or `defer` without a statement.",
    remedy:
      'Write `app.db.query({ text: "select ... $1", values: [...] })`; read and write documents by `app.documents(uid)`.',
  },
);

/** The server does not answer, or refuses the connection. */
export const DatabaseUnreachableError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_UNREACHABLE",
  503,
  (d) =>
    `The database at ${d.where} cannot be reached: ${d.reason}. Check that it runs and that host, port, database, user and password are right.`,
  {
    cause: "The database server is not running, not reachable, does not answer, or refuses the user or database.",
    remedy: "Start the server, or correct the connection settings in config/database.ts or DATABASE_URL.",
  },
);

/** The server's message is not of its protocol, or its handler failed. */
export const BrokenAnswerError = createError<{ reason: string }>(
  "PLINTH_DATABASE_BROKEN_ANSWER",
  503,
  (d) =>
    `What the database sent could not be read (${d.reason}), so that connection was closed; send the request again.`,
  {
    cause: "Something between the app and the database cut or changed what was sent, or no PostgreSQL answers there.",
    remedy: "Check that the address is one of PostgreSQL, and look at the log of the pooler or proxy in front of it.",
  },
);

/** A value of an answer is longer than a string can be. */
export const AnswerTooLargeError = createError<Readonly<Record<never, never>>>(
  "PLINTH_DATABASE_ANSWER_TOO_LARGE",
  413,
  () => "The answer of the database is longer than a string can be (512 MB); ask for less at once.",
  {
    cause: "One page with everything that was populated into it is larger than a string may be.",
    remedy: "Ask for smaller pages, fewer fields, or less of what is nested.",
  },
);

/** No connection of the pool became free in time. */
export const DatabaseBusyError = createError<{ kind: string; waited: number; connections: number }>(
  "PLINTH_DATABASE_BUSY",
  503,
  (d) => `No database connection became free within ${d.waited} ms (pool of ${d.connections}); ${busyReason(d.kind)}`,
  {
    cause: "All connections are in use for longer than the pool waits.",
    remedy: "Make transactions shorter, do not await work of another async context inside one, or raise pool.max.",
    answer: "Too many requests are waiting for the database. Try again later.",
  },
);

function busyReason(kind: string): string {
  return kind === "pglite"
    ? "the embedded database has one connection, and an open transaction holds it. Work that a transaction waits for has to run in its own async context."
    : "the pool is used up. Raise pool.max, or make transactions shorter.";
}

/** The database stopped a statement that ran longer than `statementTimeout`. */
export const StatementTimeoutError = createError<{ limit: number }>(
  "PLINTH_DATABASE_TIMEOUT",
  503,
  (d) =>
    `The database stopped a statement${d.limit ? ` after ${d.limit} ms` : ""}: it ran too long, or waited for another write to end. Ask for less at once, add an index, or raise statementTimeout.`,
  {
    cause: "A statement ran longer than the configured statementTimeout. Waiting for the lock of another write counts.",
    remedy:
      "Narrow the query, set `index` on the attributes it filters or sorts by, send large writes to the same documents one after the other, or raise statementTimeout.",
    answer:
      "This took the database too long, or waited for another change of the same content. Ask for less at once, or try again later.",
  },
);

/** PostgreSQL rolled back a transaction because of concurrent ones, at every retry. */
export const ContentionError = createError<Readonly<Record<never, never>>>(
  "PLINTH_DATABASE_CONTENTION",
  409,
  () => "Others wrote the same documents at the same time, and nothing of this was written; send it again.",
  {
    cause:
      "Transactions that needed the same rows blocked each other (a deadlock, or a failure to serialise), several times in a row.",
    remedy:
      "Send the request again. Where it happens often, write less in one transaction, and in the same order everywhere.",
  },
);

/** A statement waited too long for a lock that another one holds. */
export const LockTimeoutError = createError<Readonly<Record<never, never>>>(
  "PLINTH_DATABASE_LOCK_TIMEOUT",
  503,
  () => "A statement gave up waiting for rows or a table that another transaction holds; nothing of it was done.",
  {
    cause:
      "Another transaction holds rows or a table for longer than lock_timeout allows: a change of tables, a long transaction of other code, or a session that was left open.",
    remedy:
      "Send the request again. Find the holder of the lock in pg_stat_activity and pg_locks, and make that transaction shorter.",
    answer: "What this needs is being changed by others. Try again later.",
  },
);

/** The server has no connection left for this process. */
export const TooManyConnectionsError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_TOO_MANY_CONNECTIONS",
  503,
  (d) => `The database at ${d.where} has no connection left: ${d.reason}.`,
  {
    cause: "All processes together ask for more connections than the server, its user or its database may have.",
    remedy:
      "Lower pool.max, so that it times the number of processes fits into max_connections, or put a pooler in front.",
    answer: "Too many requests are waiting for the database. Try again later.",
  },
);

/** The server has no disk or memory left. */
export const DatabaseFullError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_FULL",
  503,
  (d) => `The database at ${d.where} has no space left: ${d.reason}. Nothing of the transaction was written.`,
  {
    cause: "The disk of the database is full, or its memory or another of its limits is used up.",
    remedy:
      "Free space on the server's disk (logs, unused replication slots, old tables), or give it more; then it goes on.",
    answer: "The server has no space left at the moment. Try again later.",
  },
);

/** The server takes no writes. */
export const DatabaseReadOnlyError = createError<{ where: string }>(
  "PLINTH_DATABASE_READ_ONLY",
  503,
  (d) => `The database at ${d.where} is read-only at the moment.`,
  {
    cause: "The address leads to a standby, or to a server that is read-only for a time, as during a failover.",
    remedy: "Use the address of the primary, or wait until the failover has ended.",
    answer: "Nothing can be changed at the moment. Try again later.",
  },
);

/** The connection broke between the commit of a transaction and its answer. */
export const UnknownOutcomeError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_UNKNOWN_OUTCOME",
  503,
  (d) =>
    `The connection to the database at ${d.where} broke while a change was being stored (${d.reason}): it may or may not have been stored.`,
  {
    cause: "The server or the network failed after COMMIT was sent and before it was answered.",
    remedy:
      "Read what the change was about before it is sent again, or send it with an Idempotency-Key (`api.rest.idempotency`): with the same key it is done once.",
    answer: "It is not known whether this was stored. Look before you send it again.",
  },
);

/** Several servers of the connection take writes, and none of them is newer. */
export const TwoPrimariesError = createError<{ hosts: readonly string[]; timeline: number }>(
  "PLINTH_DATABASE_TWO_PRIMARIES",
  503,
  (d) =>
    `${d.hosts.join(" and ")} are primaries on one timeline (${d.timeline}), so nothing is written to either; stop the one that should be a standby.`,
  {
    cause:
      "Two servers of the list in `connection` take writes and are on the same timeline: they were never one cluster, or one was copied.",
    remedy:
      "Stop the server whose content is not the right one, make it a standby of the other (pg_rewind, or a new base backup), and start it again.",
    answer: "Nothing can be read or changed at the moment. Try again later.",
  },
);

/** The server found its own files damaged. */
export const DatabaseDamagedError = createError<{ where: string; reason: string }>(
  "PLINTH_DATABASE_DAMAGED",
  503,
  (d) => `Files of the database in ${d.where} are damaged or cannot be read: ${d.reason}.`,
  {
    cause:
      "A disk fault, a copy that was made while the database ran, or files that something else changed or deleted.",
    remedy:
      "Stop the app, keep a copy of the files, and restore the last backup; what can still be read can be exported first.",
  },
);

/** Tables or columns that the app reads no longer exist. */
export const TablesChangedError = createError<{ reason: string }>(
  "PLINTH_DATABASE_TABLES_CHANGED",
  503,
  (d) =>
    `The tables are not those that this process started with (${d.reason}): a newer version of the app has changed them. Restart this process with that version.`,
  {
    cause: "Another process with a newer content model, or a manual change, renamed or removed an attribute or a type.",
    remedy:
      "Restart the processes that still run the old version. To roll out without a gap, remove in a later release than the one that stops to use it.",
  },
);

/** A read whose JSON has more bytes than an answer may. */
export const ReadTooLargeError = createError<{ part: string; limit: number }>(
  "PLINTH_READ_TOO_LARGE",
  413,
  (d) =>
    `The answer would be larger than ${d.limit} bytes, at ${d.part}: ask for fewer entries, fields or populated attributes at once`,
  {
    name: "AnswerTooLargeError",
    cause: "A read found more than an answer may hold; the database stopped at the part that `details.part` names.",
    remedy: "Ask for smaller pages, choose `fields`, populate less, or raise `reads.answerBytes` in config/api.",
  },
);

/** The queue of expensive reads is full. */
export const ReadsBusyError = createError<{ atOnce: number }>(
  "PLINTH_READ_BUSY",
  503,
  (d) => `Too many expensive reads wait already; ${d.atOnce} run at a time.`,
  {
    cause: "Many requests at once make reads that count as expensive, by `reads.expensive` of config/api.",
    remedy: "Send the request again later, ask for less at once, or give the database more connections (pool.max).",
    answer: "Too many expensive requests are waiting. Try again later, or ask for less at once.",
  },
);

/** Another process has the data directory of the embedded database open. */
export const DatabaseLockedError = createError<{ directory: string; file: string; pid: number; host: string }>(
  "PLINTH_DATABASE_LOCKED",
  503,
  (d) =>
    `Process ${d.pid} on ${d.host} is using the embedded database in ${d.directory}; stop it first (${d.file} names it).`,
  {
    cause: "Two processes were about to open one data directory of the embedded database, which would lose data.",
    remedy: "Stop the other process, give this one another directory, or use a PostgreSQL server.",
  },
);

/** A statement failed inside a transaction, its error was caught, and the transaction was then to be committed. */
export const TransactionAbortedError = createError<{ level: "transaction" | "savepoint" }>(
  "PLINTH_DATABASE_TRANSACTION_ABORTED",
  500,
  (d) =>
    `A statement failed in this ${d.level} and its error was caught, so nothing of the ${d.level} can be kept; wrap what may fail in a transaction of its own.`,
  {
    cause:
      "PostgreSQL refuses to commit after a failed statement, but the work of the transaction went on as if nothing had happened.",
    remedy: "Let the error pass, or run what may fail inside a nested `transaction`, which is a savepoint.",
  },
);

/** A lock was asked for, or a statement put off, by code that runs in no transaction. */
export const NoTransactionError = createError<{ what: string }>(
  "PLINTH_DATABASE_NO_TRANSACTION",
  500,
  ({ what }) =>
    `${what} was called outside of a transaction, where it would end at once; call it inside db.transaction.`,
  {
    cause: "A lock lasts until its transaction ends, and a statement that is put off runs in it at the latest.",
    remedy: "Wrap the work in `app.db.transaction(async () => { ... })`.",
  },
);

/** Steps of a plan that lose data, as the error shows them. */
export interface DestructiveStep {
  readonly kind: string;
  readonly table: string;
  readonly column: string | undefined;
  readonly why: string;
}

/** The content model asks for changes that lose data. */
export const SchemaDestructiveError = createError<{ steps: readonly DestructiveStep[] }>(
  "PLINTH_SCHEMA_DESTRUCTIVE",
  500,
  (d) =>
    [
      "The content model has changed in a way that loses data, so nothing was changed:",
      ...d.steps.map(stepLine),
      "Apply it with `plinth schema apply --allow-data-loss`, or declare a rename with `renamedFrom`.",
    ].join("\n"),
  {
    cause:
      "An attribute or content-type was removed or changed its kind, or draft & publish or localisation was turned off.",
    remedy: "Declare renames by `renamedFrom`, restore what was removed, or apply the plan with --allow-data-loss.",
  },
);

/** A step as one line of a message. */
export function stepLine(step: DestructiveStep): string {
  return `  - ${step.kind} ${step.table}${step.column ? `.${step.column}` : ""}: ${step.why}`;
}

/** A step of the synchronisation failed; everything was rolled back. */
export const SchemaStepError = createError<{ kind: string; table: string; column: string | undefined; reason: string }>(
  "PLINTH_SCHEMA_STEP_FAILED",
  500,
  (d) =>
    `The database refused the step "${d.kind}" on ${d.table}${d.column ? `.${d.column}` : ""}: ${d.reason}. Its phase is rolled back; correct the content or the schema and start again.`,
  {
    cause:
      "Existing content does not fit a new rule (two rows hold a value that is to be unique), or the database refused a statement.",
    remedy: "Correct the content that the message names, or take the change of the schema back.",
  },
);

/** A start failed after it had changed the tables, and the change stays. */
export const SchemaNotUndoneError = createError<{ reason: string; steps: readonly DestructiveStep[] }>(
  "PLINTH_SCHEMA_NOT_UNDONE",
  500,
  (d) =>
    `The start failed after it had changed the tables, and the changes stay, because ${d.reason}:\n${d.steps.map(stepLine).join("\n")}`,
  {
    cause:
      "The app failed after the tables were changed to match its content-types, and a change cannot be taken back by itself.",
    remedy:
      "Correct what failed and start this version again: it finds its tables. For the version before, restore the backup from before the start, or run its `plinth schema plan` to see what it would change.",
  },
);

/** A user migration failed; it was rolled back and the start stops. */
export const MigrationFailedError = createError<{ file: string; reason: string }>(
  "PLINTH_MIGRATION_FAILED",
  500,
  (d) => `The migration ${d.file} failed and was rolled back: ${d.reason}. Correct it and start again.`,
  {
    cause: "A file of database/migrations threw, could not be loaded, or is gone although it had run.",
    remedy: "Correct or restore the file that the message names; migrations before it stay applied.",
  },
);
