import { once } from "node:events";
import { realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { databaseConfigOf } from "../../app/app-database.js";
import type { AppSetup } from "../../app/app-setup.js";
import { RunningProcessLostError } from "../errors.js";
import type { CommandHost } from "../host.js";
import { readAddress, sharedDirectory, type SocketAddress } from "./address.js";
import { encodeFrame, encodeSize, FRAME, type Frame, FrameReader, type TerminalSize } from "./frames.js";
import { type CommandRequest, encodeRequest } from "./request.js";

/** How long a command may go on after a signal, in milliseconds, before this process leaves it. */
const SIGNAL_LIMIT = 2_000;
/** Exit codes of who was ended by a signal, as shells have them. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Has the process run a command that has the embedded database of a project open, as if it ran here: with the terminal and
 * the exit code of the host, and the signals of this process.
 *
 * @returns false where no process has it open
 * @throws PLINTH_CLI_PROCESS_LOST (500)
 */
export async function callRunning(
  setup: AppSetup,
  call: Pick<CommandRequest, "command" | "arguments" | "options" | "user">,
  host: CommandHost,
): Promise<boolean> {
  const directory = sharedDirectory(databaseConfigOf(setup));
  const address = directory === undefined ? undefined : await readAddress(directory);
  const socket = address && (await connectTo(address));
  if (!address || !socket) return false;
  const { stdin, stdout, say } = host.terminal;
  say(`\`${address.by}\` (process ${address.pid}) has the database open, and runs this command`);
  const request = {
    ...{ ...call, token: address.token, root: realpathSync(setup.root), debug: host.withStack },
    ...{ isTyped: stdin.isTTY === true, isShown: isTerminal(stdout), size: sizeOf(stdout) },
  };
  host.exitWith(await new Call(socket, address, host.terminal).run(request));
  return true;
}

/** A stream that is a terminal has its size. */
type Shown = Writable & Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

const isTerminal = ({ isTTY }: Shown): boolean => isTTY === true;
const sizeOf = ({ columns = 80, rows = 24 }: Shown): TerminalSize => ({ columns, rows });

/** Undefined when no process listens: the one that did was killed. */
async function connectTo({ path }: SocketAddress): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    // Opening the database says what is the matter, if it is not free.
    return undefined;
  }
}

/** Only where somebody types. */
function setRawMode(stdin: Readable & Partial<Pick<ReadStream, "isTTY" | "setRawMode">>, isRaw: boolean): void {
  if (stdin.isTTY) stdin.setRawMode?.(isRaw);
}

/** A command that runs in another process. */
class Call {
  readonly #frames = new FrameReader();
  readonly #input: AsyncIterator<Buffer>;
  #exitCode: number | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly address: SocketAddress,
    private readonly terminal: CommandHost["terminal"],
  ) {
    this.#input = terminal.stdin[Symbol.asyncIterator]();
  }

  /** @returns its exit code */
  async run(request: CommandRequest): Promise<number> {
    const { socket, address } = this;
    const { stdin, stdout } = this.terminal;
    const ended = new Promise<void>((resolve) => socket.on("error", () => undefined).once("close", () => resolve()));
    socket.on("data", (bytes) => this.#take(bytes)).write(encodeRequest(request));
    const resize = () => socket.write(encodeFrame(FRAME.size, encodeSize(sizeOf(stdout))));
    stdout.on("resize", resize);
    const unlisten = this.#passSignals();
    await ended;
    unlisten();
    stdout.off("resize", resize);
    setRawMode(stdin, false);
    stdin.destroy();
    if (this.#exitCode === undefined) throw new RunningProcessLostError({ by: address.by, pid: address.pid });
    return this.#exitCode;
  }

  /** The command gets the wish to end; one that does not follow it goes on without this process. */
  #passSignals(): () => void {
    const handlers = Object.entries(SIGNALS).map(([name, code]) => {
      const handle = () => {
        this.socket.write(encodeFrame(FRAME.signal, name));
        this.#exitCode = code;
        setTimeout(() => this.socket.destroy(), SIGNAL_LIMIT).unref();
      };
      process.on(name, handle);
      return () => void process.off(name, handle);
    });
    return () => {
      for (const off of handlers) off();
    };
  }

  #take(bytes: Buffer): void {
    const frames = this.#frames.read(bytes);
    if (!frames) this.socket.destroy();
    for (const frame of frames ?? []) this.#follow(frame);
  }

  #follow({ kind, content }: Frame): void {
    const { stdin, stdout, stderr } = this.terminal;
    if (kind === FRAME.stdout) this.#write(stdout, content);
    else if (kind === FRAME.stderr) this.#write(stderr, content);
    else if (kind === FRAME.wantsInput) void this.#sendInput();
    else if (kind === FRAME.rawMode) setRawMode(stdin, content.toString() === "1");
    else if (kind === FRAME.exit) this.#exitCode ??= Number(content.toString());
  }

  /** No more is taken from the socket than our reader takes. */
  #write(to: Writable, content: Buffer): void {
    if (to.write(content)) return;
    this.socket.pause();
    to.once("drain", () => this.socket.resume());
  }

  /** One piece, or the end, which is a frame without content. */
  async #sendInput(): Promise<void> {
    // Rejects when the command ends while somebody could still type: then nothing is sent any more.
    const { value, done } = await this.#input.next().catch(() => ({ value: undefined, done: true }));
    if (!this.socket.writable) return;
    this.socket.write(encodeFrame(FRAME.input, done ? "" : (value as Buffer)));
  }
}
