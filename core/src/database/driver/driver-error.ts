import { isPlinthError, type PlinthErrorClass, reasonOf } from "../../base/error.js";
import { constraintOf, isLostWorker, isMovedAway, isUnansweredCommit } from "./citus-errors.js";
import type { Driver } from "./driver.js";
import {
  ContentionError,
  DatabaseBusyError,
  DatabaseDamagedError,
  DatabaseFullError,
  DatabaseReadOnlyError,
  DatabaseUnreachableError,
  LockTimeoutError,
  StatementTimeoutError,
  TablesChangedError,
  TooManyConnectionsError,
  UnknownOutcomeError,
} from "../errors.js";
import {
  DatabaseDroppedError,
  LibraryNotLoadedError,
  ObjectInUseError,
  ServerStartingError,
  ServerStoppingError,
  SessionEndedError,
  TransactionTimeoutError,
  WrongStateError,
} from "./errors.js";
import { isStaleName } from "./prepared-statements.js";

/** What a fault is made of. */
interface Fault {
  readonly driver: Pick<Driver, "where" | "statementTimeout">;
  readonly reason: string;
  readonly cause: Error;
}

/** Makes a PLINTH_DATABASE_* error from an error of the driver. */
type Describe = (fault: Fault) => Error;

/** Errors whose details are the address and the reason. */
const placed =
  (Named: PlinthErrorClass<{ where: string; reason: string }>): Describe =>
  ({ driver: { where }, reason, cause }) =>
    new Named({ where, reason }, { cause });
const unreachable = placed(DatabaseUnreachableError);
const damaged = placed(DatabaseDamagedError);
const notLoaded = placed(LibraryNotLoadedError);
/** A file of a library, in a message of any language. */
const LIBRARY = /\.(?:so|dylib|dll)\b/;
const contention: Describe = ({ cause }) => new ContentionError({}, { cause });
const lockTimeout: Describe = ({ cause }) => new LockTimeoutError({}, { cause });
const timeout: Describe = ({ driver, cause }) =>
  new StatementTimeoutError({ limit: driver.statementTimeout }, { cause });
const inUse: Describe = ({ reason, cause }) => new ObjectInUseError({ reason }, { cause });
const readOnly: Describe = ({ driver: { where }, cause }) => new DatabaseReadOnlyError({ where }, { cause });

/**
 * By SQLSTATE, or by its class of two characters.
 *
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const FAULTS: Readonly<Record<string, Describe>> = {
  "08": unreachable,
  "25006": readOnly,
  "25P03": placed(TransactionTimeoutError),
  "25P04": placed(TransactionTimeoutError),
  "28": unreachable,
  "3D000": unreachable,
  "40001": contention,
  "40P01": contention,
  "53": placed(DatabaseFullError),
  "53300": placed(TooManyConnectionsError),
  "55": placed(WrongStateError),
  "55006": inUse,
  "55P03": lockTimeout,
  "57": placed(ServerStoppingError),
  "57014": timeout,
  "57P03": placed(ServerStartingError),
  "57P04": placed(DatabaseDroppedError),
  "57P05": placed(SessionEndedError),
  "58": (fault) => (LIBRARY.test(fault.reason) ? notLoaded : damaged)(fault),
  XX001: damaged,
  XX002: damaged,
};

/** Codes of the operating system for connections that failed or broke. */
const NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
/** The pg client gives no code for these. */
const UNREACHABLE_MESSAGE =
  /^Connection terminated|connection error and is not queryable|does not support SSL|Client was closed|timeout expired/;

/** Nothing was sent: the client knew already that its connection was gone. */
const UNSENT_MESSAGE = /not queryable|Client was closed/;
/** admin_shutdown, crash_shutdown, and faults of the connection. */
const LOST_CODES = /^(?:57P0[12]|08...)$/;

/** Whether the connection of a statement broke, so that the statement may have run or not. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    NETWORK_CODES.has(code) || LOST_CODES.test(code) || UNREACHABLE_MESSAGE.test(error.message) || isLostWorker(error)
  );
}

/** Of our own: a connection that did not answer was given up, or its answer could not be read. */
const GIVEN_UP: ReadonlySet<string> = new Set(["PLINTH_DATABASE_UNREACHABLE", "PLINTH_DATABASE_BROKEN_ANSWER"]);

/**
 * The error of a commit that failed.
 *
 * @returns PLINTH_DATABASE_UNKNOWN_OUTCOME (503) where the server may have committed; else the error itself
 */
export function toCommitError(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || UNSENT_MESSAGE.test(error.message) || isLostWorker(error)) return error;
  if (!isLostConnection(error) && !GIVEN_UP.has(codeOf(error)) && !isUnansweredCommit(error)) return error;
  return new UnknownOutcomeError({ where, reason: reasonOf(error) }, { cause: error });
}

/** SQLSTATE of a unique index that refuses a row. */
export const UNIQUE_VIOLATION = "23505";

/** undefined_table and undefined_column: of our own statements, which name what there was at the start. */
const UNDEFINED_CODES: ReadonlySet<string> = new Set(["42P01", "42703"]);

/** Whether the same transaction may succeed when it runs again: after a deadlock, or when a name of a statement was lost. */
export function isWorthAnotherTry(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause)
    if (FAULTS[codeOf(e)] === contention || isStaleName(e) || isMovedAway(e)) return true;
  return false;
}

/**
 * Turns faults of the connection, of the server and of conflicting transactions into PLINTH_DATABASE_* errors, with the
 * driver's error as cause. Other errors of the driver come back as they are, with their SQLSTATE in `code`.
 *
 * @param isPlan - whether the statement is one of ours, made from the content model.
 */
export function toDatabaseError(error: unknown, driver: Driver, isPlan = false): unknown {
  if (!(error instanceof Error) || isPlinthError(error)) return error;
  if (error.name === "KnexTimeoutError") return busyError(error, driver);
  const code = codeOf(error);
  const reason = reasonOf(error);
  if (isPlan && UNDEFINED_CODES.has(code)) return new TablesChangedError({ reason }, { cause: error });
  if (code === UNIQUE_VIOLATION && driver.engine === "citus") return withConstraint(error);
  const isBroken = NETWORK_CODES.has(code) || UNREACHABLE_MESSAGE.test(error.message) || isLostWorker(error);
  return describeOf(error, isBroken)?.({ driver, reason, cause: error }) ?? error;
}

function describeOf(error: Error, isBroken: boolean): Describe | undefined {
  if (isBroken) return unreachable;
  if (isMovedAway(error)) return contention;
  const code = codeOf(error);
  return FAULTS[code] ?? (isSqlState(code) ? FAULTS[code.slice(0, 2)] : undefined);
}

/** Workers of Citus name a constraint in the message only. */
const withConstraint = (error: Error & { readonly constraint?: string }): Error =>
  error.constraint === undefined ? Object.assign(error, { constraint: constraintOf(error) }) : error;

function busyError(error: Error, driver: Driver): Error {
  return new DatabaseBusyError(
    { kind: driver.kind, waited: driver.acquireTimeout, connections: driver.connections },
    { cause: error },
  );
}

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "");
const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);
