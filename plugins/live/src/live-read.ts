import { withOrigin } from "@plinth/core";
import { hashBody, originOf, type StreamedRead, type StreamForm, textOf } from "@plinth/core/http";
import type { ReadSource } from "@plinth/core/reads";
import { NotStreamableError } from "./errors.js";
import type { EventStream } from "./event-stream.js";
import { NextRun } from "./next-run.js";

/** A client of a stream. */
export interface Member {
  readonly read: StreamedRead;
  readonly form: StreamForm;
  readonly stream: EventStream;
  /** Of its read, by what the caller may see now. */
  key: string | undefined;
  group: LiveRead | undefined;
  /** Whether it was not known, for a fault of ours, what it may see when that was asked last. */
  hasFailed: boolean;
}

/** An answer, and when it holds. */
interface Found {
  readonly source: ReadSource;
  readonly stamp: string;
  readonly id: string;
  /** The message with it, which all clients share: those of one read want one form. */
  readonly text: Buffer;
}

/** One read for all clients who ask the same and may see the same. */
export class LiveRead {
  readonly members = new Set<Member>();
  /** Resolves with the first answer. @throws what a request would be answered with */
  readonly begun: Promise<void>;
  /** The newest answer; undefined until there is one. */
  found: Found | undefined;
  /** Of the answer that all clients have; undefined where some were shown a newer one. */
  shownId: string | undefined;
  /** Makes the answer new for clients who come; see `LiveReads`. */
  readonly renewals = new NextRun();
  /** Reads that were begun, and the number of the one that `found` is of. */
  #begun = 0;
  #foundBy = 0;

  /**
   * @param first - who made it, and who alone may use it where hooks decide the answer as well.
   * @param key - by which others find it; undefined: they do not.
   */
  constructor(
    readonly first: Member,
    readonly key: string | undefined,
  ) {
    this.begun = this.readAs(first).then(() => {
      this.shownId = this.found?.id;
    });
  }

  /**
   * Reads as one of the clients. An answer does not take the place of one whose read was begun later.
   *
   * @throws PLINTH_LIVE_NOT_STREAMABLE (406), and what a request would be answered with
   */
  async readAs(member: Member): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const found = await this.#readAs(member);
    if (turn < this.#foundBy) return;
    this.#foundBy = turn;
    this.found = found;
  }

  async #readAs({ read }: Member): Promise<Found> {
    // Code of the app that has a part in the answer acts as this client, and not as the one whose request began the look.
    const { source, stamp, body } = await withOrigin(
      () => originOf(read.request),
      () => read.read("always"),
    );
    if (source === undefined || stamp === undefined) throw new NotStreamableError({ why: WITHOUT_SOURCE });
    const answer = textOf(body);
    const id = hashBody(answer);
    const text = id === this.found?.id ? this.found.text : Buffer.from(this.first.form.next(answer, id));
    return { source, stamp, id, text };
  }

  /** Sends a client the newest answer, if it does not have that. */
  show({ stream }: Member): void {
    if (!this.found) return;
    if (this.found.id !== this.shownId) this.shownId = undefined;
    stream.send(this.found.id, this.found.text);
  }
}

const WITHOUT_SOURCE = "it is not known from what it is read";
