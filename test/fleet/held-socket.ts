import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { PLINTH } from "../projects.js";

/** What node's cluster makes its sockets with: bound to an address, and without anybody who accepts. */
interface Handle {
  readonly fd: number;
  getsockname(into: object): number;
  close(): void;
}
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle(address: string, port: number, family: 4): Handle;
};

/** A socket as systemd holds it: open from before the first process until after the last. */
export class HeldSocket {
  readonly url: string;
  readonly #handle = createHandle("127.0.0.1", 0, 4);
  readonly #children: ChildProcess[] = [];

  constructor() {
    const name: { port?: number } = {};
    this.#handle.getsockname(name);
    this.url = `http://127.0.0.1:${name.port}`;
  }

  /** Starts the app in a folder with this socket; resolves when it has started. @returns ends it */
  async start(
    cwd: string,
    variables: Readonly<Record<string, string>>,
    options: readonly string[] = [],
  ): Promise<() => Promise<number | null>> {
    const { NODE_ENV: _, ...inherited } = process.env;
    // The shell becomes node, with the same id.
    const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"';
    const child = spawn("sh", ["-c", script, process.execPath, ...PLINTH, "start", ...options], {
      cwd,
      env: { ...inherited, ...variables },
      stdio: ["ignore", "pipe", "pipe", this.#handle.fd],
    });
    this.#children.push(child);
    const exited = once(child, "exit");
    await untilStarted(child);
    return async () => {
      child.kill("SIGTERM");
      return (await exited)[0] as number | null;
    };
  }

  /** Also stops those that a test has left, because it failed. */
  close(): void {
    for (const child of this.#children) child.kill("SIGTERM");
    this.#handle.close();
  }
}

function untilStarted(child: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((started, fail) => {
    child.once("exit", () => fail(new Error(`it has not started: ${said}`)));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-4_000);
        if (/started in/.test(said)) started();
      });
  });
}
