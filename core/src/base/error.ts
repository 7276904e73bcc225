/** A code of the catalogue: `PLINTH_<AREA>_<WHAT>` in upper snake case, such as `PLINTH_PLUGIN_CYCLE`. */
export type ErrorCode = `PLINTH_${Uppercase<string>}`;

/** What the documentation says about one error, and the name clients see. */
export interface ErrorTexts {
  /** One sentence: what leads to this error. */
  readonly cause: string;
  /** One sentence: what the reader does about it. */
  readonly remedy: string;
  /** The `name` in an error answer; by default the one of the status, such as `NotFoundError` for 404. */
  readonly name?: string;
  /**
   * One sentence for clients, where the status is 503 or 507: the message and the details are for the log alone, because
   * they may name addresses, settings and the reason of a driver. By default a sentence of the status.
   */
  readonly answer?: string;
}

/** One line of the error catalogue. */
export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly status: number;
  readonly wireName: string;
  readonly cause: string;
  readonly remedy: string;
  /** What clients get in place of the message; see ErrorTexts. */
  readonly answer: string | undefined;
}

/** How an error looks as JSON; the stack and the underlying cause stay out. */
export interface ErrorJson {
  readonly code: ErrorCode;
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details: object;
}

/** The one class of errors this project throws. Made by the classes that `createError` returns. */
export class PlinthError<Details extends object = object> extends Error {
  readonly code: ErrorCode;
  /** HTTP status of the answer when this error reaches an API layer. */
  readonly status: number;
  /** The `name` of the error in an answer, such as `ValidationError`. */
  readonly wireName: string;
  /** What clients get in place of the message; see ErrorTexts. */
  readonly answer: string | undefined;

  constructor(
    entry: Pick<ErrorEntry, "code" | "status" | "wireName" | "answer">,
    message: string,
    /** JSON data with stable keys and no secrets. */
    readonly details: Details,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "PlinthError";
    this.code = entry.code;
    this.status = entry.status;
    this.wireName = entry.wireName;
    this.answer = entry.answer;
  }

  /** What `JSON.stringify` writes; `name` is the wire name. */
  toJSON(): ErrorJson {
    const { code, status, wireName: name, message, details } = this;
    return { code, status, name, message, details };
  }
}

/** The class of one code: `throw new PluginCycleError({ path })`. */
export interface PlinthErrorClass<Details extends object> {
  new (details: Details, options?: ErrorOptions): PlinthError<Details>;
  readonly code: ErrorCode;
  readonly status: number;
  readonly wireName: string;
  /** Whether a caught value is this error; compares codes, so it also holds across two copies of a package. */
  is(value: unknown): value is PlinthError<Details>;
}

const NAME_OF_STATUS: Readonly<Record<number, string>> = {
  400: "ValidationError",
  401: "UnauthorizedError",
  403: "ForbiddenError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  409: "ConflictError",
  412: "PreconditionFailedError",
  413: "PayloadTooLargeError",
  429: "RateLimitError",
  503: "ServiceUnavailableError",
  507: "InsufficientStorageError",
};

const catalogue = new Map<ErrorCode, ErrorEntry>();

/** Where each code was declared. */
const places = new Map<ErrorCode, Place>();

/** A module, and which evaluation of it: what follows the question mark of its address. */
interface Place {
  readonly file: string;
  readonly version: string;
}

/**
 * Declares one error of the catalogue, once, at the top of an errors.ts.
 *
 * @param code - unique in the process; the second declaration of a code fails when its file is imported. A newer version
 *   of the file that declared it, which `plinth develop` imports, takes its place.
 * @param status - HTTP status; 500 for errors of programming and start-up.
 * @param message - built from the details, so a message cannot lack or contradict them; says what is wrong, where, and what to do.
 * @param options - `cause` and `remedy` for the documentation; `name` for answers when the status' own does not fit.
 * @throws PLINTH_ERROR_DUPLICATE_CODE (500) details `{ duplicate }`
 */
export function createError<Details extends object>(
  code: ErrorCode,
  status: number,
  message: (details: Details) => string,
  options: ErrorTexts,
): PlinthErrorClass<Details> {
  const place = callerOf(createError);
  if (catalogue.has(code) && !isNewerVersion(place, places.get(code)))
    throw new DuplicateCodeError({ duplicate: code });
  places.set(code, place);
  const { cause, remedy, answer } = options;
  const wireName =
    options.name ?? NAME_OF_STATUS[status] ?? (status < 500 ? "ApplicationError" : "InternalServerError");
  const entry: ErrorEntry = Object.freeze({ code, status, wireName, cause, remedy, answer });
  catalogue.set(code, entry);
  return class extends PlinthError<Details> {
    static readonly code = code;
    static readonly status = status;
    static readonly wireName = wireName;
    static is(value: unknown): value is PlinthError<Details> {
      return isPlinthError(value) && value.code === code;
    }
    constructor(details: Details, errorOptions?: ErrorOptions) {
      super(entry, message(details), details, errorOptions);
    }
  };
}

function isNewerVersion(place: Place, known: Place | undefined): boolean {
  return place.file !== "" && place.file === known?.file && place.version !== known.version;
}

/** Where a function was called from. The text of a stack does not say it: source maps take the version out. */
function callerOf(callee: (...args: never[]) => unknown): Place {
  const usual = Error.prepareStackTrace;
  const trace: { stack?: readonly NodeJS.CallSite[] } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.captureStackTrace(trace, callee);
    const [file = "", version = ""] = (trace.stack?.[0]?.getFileName() ?? "").split("?");
    return { file, version };
  } finally {
    if (usual) Error.prepareStackTrace = usual;
    else delete (Error as Partial<typeof Error>).prepareStackTrace;
  }
}

/** Whether a caught value came from `createError`, of this or another copy of the package. */
export function isPlinthError(value: unknown): value is PlinthError {
  return value instanceof Error && "code" in value && String(value.code).startsWith("PLINTH_") && "wireName" in value;
}

/** The text of anything that was thrown. It never throws itself. */
export function reasonOf(cause: unknown): string {
  try {
    return textOf(cause);
  } catch {
    // A getter or a toString throws, or there is none. The caller is about to report a failure, which no other one may hide.
    return "a failure whose reason cannot be read";
  }
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const message: unknown = cause.message;
  // Several addresses of one host fail as one AggregateError without a message.
  if (cause instanceof AggregateError && message === "") return cause.errors.map(String).join("; ");
  if (typeof message === "string") return message;
  const { name }: { name: unknown } = cause;
  return `${String(name)}: ${JSON.stringify(message) ?? String(message)}`;
}

/** Every error declared by the modules imported so far, in order of code. */
export function errorCatalogue(): readonly ErrorEntry[] {
  return [...catalogue.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Two declarations claim one code. */
export const DuplicateCodeError = createError<{ duplicate: ErrorCode }>(
  "PLINTH_ERROR_DUPLICATE_CODE",
  500,
  (d) => `The error code ${d.duplicate} is declared twice; give one of the two declarations another code.`,
  {
    cause: "Two calls of createError use the same code.",
    remedy: "Rename one of the two codes; a plugin puts its own name in the area part.",
  },
);
