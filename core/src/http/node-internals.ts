import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

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
