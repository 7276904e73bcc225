import { reasonOf } from "../../base/error.js";
import { SharedSocket } from "../../http/node-internals.js";
import { WorkerSilentError } from "../errors.js";

/** The other process: a child of this one, or its parent. */
export interface Peer {
  readonly connected: boolean;
  send?(message: object, handle: object | undefined, options: object, done: () => void): boolean;
  on(event: "message", listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/** What one side may be asked: a name -> what answers it. */
export type Answers = { readonly [name: string]: (value: never) => unknown };

type Call = { readonly asks: string; readonly id: number; readonly value?: unknown };
type Answer = { readonly answers: number; readonly value?: unknown; readonly reason?: string };

/** A question that has no answer yet. */
interface Open {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Questions in both directions over the channel between a process and its child. */
export class Channel<Theirs extends Answers> {
  readonly #open = new Map<number, Open>();
  #last = 0;

  /** @param ours - what the other side may ask; values are JSON, and a shared socket arrives as its handle. */
  constructor(
    private readonly peer: Peer,
    private readonly ours: Answers,
  ) {
    peer.on("message", (message, handle) => void this.#take(message, handle));
    peer.on("disconnect", () => this.#fail());
  }

  /** @throws PLINTH_CLI_WORKER_SILENT when the other process has ended, or could not answer */
  call<N extends keyof Theirs & string>(
    name: N,
    ...[value]: Parameters<Theirs[N]>
  ): Promise<Awaited<ReturnType<Theirs[N]>>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: resolve as Open["resolve"], reject });
      if (!this.peer.connected) this.#fail();
      else this.#send({ asks: name, id, value });
    });
  }

  async #take(message: unknown, handle: unknown): Promise<void> {
    if (isCall(message)) await this.#answer(message);
    if (!isAnswer(message)) return;
    const open = this.#open.get(message.answers);
    this.#open.delete(message.answers);
    if (message.reason === undefined) open?.resolve(handle ?? message.value);
    else open?.reject(new WorkerSilentError({ reason: message.reason }));
  }

  async #answer({ asks, id, value }: Call): Promise<void> {
    try {
      const answer = await this.ours[asks]?.(value as never);
      if (answer instanceof SharedSocket) this.#send({ answers: id }, answer.handle);
      else this.#send({ answers: id, value: answer });
    } catch (error) {
      this.#send({ answers: id, reason: reasonOf(error) });
    }
  }

  /** Where the other side is gone, "disconnect" says so to those who wait. */
  #send(message: Call | Answer, handle?: object): void {
    if (this.peer.connected) this.peer.send?.(message, handle, {}, () => undefined);
  }

  #fail(): void {
    for (const { reject } of this.#open.values()) reject(new WorkerSilentError({ reason: "the process has ended" }));
    this.#open.clear();
  }
}

const isCall = (message: unknown): message is Call =>
  typeof message === "object" && message !== null && "asks" in message;
const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "answers" in message;
