/** Has work of one name done one after the other in this process. What waits holds nothing but its request. */
import { KeyInUseError } from "../errors.js";

/** How many may wait for their turn under one name, and for how many milliseconds. */
interface Patience {
  readonly most: number;
  readonly time: number;
}

/** What one is done and the others wait for. */
interface Queue {
  length: number;
  /** Ends when all of them are done. It has no value: their answers would stay in memory with it. */
  last: Promise<void>;
}

/** The turns of work that is not to be done twice at a time. */
export class Turns {
  readonly #queues = new Map<string, Queue>();

  constructor(private readonly patience: Patience) {}

  /**
   * Does some work when all that came before it under its name is done.
   *
   * @throws PLINTH_REST_KEY_IN_USE (409) where that takes too long, or too many wait for it
   */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name) ?? { length: 0, last: Promise.resolve() };
    // What waits is a request that the server works on, and it does not work on many at once.
    if (queue.length > this.patience.most) throw new KeyInUseError({});
    const { length, last } = queue;
    queue.length += 1;
    this.#queues.set(name, queue);
    const mine = (length === 0 ? last : this.#wait(last)).then(work);
    queue.last = Promise.allSettled([last, mine]).then(() => undefined);
    try {
      return await mine;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.#queues.delete(name);
    }
  }

  async #wait(before: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new KeyInUseError({})), this.patience.time);
    });
    await Promise.race([before, late]).finally(() => clearTimeout(timer));
  }
}
