import { createServer } from "node:http";
import { addressOf, listenOn } from "./address.js";
import type { Health } from "./health.js";
import { withHealthAnswers } from "./health-answers.js";

/** What is asked of a process by those who run it: a listener of its own, open before the app is and until it has stopped. */
export interface Management {
  /** @returns the address @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }` */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Makes the listener of `server.management`: health with all details. It is no address for the public.
 *
 * @param address - `port`: 0 takes a free one.
 */
export function createManagement(
  health: Health,
  { host, port }: { readonly host: string; readonly port: number },
): Management {
  const answer = withHealthAnswers(health, { withDetails: true }, (_, response) => response.writeHead(404).end());
  const server = createServer(answer);
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
