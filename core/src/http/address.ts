import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ListenError } from "./errors.js";

/**
 * Has a server accept connections.
 *
 * @param port - 0 takes a free one.
 * @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }`
 */
export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      reject(new ListenError({ host, port, reason: cause.code ?? cause.message }, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** Where a listening server is reached, such as `http://127.0.0.1:1337`. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}
