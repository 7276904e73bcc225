import { isPlinthError, type PlinthError } from "../base/error.js";

/** The answer to a request that failed. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly data: null; readonly error: ErrorBody };
  /** Whether this is an internal error: the client does not see the original, so it has to be logged. */
  readonly isFault: boolean;
}

/**
 * @source plugins/content-api/WIRE.md#envelope
 * @source plugins/content-api/WIRE.md#errors
 */
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

const INTERNAL: ErrorBody = { status: 500, name: "InternalServerError", message: "Internal Server Error" };

/** The faults that a client may know of, and the sentence for errors that declare none. */
const SENTENCES: Readonly<Record<number, string>> = {
  503: "The server cannot answer this at the moment. Try again later.",
  507: "The server has no space left to keep this. Try again later.",
};

/** Makes the answer for a thrown value; of an internal error it shows a code and a sentence at most. */
export function buildErrorAnswer(thrown: unknown): ErrorAnswer {
  const known = describeRefusal(thrown);
  const error = known ?? describeFault(thrown) ?? INTERNAL;
  const headers: Record<string, string> = error.status === 503 ? { "Retry-After": retryAfter() } : {};
  return { status: error.status, headers, body: { data: null, error }, isFault: known === undefined };
}

/** In seconds, and not the same for all: so that clients that were rejected together do not retry together. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * 3));
}

/** An error below 500, which the client sees as it is. */
function describeRefusal(thrown: unknown): ErrorBody | undefined {
  if (isPlinthError(thrown)) {
    if (thrown.status >= 500) return undefined;
    const { status, wireName: name, message, details, code } = thrown;
    return { status, name, message, ...(WITHOUT_DETAILS.has(name) ? {} : { details }), code };
  }
  if (!isExposed(thrown)) return undefined;
  const { status, name, message } = thrown;
  return { status, name, message, details: {} };
}

/** Neither message nor details: they are for operators, and may contain addresses and settings. */
function describeFault(thrown: unknown): ErrorBody | undefined {
  if (!isPlinthError(thrown) || !(thrown.status in SENTENCES)) return undefined;
  const { status, wireName: name, code, answer }: PlinthError = thrown;
  return { status, name, message: answer ?? (SENTENCES[status] as string), details: {}, code };
}

/** An error of koa's `ctx.throw(400, "...")`, or any other that declares a client's fault. */
function isExposed(thrown: unknown): thrown is Error & { readonly status: number } {
  if (!(thrown instanceof Error) || !("status" in thrown) || !("expose" in thrown)) return false;
  return thrown.expose === true && typeof thrown.status === "number" && thrown.status >= 400 && thrown.status < 500;
}
