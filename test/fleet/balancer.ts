import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Milliseconds between two questions for readiness. */
const INTERVAL = 1_000;

/**
 * Sends each GET to one of the processes that say on /health/ready that they should get requests, in turn. What failed before
 * an answer began is sent to another one, once; what came of it is not changed.
 */
export class Balancer {
  /** How many requests were sent to another process. */
  tried = 0;
  #ready: readonly string[] = [];
  #turn = 0;
  readonly #server: Server = createServer((request, response) => this.#send(request, response, []));
  readonly #timer = setInterval(() => void this.ask(), INTERVAL);

  constructor(private readonly processes: readonly string[]) {}

  /** @returns its address */
  async start(): Promise<string> {
    await Promise.all([this.ask(), new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done))]);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Asks all whether they are ready. */
  async ask(): Promise<void> {
    const answers = await Promise.all(this.processes.map((url) => fetch(`${url}/health/ready`).catch(() => undefined)));
    await Promise.all(answers.map((answer) => answer?.text()));
    this.#ready = this.processes.filter((_, index) => answers[index]?.ok);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #send(request: IncomingMessage, response: ServerResponse, failed: readonly string[]): void {
    const left = this.#ready.filter((url) => !failed.includes(url));
    const url = left[this.#turn++ % left.length];
    if (url === undefined || failed.length > 1) return void response.writeHead(502).end("{}");
    const asked = get(url + request.url, (answer) => {
      asked.off("error", retry);
      asked.on("error", () => response.destroy());
      answer.on("error", () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    const retry = (): void => {
      this.tried += 1;
      this.#send(request, response, [...failed, url]);
    };
    asked.on("error", retry);
  }
}
