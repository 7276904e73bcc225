import { isPlinthError } from "../base/error.js";

/** The answer to a request that failed. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: { readonly data: null; readonly error: ErrorBody };
  /** Whether the client must not see the original, so that the log must have it. */
  readonly isInternal: boolean;
}

/** @source wire.md sections 1 and 2 */
export interface ErrorBody {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  /** Absent with internal errors and with bodies that cannot be read. */
  readonly details?: object;
  /** A code of the catalogue. */
  readonly code?: string;
}

const WITHOUT_DETAILS = new Set(["SyntaxError", "PayloadTooLargeError"]);

/** Makes the answer of whatever was thrown; nothing of an unexpected error is shown. */
export function buildErrorAnswer(thrown: unknown): ErrorAnswer {
  const error = describe(thrown);
  if (error) return { status: error.status, body: { data: null, error }, isInternal: false };
  const internal = { status: 500, name: "InternalServerError", message: "Internal Server Error" };
  return { status: 500, body: { data: null, error: internal }, isInternal: true };
}

/** What a client may know of an error; undefined when that is nothing. A 503 of ours says when to come back. */
function describe(thrown: unknown): ErrorBody | undefined {
  if (isPlinthError(thrown)) {
    if (thrown.status >= 500 && thrown.status !== 503) return undefined;
    const { status, wireName: name, message, details, code } = thrown;
    return { status, name, message, ...(WITHOUT_DETAILS.has(name) ? {} : { details }), code };
  }
  if (!isExposed(thrown)) return undefined;
  const { status, name, message } = thrown;
  return { status, name, message, details: {} };
}

/** An error of koa's `ctx.throw(400, "...")`, or any other that says it is the client's. */
function isExposed(thrown: unknown): thrown is Error & { readonly status: number } {
  if (!(thrown instanceof Error) || !("status" in thrown) || !("expose" in thrown)) return false;
  return thrown.expose === true && typeof thrown.status === "number" && thrown.status >= 400 && thrown.status < 500;
}
