/** Work that many wait for, which has to begin after they asked for it. */

/** Runs work one at a time: all who come while it runs share the next run. */
export class NextRun {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * Resolves when a run has ended that began after the call.
   *
   * @param work - of the first caller who waits for that run.
   * @throws what the work throws, for all who share the run
   */
  join(work: () => Promise<void>): Promise<void> {
    this.#next ??= this.#runAfter(this.#running, work);
    return this.#next;
  }

  async #runAfter(running: Promise<unknown>, work: () => Promise<void>): Promise<void> {
    // Those who share it know how it failed.
    await running.catch(() => undefined);
    this.#running = this.#next ?? running;
    this.#next = undefined;
    await work();
  }
}
