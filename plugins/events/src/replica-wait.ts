import type { Database } from "@plinth/core";

/** Where the log of the database was when all events up to one were settled. */
interface Shown {
  readonly upTo: number;
  readonly position: string | undefined;
}

/**
 * Waits until the replicas have what events are about: who gets one, and reads its document, finds it. One position is asked for all events
 * that were settled by then, so that many pages of them wait once, for the same point of the log, and not each for a later one.
 */
export class ReplicaWait {
  #shown: Shown | undefined;

  constructor(private readonly db: Pick<Database, "replicas" | "query">) {}

  /**
   * @param last - the last event of those that are handed on.
   * @param upTo - up to where events were settled before they were read.
   */
  async until(last: number, upTo: number): Promise<void> {
    const { replicas } = this.db;
    if (!replicas) return;
    const shown = this.#shown && last <= this.#shown.upTo ? this.#shown : await this.#look(upTo);
    // Also where it was waited for before: another replica may be in use by now.
    await replicas.allAt(shown.position);
  }

  /** Knows nothing any more: another server may give ids and positions again. */
  forget(): void {
    this.#shown = undefined;
  }

  async #look(upTo: number): Promise<Shown> {
    const text = this.db.replicas?.commitText;
    const [row] = text === undefined ? [] : await this.db.query<{ position: string }>({ text, values: [] });
    const shown = { upTo, position: row?.position };
    // Where positions are times, each wait is as long as the first.
    if (row) this.#shown = shown;
    return shown;
  }
}
