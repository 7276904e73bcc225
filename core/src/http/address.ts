import { lookup } from "node:dns/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ListenError } from "./errors.js";
import { SharedSocket } from "./node-internals.js";

/** Where a server accepts connections. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A socket that somebody else has opened, instead of host and port. */
  readonly socket?: OpenSocket | undefined;
}

/** The descriptor of a socket, or the handle of one that came over the channel of a parent process. */
export type OpenSocket = number | object;

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
    server.listen(optionsOf({ host, port, socket }), () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function optionsOf({ host, port, socket }: ListenAddress): object {
  if (socket === undefined) return { host, port };
  return typeof socket === "number" ? { fd: socket } : socket;
}

/**
 * Opens a socket for other processes, without accepting on it.
 *
 * @param at - `socket`: the descriptor of one that is open already.
 * @throws PLINTH_HTTP_CANNOT_LISTEN (500) details `{ host, port, reason }`
 */
export async function shareSocket(at: {
  readonly host: string;
  readonly port: number;
  readonly socket?: number | undefined;
}): Promise<SharedSocket> {
  const { host, port, socket } = at;
  try {
    return new SharedSocket(socket === undefined ? { ...(await lookup(host)), port } : { fd: socket });
  } catch (cause) {
    throw new ListenError({ host, port, reason: (cause as NodeJS.ErrnoException).code ?? String(cause) }, { cause });
  }
}

/** Where a listening server is reached, such as `http://127.0.0.1:1337`. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}
