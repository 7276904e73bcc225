/** Where the server's own REST of the page is. */
const BASE = "/admin/api";

/** What the server refused, or that it did not answer. */
export class ApiError extends Error {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;

  constructor(values: Pick<ApiError, "status" | "code" | "message" | "details" | "requestId">) {
    super(values.message);
    this.name = "ApiError";
    this.status = values.status;
    this.code = values.code;
    this.details = values.details;
    this.requestId = values.requestId;
  }

  /** Whether there was no network, or no server. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Whether a list looks at more rows than the database can in time. */
  get isTooSlow(): boolean {
    return this.code === "PLINTH_ADMIN_LIST_TOO_SLOW";
  }
}

/** What a request may say beside its path. */
export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON; FormData as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Whether the request outlives the tab. */
  readonly keepalive?: boolean;
}

/** What the server answered. */
export interface ApiAnswer<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** What every request says, beside what it is about. */
const said: Record<string, string> = {
  // Over plain http browsers do not say where a read comes from; a foreign page cannot send this.
  "X-Plinth-Admin": "1",
};

/** Whose this tab is: the server refuses its requests once another account has signed in in this browser. */
export function setAccount(documentId: string): void {
  said["X-Plinth-Account"] = documentId;
}

/** Says from now on that the password was given again. */
export function setConfirmation(confirmation: string | undefined): void {
  if (confirmation === undefined) delete said["X-Plinth-Confirmation"];
  else said["X-Plinth-Confirmation"] = confirmation;
}

/** Headers of every request. */
export const ownHeaders = (): Readonly<Record<string, string>> => said;

/** Who is signed in in this browser now, in place of the one whose this tab is. */
export interface OtherAccount {
  readonly name: string;
  readonly email: string;
}

/** Code of that refusal. */
export const OTHER_ACCOUNT = "PLINTH_ADMIN_OTHER_ACCOUNT";
const replaced = new Set<(other: OtherAccount) => void>();

/** Calls a listener when another account has signed in. @returns what stops it */
export function onOtherAccount(listener: (other: OtherAccount) => void): () => void {
  replaced.add(listener);
  return () => replaced.delete(listener);
}

type Listener = () => void;
const ended = new Set<Listener>();

/** Calls a listener when the server says that the session has ended. @returns what stops it */
export function onSessionEnded(listener: Listener): () => void {
  ended.add(listener);
  return () => ended.delete(listener);
}

/**
 * Sends a request to the page's REST.
 *
 * @param path - below `/admin/api`, or from `/admin/` on
 * @throws ApiError
 */
export async function request<Body>(path: string, options: ApiRequest = {}): Promise<ApiAnswer<Body>> {
  const { body, headers, signal, keepalive = false, method = "GET" } = options;
  const isForm = body instanceof FormData;
  const url = path.startsWith("/admin/") ? path : BASE + path;
  const response = await send(url, {
    method,
    credentials: "same-origin",
    keepalive,
    ...(signal ? { signal } : {}),
    headers: {
      Accept: "application/json",
      ...ownHeaders(),
      ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = await readBody(response);
  if (!response.ok) throw refusal({ ...answered(response), body: answer });
  return { body: answer as Body, headers: response.headers };
}

/** The body of an answer. @throws ApiError */
export async function api<Body>(path: string, options: ApiRequest = {}): Promise<Body> {
  return (await request<Body>(path, options)).body;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError({ status: 0, code: "OFFLINE", message: String(cause), details: {}, requestId: null });
  }
}

/** Lines of JSON, `application/jsonl`, are none. */
const JSON_TYPE = /[/+]json\s*(?:;|$)/;

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  return JSON_TYPE.test(response.headers.get("Content-Type") ?? "") ? JSON.parse(text) : text;
}

/** The form of errors, as everywhere in the server. @source plugins/content-api/WIRE.md */
interface ErrorBody {
  readonly error?: {
    readonly message?: string;
    readonly code?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** What is known of an answer that refuses a request. */
interface Refused {
  readonly status: number;
  readonly statusText: string;
  readonly body: unknown;
  readonly requestId: string | null;
}

const answered = ({ status, statusText, headers }: Response) => ({
  ...{ status, statusText },
  requestId: headers.get("X-Request-Id"),
});

/** The error of a request that was refused; the page acts on what it says of the session. */
export function refusal({ status, statusText, body, requestId }: Refused): ApiError {
  const { message, code, details } = (body as ErrorBody | undefined)?.error ?? {};
  const error = new ApiError({
    status,
    code: code ?? `HTTP_${status}`,
    message: message ?? statusText,
    details: details ?? {},
    requestId,
  });
  noteRefusal(error);
  return error;
}

/** Code of a refusal: the role asks for a second factor by now, and the account has none. */
export const SET_UP_NEEDED = "PLINTH_ADMIN_SECOND_FACTOR_SETUP";
const incomplete = new Set<Listener>();

/** Calls a listener when a second factor has to be set up before anything else. @returns what stops it */
export function onSetUpNeeded(listener: Listener): () => void {
  incomplete.add(listener);
  return () => incomplete.delete(listener);
}

/** Tells the page what a refusal says of its session. */
function noteRefusal({ status, code, details }: ApiError): void {
  if (code === SET_UP_NEEDED) for (const listener of incomplete) listener();
  if (status === 401) for (const listener of ended) listener();
  if (code === OTHER_ACCOUNT) for (const listener of replaced) listener(details["user"] as OtherAccount);
}
