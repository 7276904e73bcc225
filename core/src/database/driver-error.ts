import { isPlinthError } from "../base/error.js";
import type { Driver } from "./driver.js";
import { ContentionError, DatabaseBusyError, DatabaseUnreachableError, StatementTimeoutError } from "./errors.js";

const UNREACHABLE_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "28000",
  "28P01",
  "3D000",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);
/** The pg client gives no code for these. */
const UNREACHABLE_MESSAGE =
  /^Connection terminated|connection error and is not queryable|does not support SSL|Client was closed|timeout expired/;
const QUERY_CANCELED = "57014";

/** deadlock_detected and serialization_failure: the same work may succeed when it runs again. */
export const CONTENTION_CODES: ReadonlySet<string> = new Set(["40P01", "40001"]);

/**
 * Turns faults of the connection and of transactions that met into PLINTH_DATABASE_* errors, with the driver's error as cause. Other errors of the
 * driver come back as they are, with their SQLSTATE in `code`.
 */
export function toDatabaseError(error: unknown, driver: Driver): unknown {
  if (!(error instanceof Error) || isPlinthError(error)) return error;
  if (error.name === "KnexTimeoutError") return busyError(error, driver);
  const code = "code" in error ? String(error.code) : "";
  if (code === QUERY_CANCELED) return new StatementTimeoutError({ limit: driver.statementTimeout }, { cause: error });
  if (CONTENTION_CODES.has(code)) return new ContentionError({}, { cause: error });
  if (isUnreachable(code, error.message)) {
    return new DatabaseUnreachableError({ where: driver.where, reason: reasonOf(error) }, { cause: error });
  }
  return error;
}

function busyError(error: Error, driver: Driver): Error {
  return new DatabaseBusyError(
    { kind: driver.kind, waited: driver.acquireTimeout, connections: driver.connections },
    { cause: error },
  );
}

function isUnreachable(code: string, message: string): boolean {
  return UNREACHABLE_CODES.has(code) || code.startsWith("08") || UNREACHABLE_MESSAGE.test(message);
}

/** Several addresses of one host fail as one AggregateError without a message. */
function reasonOf(error: Error): string {
  if (error.message) return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join("; ") : error.name;
}
