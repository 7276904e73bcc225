import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { AddressRules } from "./address-rules.js";

/** Bytes of an answer that are kept. */
const KEPT = 16_384;
/** Milliseconds for which a connection is kept that has nothing to do. */
const IDLE = 15_000;

/** A request that is to be sent, by POST. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What came back. */
export interface ReceivedAnswer {
  readonly status: number;
  /** Its first 16 kB. */
  readonly text: string;
}

/** Sends requests to other servers, over connections that stay open for a while. Redirects are answers like any other. */
export class Requests {
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE });
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: IDLE });

  /** @param rules - undefined: every address may be connected to. */
  constructor(private readonly rules: AddressRules | undefined) {}

  /** @throws PLINTH_WEBHOOKS_ADDRESS_REFUSED (500); what the connection throws; the reason of the signal */
  async send(request: OutgoingRequest): Promise<ReceivedAnswer> {
    this.rules?.assertHost(request.url);
    const first = await this.#sendOnce(request);
    // The receiver had closed a connection that was kept: it has not seen the request.
    return first ?? ((await this.#sendOnce(request, true)) as ReceivedAnswer);
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** @returns undefined where a connection turned out to be closed, unless it is the last time. */
  #sendOnce({ url, headers, body, signal }: OutgoingRequest, isLast = false): Promise<ReceivedAnswer | undefined> {
    const isHttps = url.protocol === "https:";
    const options = {
      ...{ method: "POST", signal, agent: isHttps ? this.#https : this.#http },
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      ...(this.rules ? { lookup: this.rules.lookup } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = (isHttps ? requestHttps : requestHttp)(url, options);
      request.on("response", (response) => readAnswer(response).then(resolve, reject));
      // Without a listener Node closes the connection and raises no error: this would never end.
      request.on("upgrade", ({ statusCode = 0 }, socket) => {
        socket.destroy();
        resolve({ status: statusCode, text: "" });
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (!isLast && request.reusedSocket && error.code === "ECONNRESET") resolve(undefined);
        else reject(signal.aborted ? (signal.reason as Error) : error);
      });
      request.end(body);
    });
  }
}

/** Reads the beginning of an answer; of one that goes on, the connection is closed. */
async function readAnswer(response: IncomingMessage): Promise<ReceivedAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= KEPT) break;
  }
  const text = Buffer.concat(chunks).subarray(0, KEPT).toString("utf8");
  // PostgreSQL has no place for it.
  return { status: response.statusCode ?? 0, text: text.replaceAll("\0", "\uFFFD") };
}
