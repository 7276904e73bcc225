import type { App } from "@plinth/core";
import { TOKEN_TYPE } from "../content-types/token.js";

/** Records when tokens were used, and writes that in batches: requests do not wait for it. */
export class LastUses {
  /** Of tokens that exist: some 100 bytes for each that was used in an interval. */
  readonly #pending = new Map<number, Date>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param interval - how long uses are collected, in milliseconds. */
  constructor(
    private readonly app: App,
    private readonly interval: number,
  ) {}

  /** Notes that a token is used now. */
  note(id: number): void {
    this.#pending.set(id, new Date());
    this.#timer ??= setTimeout(() => void this.flush(), this.interval).unref();
  }

  /** Writes what was noted; a failure is logged, because the next use writes it again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#pending].sort(([a], [b]) => a - b);
    this.#pending.clear();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    await this.#writing;
  }

  async #write(uses: readonly (readonly [number, Date])[]): Promise<void> {
    const table = this.app.model.contentTypes.get(TOKEN_TYPE)?.table;
    const text = `update "${table}" token set last_used_at = greatest(token.last_used_at, used.at)
      from unnest($1::int8[], $2::timestamptz[]) used (id, at) where token.id = used.id`;
    try {
      await this.app.db.query({ text, values: [uses.map(([id]) => id), uses.map(([, at]) => at.toISOString())] });
    } catch (error) {
      this.app.log.warn({ err: error }, "The last use of tokens could not be written");
    }
  }
}
