import type { DeliveryStore, Note } from "./delivery-store.js";

interface Waiting extends Note {
  done(): void;
  fail(error: unknown): void;
}

/** Writes down what tries came to: those that end while some are being written go together, in one transaction. */
export class NoteQueue {
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(private readonly store: Pick<DeliveryStore, "noteAll">) {}

  /** Ends when it is written. @throws PLINTH_DATABASE_* */
  add(note: Note): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ ...note, done, fail });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const notes = this.#waiting;
      this.#waiting = [];
      await this.store.noteAll(notes).then(
        () => {
          for (const { done } of notes) done();
        },
        (error: unknown) => {
          for (const { fail } of notes) fail(error);
        },
      );
    }
    this.#isWriting = false;
  }
}
