import { createServer, type RequestListener } from "node:http";
import { addressOf, listenOn } from "./address.js";
import { type ReportsHealth, withHealthAnswers } from "./health-answers.js";
import type { AskAll } from "./management-endpoints.js";

/** What is asked of a process by those who run it: a listener of its own, open before the app is and until it has stopped. */
export interface Management {
  /** @returns the address @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }` */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** What a management port is made of. */
export interface ManagementOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly health: ReportsHealth;
  /** Answers the declared endpoints. */
  readonly ask: AskAll;
  /** Gets what an endpoint throws. */
  readonly onError: (error: unknown) => void;
}

/** Makes the listener of `server.management`: health with all details, and declared endpoints. It is no address for the public. */
export function createManagement({ host, port, health, ask, onError }: ManagementOptions): Management {
  const server = createServer(withHealthAnswers(health, { withDetails: true }, answerBy(ask, onError)));
  return {
    listen: async () => {
      await listenOn(server, { host, port });
      return addressOf(server, host);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerBy(ask: AskAll, onError: (error: unknown) => void): RequestListener {
  return async ({ method, url = "" }, response) => {
    try {
      const [path = ""] = url.split("?", 1);
      const answer = method === "GET" ? await ask(path) : undefined;
      if (answer) response.writeHead(200, { "Content-Type": answer.type, "Cache-Control": "no-store" });
      else response.writeHead(404);
      response.end(answer?.body);
    } catch (error) {
      onError(error);
      response.writeHead(500).end();
    }
  };
}
