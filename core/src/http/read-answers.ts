import type { IncomingMessage } from "node:http";
import accepts from "accepts";
import { LRUCache } from "lru-cache";
import { bytesOf, type Size } from "../base/options/values.js";
import type { ReadSource } from "../database/reads/read.js";
import type { App } from "../kernel/app.js";
import { hashBody, isKnownTag, tagOf, textOf } from "./answer-body.js";
import type { AskedRead } from "./asked-read.js";
import type { ReadStreams, StreamedRead } from "./read-streams.js";
import type { EndpointAnswer, RequestInfo } from "./request-info.js";

/** Bytes of all answers that are kept, where bodies are not. */
const MOST_BYTES = 8_000_000;

/** Bytes of an answer beside its key and its body: measured, 0.5 kB with that of the map. */
const ENTRY_BYTES = 500;

/** An answer that was given, and when it holds. */
interface KnownAnswer {
  readonly source: ReadSource;
  readonly stamp: string;
  readonly hash: string;
  readonly tag: string;
  /** Undefined where bodies are not kept. */
  readonly body: Buffer | undefined;
  readonly headers: EndpointAnswer["headers"];
}

/** Adds headers to answers to reads; the plugin http-cache declares one. */
export interface ReadHeaders {
  /** Of an answer of 200, or of 304; names in lower case. */
  headersOf(request: RequestInfo, answer: EndpointAnswer): Readonly<Record<string, string>>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    "read-headers": ReadHeaders;
  }
}

/**
 * Answers to reads that were given before: as long as the stamp of their tables is the same, a client that has the body
 * gets 304 for the price of one small statement, and where bodies are kept everybody gets it for that. What a client is
 * told depends on the body alone: the stamp, which moves with what they may not see as well, stays here.
 */
export class ReadAnswers {
  readonly #known: LRUCache<string, KnownAnswer>;
  readonly #app: App;
  readonly #keepsBodies: boolean;
  /** Undefined where no plugin answers by streams. */
  readonly #streams: ReadStreams | undefined;
  /** Undefined where no plugin adds headers. */
  readonly #headers: ReadHeaders | undefined;
  #locales: App["model"]["locales"] | undefined;

  /** @param bytes - of all answers, with their bodies; 0: bodies are not kept. */
  constructor(app: App, bytes: number) {
    this.#app = app;
    this.#keepsBodies = bytes > 0;
    this.#streams = app.registry("read-stream").entries()[0]?.[1];
    this.#headers = app.registry("read-headers").entries()[0]?.[1];
    // Bytes are the only limit: for a limit in answers, the cache would make room for all of them now, which takes 10 ms.
    this.#known = new LRUCache({
      maxSize: bytes || MOST_BYTES,
      maxEntrySize: (bytes || MOST_BYTES) / 8,
      sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length * 2 + (body?.length ?? 0),
    });
  }

  /** Whether tags are of use to more than those who ask by one: to what is kept, to caches, to streams that begin with one. */
  get usesTags(): boolean {
    return this.#keepsBodies || this.#headers !== undefined || this.#streams !== undefined;
  }

  /** Answers a read, again where that is the same, and on and on where the client wants a stream. */
  async answer(asked: AskedRead & Partial<StreamedRead>): Promise<EndpointAnswer> {
    const { request } = asked;
    if (this.#streams && wantsStream(request, [JSON_FORM]))
      return await this.#streams.open({ ...asked, identify: asked.identify ?? identifyOf(request) });
    const answer = await this.#answerOnce(asked);
    if (!this.#headers) return answer;
    return { ...answer, headers: { ...answer.headers, ...this.#headers.headersOf(request, answer) } };
  }

  async #answerOnce({ request, key: keyOf, read }: AskedRead): Promise<EndpointAnswer> {
    const condition = request.headers["if-none-match"];
    const isOpen = request.isAnswered && (condition !== undefined || this.#keepsBodies);
    const key = isOpen ? keyOf() : undefined;
    if (key === undefined) return await read(undefined);
    this.#followLocales();
    const known = this.#known.get(key);
    const isUsable = known && (known.body !== undefined || isKnownTag(condition ?? "", known.hash));
    if (isUsable && (await known.source.stampNow(request.from)) === known.stamp) return again(known, condition);
    const answer = await read("decisive");
    return this.#note(key, answer, condition);
  }

  #note(key: string, answer: EndpointAnswer, condition: string | undefined): EndpointAnswer {
    const { source, stamp, status, version, headers } = answer;
    if (!source?.decides || stamp === undefined || status !== OK) return answer;
    const body = textOf(answer.body);
    const hash = hashBody(body);
    const tag = tagOf(version, hash);
    this.#known.set(key, {
      source,
      stamp,
      hash,
      tag,
      headers,
      body: this.#keepsBodies ? Buffer.from(body) : undefined,
    });
    return isKnownTag(condition ?? "", hash)
      ? { status: NOT_MODIFIED, tag, headers, source }
      : { status, tag, headers, source, body };
  }

  /** Reads know the locales as they were. */
  #followLocales(): void {
    const { locales } = this.#app.model;
    if (locales === this.#locales) return;
    this.#known.clear();
    this.#locales = locales;
  }
}

const identifyOf = (request: RequestInfo) => (request.identify ? () => request.identify?.() : undefined);

/**
 * Whether a request asks for server-sent events.
 *
 * @param rivals - other forms in which it could be answered: one of them is taken where the client prefers it.
 * @source https://www.rfc-editor.org/rfc/rfc9110#name-accept
 */
export function wantsStream({ method, headers }: RequestInfo, rivals: readonly string[] = []): boolean {
  // Nearly no request names them, and a wildcard asks for none.
  if (method === "HEAD" || !headers.accept?.includes(STREAM)) return false;
  return accepts({ headers } as IncomingMessage).type([...rivals, STREAM]) === STREAM;
}

const STREAM = "text/event-stream";
const JSON_FORM = "application/json";

const OK = 200;
const NOT_MODIFIED = 304;

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

function again({ hash, tag, body, headers, source }: KnownAnswer, condition: string | undefined): EndpointAnswer {
  if (isKnownTag(condition ?? "", hash)) return { status: NOT_MODIFIED, tag, headers, source };
  return { status: OK, tag, body, source, headers: { ...JSON_TYPE, ...headers } };
}

const opened = new WeakMap<App, ReadAnswers>();

/** The answers of an app, which its APIs share; `api.rest.cache` says how many bytes of bodies are kept. */
export function readAnswersOf(app: App): ReadAnswers {
  const known = opened.get(app) ?? new ReadAnswers(app, bytesOf(app.config.get<Size>("api.rest.cache") ?? 0));
  opened.set(app, known);
  return known;
}
