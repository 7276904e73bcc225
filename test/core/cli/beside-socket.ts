import { readFileSync, realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import type { SocketAddress } from "#core/cli/beside/address.js";
import { encodeFrame, FRAME, type FrameKind, FrameReader } from "#core/cli/beside/frames.js";
import { type CommandRequest, encodeRequest } from "#core/cli/beside/request.js";

/** Where the process listens that has the embedded database of a project open. */
export const addressIn = (root: string): SocketAddress =>
  JSON.parse(readFileSync(join(root, ".plinth/data.running.json"), "utf8"));

/** A caller that speaks with the running process by itself. */
export class RawCaller {
  /** What arrived on stdout, and how often raw keys were asked for. */
  stdout = "";
  readonly rawModes: string[] = [];
  exitCode: number | undefined;
  readonly closed: Promise<unknown>;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const frames = new FrameReader();
    this.closed = once(
      socket.on("error", () => undefined),
      "close",
    );
    socket.on("data", (bytes) => {
      for (const { kind, content } of frames.read(bytes) ?? []) {
        if (kind === FRAME.stdout) this.stdout += content.toString();
        if (kind === FRAME.rawMode) this.rawModes.push(content.toString());
        if (kind === FRAME.exit) this.exitCode = Number(content.toString());
      }
    });
  }

  /** Connects to the process, and asks for nothing yet. */
  static async to(root: string): Promise<RawCaller> {
    const socket = connect(addressIn(root).path);
    await once(socket, "connect");
    return new RawCaller(socket);
  }

  /** Asks for a command, as somebody who types at a terminal. */
  ask(root: string, request: Partial<CommandRequest>): void {
    const { token } = addressIn(root);
    const whole = { token, root: realpathSync(root), command: "console", arguments: {}, options: {}, debug: false };
    const size = { columns: 80, rows: 24 };
    this.sendText(encodeRequest({ ...whole, isTyped: true, isShown: true, size, ...request }));
  }

  send(kind: FrameKind, content: string): void {
    this.#socket.write(encodeFrame(kind, content));
  }

  sendText(text: string): void {
    this.#socket.write(text);
  }

  /** How much of what arrived nobody has read. */
  get unread(): number {
    return this.#socket.readableLength;
  }

  /** Reads no more. */
  pause(): void {
    this.#socket.pause();
  }

  /** Goes away without a word. */
  leave(): void {
    this.#socket.destroy();
  }
}
