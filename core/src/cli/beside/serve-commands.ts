import { chmod } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../base/error.js";
import { say } from "../terminal.js";
import { createAddress, publishAddress, type SocketAddress, withdrawAddress } from "./address.js";
import type { RunningApp } from "./running-app.js";

/** How long commands may go on when the process is to end, in milliseconds. */
const END_LIMIT = 2_000;

/** A process that runs commands for others. */
export interface CommandServer {
  /** Takes no more of them, asks those that run to end, and leaves them after two seconds. */
  close(): Promise<void>;
}

/**
 * Runs the commands that are typed beside this process, which has an embedded database open: only one process can have
 * that. They come over a socket that only the owner of this process can use, and not over the network. Where there can be
 * none, that is said, and such commands are refused as if it were not there.
 *
 * @param directory - of the database, locked by this process.
 */
export async function serveCommands(directory: string, running: RunningApp): Promise<CommandServer> {
  const ends = new AbortController();
  const callers = new Map<Socket, Promise<void>>();
  let address: SocketAddress | undefined;
  const server = createServer((socket) => {
    const token = address?.token ?? "";
    const served = serveLoaded(socket, token, { running, ends: ends.signal })
      .catch((error) => say(`a command could not be run for another process: ${reasonOf(error)}`))
      .finally(() => callers.delete(socket));
    callers.set(socket, served);
  });
  try {
    address = await createAddress(directory, running.by);
    await listenAt(server, address.path);
    await publishAddress(directory, address);
  } catch (error) {
    say(`other commands cannot use the database while this process runs: ${reasonOf(error)}`);
  }
  return {
    close: async () => {
      server.close();
      if (address) await withdrawAddress(directory, address);
      ends.abort();
      await Promise.race([Promise.all(callers.values()), sleep(END_LIMIT, undefined, { ref: false })]);
      for (const socket of callers.keys()) socket.destroy();
    },
  };
}

/** What runs commands is loaded with the first of them: a server does without. */
async function serveLoaded(socket: Socket, token: string, context: Parameters<ServeCaller>[2]): Promise<void> {
  // What it sends waits; that it goes away is seen as the end.
  socket.pause().on("error", () => undefined);
  const { serveCaller } = await import("./session.js");
  await serveCaller(socket, token, context);
}

type ServeCaller = typeof import("./session.js").serveCaller;

async function listenAt(server: Server, path: string): Promise<void> {
  server.unref().listen(path);
  await once(server, "listening");
  // Until then the token keeps others out.
  if (process.platform !== "win32") await chmod(path, 0o600);
  server.on("error", (error) => say(`other commands cannot use the database any more: ${error.message}`));
}
