import type { Socket } from "node:net";
import { failureText } from "../print-failure.js";
import type { Terminal } from "../terminal.js";
import { encodeFrame, FRAME, type Frame, FrameReader, parseSize } from "./frames.js";
import { type CommandRequest, LONGEST_REQUEST, parseRequest } from "./request.js";
import type { RunningApp } from "./running-app.js";
import { runRequest } from "./run-request.js";
import { SessionInput, SessionOutput } from "./session-streams.js";

/** How long a caller may take to ask, in milliseconds. */
const ASK_LIMIT = 10_000;

/** One caller: from its request to the exit code. Resolves when the conversation is over; never rejects. */
export async function serveCaller(
  socket: Socket,
  token: string,
  { running, ends }: { readonly running: RunningApp; readonly ends: AbortSignal },
): Promise<void> {
  const asked = await readRequest(socket, token);
  if (!asked) socket.destroy();
  else await new Session(socket, asked, running).run(ends);
}

interface Asked {
  readonly request: CommandRequest;
  /** What came after the line already. */
  readonly rest: Buffer;
}

function readRequest(socket: Socket, token: string): Promise<Asked | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (asked?: Asked) => {
      clearTimeout(limit);
      socket.off("data", take);
      resolve(asked);
    };
    const limit = setTimeout(finish, ASK_LIMIT);
    const take = (bytes: Buffer) => {
      pieces.push(bytes);
      length += bytes.length;
      if (length > LONGEST_REQUEST) return finish();
      if (!bytes.includes("\n")) return;
      const all = Buffer.concat(pieces);
      const end = all.indexOf("\n");
      const request = parseRequest(all.toString("utf8", 0, end), token);
      socket.pause();
      finish(request && { request, rest: all.subarray(end + 1) });
    };
    socket
      .on("data", take)
      .once("close", () => finish())
      .resume();
  });
}

class Session {
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #abort = new AbortController();
  readonly #stdin: SessionInput;
  readonly #stdout: SessionOutput;
  readonly #stderr: SessionOutput;
  #exitCode = 0;

  constructor(
    socket: Socket,
    private readonly asked: Asked,
    private readonly running: RunningApp,
  ) {
    const { isTyped, isShown, size } = asked.request;
    this.#socket = socket;
    this.#stdin = new SessionInput(socket, isTyped);
    this.#stdout = new SessionOutput(socket, FRAME.stdout, { isTTY: isShown, size });
    this.#stderr = new SessionOutput(socket, FRAME.stderr, { isTTY: isShown, size });
  }

  async run(ends: AbortSignal): Promise<void> {
    const end = () => this.#end();
    this.#socket.once("close", end).on("data", (bytes) => this.#take(bytes));
    ends.addEventListener("abort", end);
    this.#take(this.asked.rest);
    this.#socket.resume();
    try {
      await runRequest(this.asked.request, this.running, this.#terminal());
    } catch (error) {
      this.#exitCode = 1;
      this.#stderr.write(failureText(error, { withStack: this.asked.request.debug }));
    }
    ends.removeEventListener("abort", end);
    await this.#close();
  }

  #terminal(): Terminal {
    return {
      ...{ stdin: this.#stdin, stdout: this.#stdout, signal: this.#abort.signal },
      print: (line = "") => void this.#stdout.write(`${line}\n`),
      say: (line) => void this.#stderr.write(`[plinth] ${line}\n`),
      fail: () => {
        this.#exitCode = 1;
      },
    };
  }

  /** What is no conversation ends it. */
  #take(bytes: Buffer): void {
    const frames = this.#frames.read(bytes);
    if (!frames) this.#socket.destroy();
    for (const frame of frames ?? []) this.#follow(frame);
  }

  #follow({ kind, content }: Frame): void {
    if (kind === FRAME.input) this.#stdin.give(content);
    else if (kind === FRAME.signal) this.#end();
    else if (kind === FRAME.size) this.#stdout.resize(parseSize(content));
    else this.#socket.destroy();
  }

  /** The caller has gone, wants an end, or has to be left: a prompt sees the end of its input, other commands the signal. */
  #end(): void {
    this.#abort.abort();
    this.#stdin.give(Buffer.alloc(0));
  }

  async #close(): Promise<void> {
    const outputs = [this.#stdout, this.#stderr].filter(({ destroyed }) => !destroyed);
    await Promise.all(outputs.map((output) => new Promise<void>((done) => output.end(() => done()))));
    this.#stdin.destroy();
    if (this.#socket.destroyed) return;
    this.#socket.end(encodeFrame(FRAME.exit, String(this.#exitCode)));
    // A caller that has gone is no failure: its socket may end with an error.
    await new Promise((done) => this.#socket.once("close", done));
  }
}
