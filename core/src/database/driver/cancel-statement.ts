import { connect } from "node:net";
import type { HostAddress } from "./host-list.js";

/** Length and code of a CancelRequest. */
const LENGTH = 16;
const CANCEL_REQUEST = 80_877_102;
/** Milliseconds that the server has to take it. */
const LIMIT = 300;

/**
 * Asks a server, or a pooler, to end what a session runs. It answers nothing and closes the connection, whether or not
 * there was something to end; a server that cannot be reached is given up after 300 ms.
 *
 * @param key - what the server said to the session when it began.
 * @source https://www.postgresql.org/docs/current/protocol-flow.html, "Canceling Requests in Progress"
 */
export function cancelStatement(
  { host, port }: HostAddress,
  { processID, secretKey }: { readonly processID: number; readonly secretKey: number },
): Promise<void> {
  const request = Buffer.alloc(LENGTH);
  for (const [index, word] of [LENGTH, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(word, index * Int32Array.BYTES_PER_ELEMENT);
  return new Promise((resolve) => {
    const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const limit = setTimeout(() => socket.destroy(), LIMIT);
    // A server that is gone runs nothing: its "close" follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(limit);
      resolve();
    });
    socket.resume().end(request);
  });
}
