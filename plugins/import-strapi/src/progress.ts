/** Milliseconds between two lines of progress. */
const INTERVAL = 500;

/** Prints the progress of an import: a line for each step, and two a second while it lasts. */
export class Progress {
  #what = "";
  #done = 0;
  #total = 0;
  #printed = 0;

  constructor(private readonly say: (line: string) => void) {}

  begin(what: string, total: number): void {
    this.#what = what;
    this.#total = total;
    this.#done = 0;
    this.#printed = performance.now();
  }

  step(count = 1): void {
    this.#done += count;
    if (performance.now() - this.#printed < INTERVAL) return;
    this.#printed = performance.now();
    this.#tell();
  }

  end(): void {
    this.#tell();
  }

  #tell(): void {
    this.say(`${this.#what}: ${this.#done} of ${this.#total}`);
  }
}
