/** Editors and version control write many files at once; a change counts when nothing has followed it for so long. */
const QUIET = 120;

/** Gathers changed files until they are asked for. */
export class ChangeQueue {
  readonly #paths = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isSettled = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  /** Notes a change. */
  add(path: string): void {
    this.#paths.add(path);
    this.#isSettled = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSettled = true;
      this.#check();
    }, QUIET);
  }

  /** No more changes: `next` answers undefined from now on. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#check();
  }

  /** The files that have changed since the last call, as soon as there are any; undefined at the end. One caller at a time. */
  async next(): Promise<readonly string[] | undefined> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#check();
    });
    if (this.#hasEnded) return undefined;
    const paths = [...this.#paths].sort();
    this.#paths.clear();
    this.#isSettled = false;
    return paths;
  }

  #check(): void {
    if (this.#isSettled || this.#hasEnded) this.#wake?.();
  }
}
