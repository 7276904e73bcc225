import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ListenError } from "./errors.js";

/** Where a server accepts connections. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Descriptor of a socket that somebody else has opened, instead of host and port. */
  readonly socket?: number | undefined;
}

/**
 * Has a server accept connections.
 *
 * @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }`
 */
export function listenOn(server: Server, { host, port, socket }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      reject(new ListenError({ host, port, reason: cause.code ?? cause.message }, { cause }));
    };
    server.once("error", fail);
    server.listen(socket === undefined ? { host, port } : { fd: socket }, () => {
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
