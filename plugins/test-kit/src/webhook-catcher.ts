import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Catch } from "./catch.js";
import { real } from "./clock/movable-timer.js";

/** A request that an app sent to another server. */
export interface CaughtWebhook {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed JSON; undefined when it is not JSON. */
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** Which request. */
export interface WebhookFilter {
  readonly method?: string;
  /** The whole of it, without the query string. */
  readonly path?: string;
}

/** What requests are answered with. */
export interface WebhookAnswer {
  /** Default: 200. */
  readonly status?: number;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that the sender waits. */
  readonly delay?: number;
}

/** A server that accepts every request. */
export interface WebhookCatcher {
  /** `http://127.0.0.1:40124`; every path below it answers. */
  readonly url: string;
  /** Everything since the start, or since `clear`, in the order of arrival. */
  readonly all: readonly CaughtWebhook[];
  /**
   * The first request that no other call of `next` got, waited for if need be.
   *
   * @param options - `timeout`: milliseconds, 5,000 by default.
   * @throws PLINTH_TESTKIT_NOTHING_CAUGHT
   */
  next(filter?: WebhookFilter, options?: { readonly timeout?: number }): Promise<CaughtWebhook>;
  /** Answers like this from now on. Before: 200 and nothing. */
  answerWith(answer: WebhookAnswer): void;
  /** Answers like this so many times, and then as before: `failTimes(2)` is 500 twice. */
  failTimes(times: number, answer?: WebhookAnswer): void;
  clear(): void;
  stop(): Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function catchWebhooks(): Promise<WebhookCatcher> {
  const caught = new Catch<CaughtWebhook>("webhook");
  let usual: WebhookAnswer = {};
  const failures: WebhookAnswer[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    caught.add(await readRequest(request));
    await answer(response, failures.shift() ?? usual);
  };
  const server = createServer((request, response) => {
    // A sender who hangs up half-way has sent nothing.
    take(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all: caught.all,
    next: ({ method, path } = {}, options) => {
      const matches = (hook: CaughtWebhook) =>
        (method === undefined || hook.method === method) && (path === undefined || hook.path.split("?")[0] === path);
      return caught.next({ description: [method, path].filter(Boolean).join(" "), matches }, options?.timeout);
    },
    answerWith: (wanted) => {
      usual = wanted;
    },
    failTimes: (times, failure = { status: 500 }) => {
      failures.push(...Array.from({ length: times }, () => failure));
    },
    clear: () => caught.clear(),
    stop: () => {
      server.closeAllConnections();
      return new Promise((stopped) => server.close(() => stopped()));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<CaughtWebhook> {
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(headers["content-type"] ?? "") && text !== "";
  const { method = "", url: path = "" } = request;
  return { method, path, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

async function answer(
  response: ServerResponse,
  { status = 200, body, headers, delay = 0 }: WebhookAnswer,
): Promise<void> {
  if (delay > 0) await new Promise((done) => real.setTimeout(done, delay));
  const isJson = body !== undefined && typeof body !== "string";
  response.writeHead(status, { ...(isJson ? { "content-type": "application/json" } : {}), ...headers });
  response.end(isJson ? JSON.stringify(body) : body);
}
