// Runs the `plinth` commands of terminals of the tests in their own process: test/docs/plinth.mjs asks for them by a socket.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runInProcess } from "../core/cli/run-in-process.js";

/** A command as it was typed. */
interface TypedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What was piped into it, in base64. */
  readonly input?: string;
}

/** Takes commands from terminals. */
export class CommandSocket {
  readonly #folder = mkdtempSync(join(tmpdir(), "plinth-commands-"));
  readonly #server: Server = createServer((socket) => this.#serve(socket));

  constructor() {
    this.#server.listen(this.path).unref();
  }

  /** Where it listens. */
  get path(): string {
    return join(this.#folder, "socket");
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #serve(socket: Socket): void {
    createInterface({ input: socket }).once("line", (line) => {
      run(JSON.parse(line) as TypedCommand).then(
        (answer) => socket.end(JSON.stringify(answer)),
        (error: unknown) => socket.end(JSON.stringify({ code: 1, stdout: "", stderr: String(error) })),
      );
    });
  }
}

async function run({ args, cwd, env, input = "" }: TypedCommand) {
  const { code, stdout, stderr } = await runInProcess(args, { cwd, env, input: Buffer.from(input, "base64") });
  return { code, stdout: Buffer.from(stdout).toString("base64"), stderr };
}
