import { isWithin, type Path, upwards } from "./paths.js";

type Listener = () => void;

/** How long what is mounted later is still called, in milliseconds: a card opens before those inside of it are there. */
const LIFE = 1_000;

/** Which field somebody is led to: closed cards on the way to it open. */
export class Revealed {
  readonly #listeners = new Map<Path, Set<Listener>>();
  #path: Path | undefined;

  /** Opens the way to a path. */
  show(path: Path): void {
    this.#path = path;
    setTimeout(() => {
      if (this.#path === path) this.#path = undefined;
    }, LIFE);
    for (const above of upwards(path)) for (const listener of this.#listeners.get(above) ?? []) listener();
  }

  /** Calls a listener when the way leads through a path. @returns what stops it */
  watch(path: Path, listener: Listener): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    if (this.#path !== undefined && isWithin(this.#path, path)) listener();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(path) === listeners) this.#listeners.delete(path);
    };
  }
}
