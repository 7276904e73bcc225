import { Duplex } from "node:stream";
import { type EmbeddedPlace, EmbeddedThread } from "./embedded-thread.js";
import { DatabaseUnreachableError } from "../errors.js";
import { keepForNext, openInMemory } from "./spare-threads.js";

/**
 * The first byte of the message that ends a session.
 *
 * @source https://www.postgresql.org/docs/current/protocol-message-formats.html, Terminate
 */
const TERMINATE = 0x58;

/**
 * The embedded database as a server: clients connect to it by streams, as they do to others by sockets, one at a time.
 * PGlite has no means to stop a statement, and runs it in the thread that calls it. So it has a thread of its own, and
 * the process goes on answering; a connection that is destroyed while its statement runs ends the thread, as the end of
 * a process would, and the next connection opens the database again. What was committed is there then.
 */
export class EmbeddedServer {
  readonly #place: EmbeddedPlace;
  /** Whether the database survives the end of its thread: then an abandoned statement ends its thread. */
  readonly #isLasting: boolean;
  #thread: EmbeddedThread | undefined;
  #ending: Promise<void> = Promise.resolve();
  #client: EmbeddedSocket | undefined;
  /** Answers to a connection that is gone. */
  #unheard = 0;
  /** The reason why a database in memory is gone. */
  #lost: string | undefined;

  constructor(place: EmbeddedPlace) {
    this.#place = place;
    this.#isLasting = typeof place === "string";
  }

  /** Opens the database. @throws Error with the database's own words */
  async open(): Promise<void> {
    await this.#running();
  }

  /** A stream to the database that is not connected yet. */
  socket(): EmbeddedSocket {
    return new EmbeddedSocket(this);
  }

  /** Closes the database, when the statement that runs has ended; of one in memory nothing has to be waited for. */
  async close(): Promise<void> {
    await this.#ending;
    const thread = this.#thread;
    this.#thread = undefined;
    if (this.#isLasting) await thread?.close();
    else if (thread) await keepForNext(thread);
  }

  /** Lets a stream be the one connection, in a session of its own. */
  async attach(socket: EmbeddedSocket): Promise<void> {
    const thread = await this.#running();
    thread.reset();
    this.#unheard = thread.unanswered;
    this.#client = socket;
  }

  /** Sends messages of the protocol for a stream. */
  send(socket: EmbeddedSocket, bytes: Uint8Array): void {
    if (socket === this.#client) this.#thread?.send(bytes);
  }

  /** Ends the session of a stream. */
  detach(socket: EmbeddedSocket): void {
    if (socket !== this.#client) return;
    this.#client = undefined;
    const thread = this.#thread;
    if (!thread || thread.unanswered === 0 || !this.#isLasting) return;
    this.#thread = undefined;
    this.#ending = thread.end();
  }

  async #running(): Promise<EmbeddedThread> {
    await this.#ending;
    if (this.#lost !== undefined) throw new DatabaseUnreachableError({ where: "memory", reason: this.#lost });
    const open = this.#isLasting ? EmbeddedThread.open : openInMemory;
    this.#thread ??= await open(this.#place, {
      answered: (bytes) => this.#answered(bytes),
      failed: (reason) => this.#failed(reason),
    });
    return this.#thread;
  }

  #answered(bytes: Uint8Array): void {
    if (this.#unheard > 0) this.#unheard -= 1;
    else this.#client?.push(bytes);
  }

  #failed(reason: string): void {
    this.#thread = undefined;
    if (!this.#isLasting) this.#lost = `the database in memory is lost (${reason}); restart the app`;
    this.#client?.destroy(new Error(`Connection terminated: ${reason}`));
  }
}

/** A stream to the embedded database, with what clients of PostgreSQL call of a socket. */
class EmbeddedSocket extends Duplex {
  constructor(private readonly server: EmbeddedServer) {
    super();
  }

  connect(): this {
    this.server.attach(this).then(
      () => this.emit("connect"),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed as they come.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk);
    done();
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.server.detach(this);
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.server.detach(this);
    done(error);
  }

  /** The database would end with the session. */
  #send(bytes: Buffer): void {
    if (bytes[0] !== TERMINATE) this.server.send(this, new Uint8Array(bytes));
  }
}
