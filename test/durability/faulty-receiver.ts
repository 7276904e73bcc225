import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How a receiver is: it answers, answers 500, answers late, or is not there. */
export type Mood = "up" | "failing" | "slow" | "down";

/** A webhook that was answered with 200. */
export interface Accepted {
  /** Of its event, sealed: the header `webhook-id`. */
  readonly id: string;
  readonly documentId: string;
  readonly text: string;
  /** When it came, as of `performance.now()`. */
  readonly at: number;
}

const LATE = 400;

/** A receiver of webhooks on one port, whose mood changes. */
export class FaultyReceiver {
  readonly accepted: Accepted[] = [];
  #mood: Mood = "up";
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  async be(mood: Mood): Promise<void> {
    this.#mood = mood;
    if (mood === "down") await this.stop();
    else if (!this.#server) await this.start();
  }

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray().catch(() => [])).toString();
      if (this.#mood === "slow") await sleep(LATE);
      if (this.#mood === "failing") response.writeHead(500);
      else if (request.complete) this.#accept(String(request.headers["webhook-id"]), text);
      response.end();
    });
    this.#server = server;
    await new Promise<void>((listening) => server.listen(this.#port, "127.0.0.1", listening));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** At once, with what is under way. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
  }

  #accept(id: string, body: string): void {
    const { data } = JSON.parse(body) as { data: { documentId: string; entry?: { text?: string } } };
    this.accepted.push({ id, documentId: data.documentId, text: data.entry?.text ?? "", at: performance.now() });
  }
}
