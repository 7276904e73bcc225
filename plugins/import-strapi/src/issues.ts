/** Something that is not imported unchanged. */
export interface Issue {
  /** What it is about: a uid, `api::article.article#score`, a file's name. */
  readonly where: string;
  /** What is not carried, and why; equal for all entries that it happens to. */
  readonly what: string;
  /** How many entries it concerns. */
  readonly count: number;
  /** One of them, such as a document id. */
  readonly example: string | undefined;
}

/** Collects issues: equal ones once, with their number. */
export class Issues {
  readonly #found = new Map<string, Issue>();

  add(where: string, what: string, example?: string): void {
    const key = `${where}\n${what}`;
    const known = this.#found.get(key);
    this.#found.set(key, { where, what, count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  }

  list(): readonly Issue[] {
    return [...this.#found.values()];
  }
}
