import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A Redis as far as connections of the app go, which can be frozen: it takes requests then and answers none. */
export interface FreezableRedis {
  readonly url: string;
  /** Scripts that were answered, and those that came while it was frozen. */
  readonly answered: number;
  readonly unanswered: number;
  freeze(): void;
  close(): Promise<void>;
}

const COUNTED = "*2\r\n:1\r\n:60000\r\n";

/** Every script counts to one here; every other command is fine. */
function answerTo(command: string): string {
  if (/\r\ninfo\r\n/i.test(command)) return "$17\r\nredis_version:7.0\r\n";
  if (/\r\nget\r\n/i.test(command)) return "$-1\r\n";
  return /\r\neval(?:sha)?\r\n/i.test(command) ? COUNTED : "+OK\r\n";
}

/** Starts one on a free port of this machine. */
export async function startFreezableRedis(): Promise<FreezableRedis> {
  const sockets = new Set<Socket>();
  const state = { isFrozen: false, answered: 0, unanswered: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      for (const command of data.toString().split(/(?=\*\d+\r\n\$)/)) {
        const answer = answerTo(command);
        if (answer === COUNTED) state[state.isFrozen ? "unanswered" : "answered"] += 1;
        if (!state.isFrozen) socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get answered() {
      return state.answered;
    },
    get unanswered() {
      return state.unanswered;
    },
    freeze: () => {
      state.isFrozen = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
