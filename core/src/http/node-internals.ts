import { IncomingMessage, ServerResponse } from "node:http";
import net, { Socket } from "node:net";
import { getSystemErrorName } from "node:util";

/*
 * Everything of Node that its documentation does not name is reached here and nowhere else in this floor. Written against
 * Node 20 to 24; test/core/http/node-internals.test.ts fails when a version of Node has it no more.
 */

/**
 * Bytes of the write under way that the system has not taken. A large answer is one write, which is done when all of it
 * is: only this tells how far it is. Node's own timeouts of sockets look at the same figure.
 */
export function queuedBytes(socket: Socket): number {
  return (socket as { readonly _handle?: { readonly writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;
}

/** A listening socket as the system knows it. */
interface SocketHandle {
  getsockname(into: object): number;
  close(): void;
}

/** What node's cluster makes its sockets with; a number is an error of the system. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle(address: string | null, port: number, family: number, descriptor?: number): SocketHandle | number;
};

/**
 * A socket that is bound to an address, and on which this process does not accept. Other processes get `handle` over their
 * channel, and listen on it; the socket lasts until all of them and this one have closed it.
 */
export class SharedSocket {
  readonly handle: object;
  readonly #socket: SocketHandle;

  /** @throws an error with the code of the system, such as EADDRINUSE */
  constructor(
    at: { readonly address: string; readonly port: number; readonly family: number } | { readonly fd: number },
  ) {
    const made = "fd" in at ? createHandle(null, 0, -1, at.fd) : createHandle(at.address, at.port, at.family);
    // An address in use is reported by the first call after the bind.
    const code = typeof made === "number" ? made : made.getsockname({});
    if (typeof made === "number" || code !== 0)
      throw Object.assign(new Error(getSystemErrorName(code)), { code: getSystemErrorName(code) });
    this.#socket = made;
    this.handle = made;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Has an answer, whose headers are not sent yet, end its connection; Node says so in them. */
export function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** A request without a connection, and a response to it that is never sent, for what looks at no more than headers. */
export function createExchange(headers: Readonly<Record<string, string>>): {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
} {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: "GET",
    url: "/",
    headers: { ...headers },
  });
  return { request, response: new ServerResponse(request) };
}
