import { stringify } from "qs";

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The answer's JSON, parsed; undefined when it is not JSON. */
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** What goes with a request. */
export interface RequestOptions {
  /** Goes behind the path: `{ filters: { title: "A" }, populate: ["author"] }`. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes with a request that has a body. */
export interface SentOptions extends RequestOptions {
  /** Sent as JSON; a text, bytes or a FormData as they are. */
  readonly body?: unknown;
}

/** A file to be sent. */
export interface SentFile {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** What the client says that it is. Default: `application/octet-stream`. */
  readonly type?: string;
}

/** What goes with files. */
export interface UploadOptions extends RequestOptions {
  /** Default: `/api/upload`. */
  readonly path?: string;
  /** Name of the part of each file. Default: `files`. */
  readonly part?: string;
  /** Parts beside the files: `{ fileInfo: '{"caption":"A"}' }`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Sends requests to an app, as one caller. No status is an error; redirections are not followed. */
export interface Client {
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
  request(method: string, path: string, options?: SentOptions): Promise<Answer>;
  /** An operation at `/graphql`; the answer's body has `data` and `errors`. */
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Answer>;
  upload(files: readonly SentFile[], options?: UploadOptions): Promise<Answer>;
}

/** Makes a client of what answers at an address. @param bearer - goes with every request; none: the public. */
export function createClient(url: string, bearer?: string): Client {
  const authorization: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {};
  const request = async (method: string, path: string, { body, query, headers }: SentOptions = {}) => {
    const sent = bodyOf(body);
    const response = await fetch(`${url}${path}${queryOf(path, query)}`, {
      method,
      redirect: "manual",
      headers: headersOf(authorization, sent.headers, headers),
      ...(sent.body === undefined ? {} : { body: sent.body }),
    });
    return await answerOf(response);
  };
  return {
    request,
    get: (path, options) => request("GET", path, options),
    post: (path, body, options) => request("POST", path, { ...options, body }),
    put: (path, body, options) => request("PUT", path, { ...options, body }),
    patch: (path, body, options) => request("PATCH", path, { ...options, body }),
    delete: (path, options) => request("DELETE", path, options),
    graphql: (query, variables) =>
      request("POST", "/graphql", { body: variables === undefined ? { query } : { query, variables } }),
    upload: (files, { path = "/api/upload", part = "files", fields = {}, ...options } = {}) =>
      request("POST", path, { ...options, body: formOf(files, part, fields) }),
  };
}

function queryOf(path: string, query: RequestOptions["query"]): string {
  const text = stringify(query, { encodeValuesOnly: true });
  return text === "" ? "" : `${path.includes("?") ? "&" : "?"}${text}`;
}

/** The last value of a header counts; names ignore letter case. */
function headersOf(...layers: readonly (Readonly<Record<string, string>> | undefined)[]): Headers {
  const headers = new Headers();
  for (const layer of layers) for (const [name, value] of Object.entries(layer ?? {})) headers.set(name, value);
  return headers;
}

interface SentBody {
  readonly body?: NonNullable<RequestInit["body"]>;
  readonly headers?: Readonly<Record<string, string>>;
}

function bodyOf(body: unknown): SentBody {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  const headers = { "content-type": "application/json" };
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return { body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body), headers };
}

function formOf(files: readonly SentFile[], part: string, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content, type = "application/octet-stream" } of files)
    form.append(part, new Blob([content], { type }), name);
  return form;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
