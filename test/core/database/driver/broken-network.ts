import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that breaks as networks and poolers do. */
export interface BrokenNetwork {
  /** The address of the server, by this way. */
  readonly url: string;
  /** From now on nothing arrives any more, neither there nor here, and nobody is told: neither do new connections end. */
  freeze(): void;
  /** New connections work again; those from before stay dead. */
  restore(): void;
  /** Every connection is cut after some more bytes of answers. */
  cutAfter(bytes: number): void;
  /** Says something to the client on every connection, as if the server had. */
  inject(bytes: Buffer): void;
  close(): Promise<void>;
}

/** Puts a proxy before the server of a database URL. */
export async function breakableWay(to: string): Promise<BrokenNetwork> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let isFrozen = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(target.port || 5432), host: target.hostname, allowHalfOpen: true });
    clients.add(client);
    let isDead = isFrozen;
    frozen.push(() => (isDead = true));
    pass(client, upstream);
    pass(upstream, client);
    function pass(from: Socket, into: Socket): void {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (isDead) return;
        into.write(bytes);
      });
      from.on("end", () => isDead || into.end());
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        clients.delete(from);
        if (!isDead) into.destroy();
      });
    }
  });
  const frozen: (() => void)[] = [];
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = new URL(to);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own.href,
    freeze: () => {
      isFrozen = true;
      for (const freeze of frozen.splice(0)) freeze();
    },
    restore: () => {
      isFrozen = false;
    },
    cutAfter: (bytes) => {
      for (const client of clients) {
        let left = bytes;
        const write = client.write.bind(client) as (chunk: Buffer) => boolean;
        client.write = ((chunk: Buffer) => {
          if (chunk.length < left) {
            left -= chunk.length;
            return write(chunk);
          }
          client.end(chunk.subarray(0, left));
          client.destroySoon();
          return false;
        }) as Socket["write"];
      }
    },
    inject: (bytes) => {
      for (const client of clients) client.write(bytes);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
