import type { App } from "@plinth/core";

/** Work that is done after the answer, so that the time of an answer reveals nothing about it. */
export interface BackgroundTasks {
  /** @param what - for the log, when it fails: `sending a reset code`. */
  run(what: string, work: () => Promise<unknown>): void;
  /** Waits until nothing is left to do. */
  settle(): Promise<void>;
}

/** Runs work after answers. Failures are logged: the client has its answer already. */
export function createAfterwards({ log }: Pick<App, "log">): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run: (what, work) => {
      // After the current events, of which the answer is one.
      const done: Promise<void> = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .then(
          () => undefined,
          (err: unknown) => log.error({ err }, `Failed: ${what}`),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
