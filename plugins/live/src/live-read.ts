import { hashBody, type StreamedRead, textOf } from "@plinth/core/http";
import type { ReadSource } from "@plinth/core/reads";
import { NotStreamableError } from "./errors.js";
import type { EventStream } from "./event-stream.js";

/** A client of a stream. */
export interface Member {
  readonly read: StreamedRead;
  readonly stream: EventStream;
  /** Of its read, by what the caller may see now. */
  key: string | undefined;
  group: LiveRead | undefined;
}

/** An answer, and when it holds. */
interface Found {
  readonly source: ReadSource;
  readonly stamp: string;
  readonly body: string;
  readonly id: string;
}

/** One read for all clients who ask the same and may see the same. */
export class LiveRead {
  readonly members = new Set<Member>();
  /** Resolves with the first answer. @throws what a request would be answered with */
  readonly begun: Promise<void>;
  /** Undefined until there is one. */
  found: Found | undefined;

  /**
   * @param first - who made it, and who alone may use it where hooks decide the answer as well.
   * @param key - by which others find it; undefined: they do not.
   */
  constructor(
    readonly first: Member,
    readonly key: string | undefined,
  ) {
    this.begun = this.readAs(first).then((found) => {
      this.found = found;
    });
  }

  /** Reads as one of the clients. @throws PLINTH_LIVE_NOT_STREAMABLE (406), and what a request would be answered with */
  async readAs({ read }: Member): Promise<Found> {
    const { source, stamp, body } = await read.read("always");
    if (source === undefined || stamp === undefined) throw new NotStreamableError({ why: WITHOUT_SOURCE });
    const text = textOf(body);
    return { source, stamp, body: text, id: hashBody(text) };
  }

  /** Sends a client the newest answer, if it does not have that. */
  show({ read: { form = this.first.read.form }, stream }: Member): void {
    if (this.found && form) stream.send(this.found.id, form.next(this.found.body, this.found.id));
  }
}

const WITHOUT_SOURCE = "it is not known from what it is read";
