import { randomUUID } from "node:crypto";
import type { App } from "@plinth/core";
import { logFault } from "@plinth/core/http";
import type { ChangeAction, Presence } from "../wire/live.js";
import type { Person } from "../wire/account.js";

/** A write of a document, as processes tell each other. */
export interface Change {
  readonly uid: string;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  readonly action: ChangeAction;
  /** documentId of the administrator who wrote. */
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether something published was made, changed or taken away. */
  readonly isLive: boolean;
}

/** Where a tab of somebody is now; `at` null: it has left. */
export interface Move {
  readonly account: string;
  readonly tab: string;
  readonly person: Person;
  readonly at: Presence | null;
}

/** What is done with messages of all processes, this one included. */
export interface Receiver {
  changed(changes: readonly Change[]): void;
  moved(move: Move): void;
  /** Messages may have been lost. */
  lost(): void;
}

const CHANNEL = "admin-live";
/** Milliseconds between two messages of a process about writes, however many there are. */
const PAUSE = 50;
/** Bytes of one message: PostgreSQL takes less than 8,000, with the envelope around it. */
const MOST_BYTES = 6_000;
/** Writes that are sent one by one; more in one pause are sent as `isLost`. */
const MOST_CHANGES = 2_000;
/** Milliseconds between two messages that say that somebody listens, and for how long one holds. */
const SAY_EVERY = 10_000;
const HOLDS = 30_000;

interface Message {
  readonly changes?: readonly Change[];
  readonly move?: Move;
  /** Name of a process that listens. */
  readonly listener?: string;
  readonly isLost?: true;
}

/**
 * Messages between processes about writes and presence. Where no process has a stream nothing is sent: those that
 * have one say so again and again. After a start, or where messages were lost, others are expected until they had time to.
 */
export class LiveMessages {
  readonly #own = randomUUID();
  #changes: Change[] = [];
  #hasOverflown = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether this process has streams. */
  #isListening = false;
  #saidAt = Number.NEGATIVE_INFINITY;
  #othersUntil = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;

  /** @param now - milliseconds since some moment. */
  constructor(
    private readonly app: Pick<App, "log"> & { readonly db: Pick<App["db"], "messages"> },
    private readonly receiver: Receiver,
    private readonly now: () => number = () => performance.now(),
  ) {}

  open(): void {
    const onLost = (): void => {
      this.#expectOthers();
      this.receiver.lost();
    };
    // Others that said before that they listen say it again only after a while.
    this.#expectOthers();
    this.#unsubscribe ??= this.app.db.messages.subscribe(CHANNEL, { onMessage: (text) => this.#receive(text), onLost });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Whether somebody listens, here or in another process. */
  get isHeard(): boolean {
    return this.#unsubscribe !== undefined && (this.#isListening || this.now() < this.#othersUntil);
  }

  /** Sends a write to the other processes, after its commit. */
  tell(changes: readonly Change[]): void {
    if (!this.isHeard) return;
    if (this.#changes.length + changes.length > MOST_CHANGES) this.#hasOverflown = true;
    else this.#changes.push(...changes);
    this.#timer ??= setTimeout(() => this.#flush(), PAUSE).unref();
  }

  /** Tells where somebody is. */
  move(move: Move): void {
    if (this.isHeard) this.#publish({ move });
    else this.receiver.moved(move);
  }

  /** Says that this process has streams, or that it has none any more; asked for every few seconds, it says so when it is time. */
  listen(isListening: boolean): void {
    this.#isListening = isListening;
    if (!isListening || this.now() < this.#saidAt + SAY_EVERY) return;
    this.#saidAt = this.now();
    this.#publish({ listener: this.#own });
  }

  #flush(): void {
    this.#timer = undefined;
    const changes = this.#changes;
    const hasOverflown = this.#hasOverflown;
    this.#changes = [];
    this.#hasOverflown = false;
    if (hasOverflown) this.#publish({ isLost: true });
    else for (const part of inParts(changes)) this.#publish({ changes: part });
  }

  #publish(message: Message): void {
    this.app.db.messages.publish(CHANNEL, JSON.stringify(message)).catch((error: unknown) => {
      logFault(this.app.log, error, {}, "Other processes were not told what was written, or who is where");
      this.receiver.lost();
    });
  }

  #receive(text: string): void {
    const { changes, move, listener, isLost } = parse(text);
    if (listener !== undefined && listener !== this.#own) this.#expectOthers();
    if (changes) this.receiver.changed(changes);
    if (move) this.receiver.moved(move);
    if (isLost) this.receiver.lost();
  }

  #expectOthers(): void {
    this.#othersUntil = this.now() + HOLDS;
  }
}

/** A message that cannot be read may have been any. */
function parse(text: string): Message {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return { isLost: true };
  }
}

/** Parts that fit into one message each; a text is within a text there. */
function inParts(changes: readonly Change[]): readonly (readonly Change[])[] {
  const parts: Change[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(change)));
    if (size + bytes > MOST_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(change);
    size += bytes;
  }
  return parts;
}
