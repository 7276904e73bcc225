import { real } from "./clock/movable-timer.js";
import { NothingCaughtError } from "./errors.js";

/** A filter of caught entries, and its description. */
export interface CatchFilter<Thing> {
  /** `to ada@example.com`; empty: any. */
  readonly description: string;
  matches(thing: Thing): boolean;
}

const TIMEOUT = 5_000;

/** Entries that arrive asynchronously, kept for a test to read. */
export class Catch<Thing> {
  /** Always the same list, so that a reference to it sees later entries. */
  readonly all: Thing[] = [];
  readonly #taken = new Set<Thing>();
  readonly #waiting = new Set<() => void>();

  /** @param kind - what they are called in messages: `mail`. */
  constructor(private readonly kind: string) {}

  add(thing: Thing): void {
    this.all.push(thing);
    for (const look of [...this.#waiting]) look();
  }

  /** The first that matches and was not handed out before. @throws PLINTH_TESTKIT_NOTHING_CAUGHT */
  next(filter: CatchFilter<Thing>, timeout: number = TIMEOUT): Promise<Thing> {
    return new Promise((found, fail) => {
      const look = (): boolean => {
        const thing = this.all.find((candidate) => !this.#taken.has(candidate) && filter.matches(candidate));
        if (thing === undefined) return false;
        this.#taken.add(thing);
        this.#waiting.delete(look);
        real.clearTimeout(limit);
        found(thing);
        return true;
      };
      const limit = real.setTimeout(() => {
        this.#waiting.delete(look);
        const { kind } = this;
        fail(new NothingCaughtError({ kind, wanted: filter.description, caught: this.all.length, timeout }));
      }, timeout);
      if (!look()) this.#waiting.add(look);
    });
  }

  clear(): void {
    this.all.length = 0;
    this.#taken.clear();
  }
}
