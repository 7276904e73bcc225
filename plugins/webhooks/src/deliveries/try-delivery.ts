import { reasonOf } from "@plinth/core";
import { traceparentOf } from "@plinth/core/telemetry";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";
import type { Requests } from "../requests/send-request.js";
import { signatureOf } from "../requests/sign.js";
import type { ReadyDelivery } from "./delivery-store.js";

/** Milliseconds that a try may take, from the look-up of the name to the end of the answer. */
const LIMIT = 10_000;

/** The receiver does not want to get anything any more. */
const GONE = 410;

/** What came of a try; `error` is why it failed. */
export interface Outcome {
  readonly status?: number;
  readonly answer?: string;
  readonly error?: string;
  readonly isGone: boolean;
}

/** What a try is made with. */
export interface TryParts {
  readonly requests: Requests;
  /** Where it goes to. @throws what is wrong with the address of the endpoint */
  targetOf(endpoint: KnownEndpoint): URL;
  /** The id of its message. */
  messageIdOf(delivery: ReadyDelivery): string;
  /** Seconds since 1970. */
  now(): number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** Sends a delivery once. It never throws. */
export async function tryDelivery(delivery: ReadyDelivery, endpoint: KnownEndpoint, parts: TryParts): Promise<Outcome> {
  const limit = new TryLimit(parts.signal);
  try {
    const headers = headersOf(delivery, endpoint, { id: parts.messageIdOf(delivery), timestamp: parts.now() });
    const request = { url: parts.targetOf(endpoint), headers, body: delivery.body, signal: limit.signal };
    const { status, text: answer } = await parts.requests.send(request);
    const isDone = status >= 200 && status < 300;
    return { status, answer, isGone: status === GONE, ...(isDone ? {} : { error: faultOf(status) }) };
  } catch (error) {
    return { isGone: false, error: limit.hasExpired ? `no answer within ${LIMIT / 1_000} s` : reasonOf(error) };
  } finally {
    limit.release();
  }
}

/**
 * Ends a try when its time has expired, or with the process. Not by `AbortSignal.any`: the signal of the process lives for as long as
 * that leads, and Node 20 keeps what depends on it for as long.
 */
class TryLimit {
  readonly #abort = new AbortController();
  readonly #timer = setTimeout(() => this.#end(), LIMIT).unref();
  #hasExpired = false;

  constructor(private readonly stop: AbortSignal) {
    if (stop.aborted) this.#stop();
    else stop.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the time has expired. */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** Leaves nothing behind. */
  release(): void {
    clearTimeout(this.#timer);
    this.stop.removeEventListener("abort", this.#stop);
  }

  #end(): void {
    this.#hasExpired = true;
    this.#abort.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }

  readonly #stop = (): void => this.#abort.abort(this.stop.reason);
}

function faultOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `it answered ${status}, and redirects are not followed` : `it answered ${status}`;
}

function headersOf(
  { body, format, trace }: ReadyDelivery,
  { headers, secrets }: KnownEndpoint,
  { id, timestamp }: { readonly id: string; readonly timestamp: number },
): Readonly<Record<string, string>> {
  const traceparent = traceparentOf({ traceparent: trace });
  return {
    ...headers,
    ...{ "content-type": "application/json", "user-agent": "Plinth-Webhooks" },
    ...{ "webhook-id": id, "webhook-timestamp": String(timestamp) },
    "webhook-signature": signatureOf({ id, timestamp, body }, secrets),
    ...(format === "strapi" ? { "x-strapi-event": (JSON.parse(body) as { event: string }).event } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
