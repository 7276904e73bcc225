import { hash } from "node:crypto";
import type { DatabaseMessage } from "../../base/telemetry.js";
import { tracePlace } from "../../base/tracing.js";

/** Where lines go. Pino's loggers fit. */
interface SlowLog {
  warn(details: object, message: string): void;
}

/** Lines in a second. */
const MOST_LINES = 10;
const SECOND = 1000;
/** Digits of a hash. */
const HASH_LENGTH = 16;

/** What is known of a statement that is over. */
type EndedStatement = Pick<DatabaseMessage, "text" | "kind" | "statements" | "waited" | "duration" | "rows">;

/** Logs statements that took long, never with values: ten in a second at most, and how many were left out. */
export class SlowStatements {
  #second = 0;
  #lines = 0;
  #leftOut = 0;

  /**
   * @param limit - milliseconds.
   * @param node - `primary` or `replica`.
   * @param now - milliseconds.
   */
  constructor(
    readonly limit: number,
    private readonly log: SlowLog,
    private readonly node: string,
    private readonly now = () => performance.now(),
  ) {}

  /** Logs a statement if it took long enough. */
  note(ended: EndedStatement): void {
    const { text, kind, statements, waited, duration, rows } = ended;
    if (waited + duration < this.limit || !this.#hasRoom()) return;
    const details = {
      plan: planHash(text),
      ms: Math.round(duration),
      waited: Math.round(waited),
      node: this.node,
      kind,
      statements,
      rows,
      ...(this.#leftOut > 0 ? { leftOut: this.#leftOut } : {}),
      ...tracePlace(),
    };
    this.#leftOut = 0;
    this.log.warn(details, `A statement took ${details.ms} ms, after ${details.waited} ms for its connection`);
  }

  #hasRoom(): boolean {
    const second = Math.floor(this.now() / SECOND);
    if (second !== this.#second) this.#lines = 0;
    this.#second = second;
    this.#lines += 1;
    if (this.#lines <= MOST_LINES) return true;
    this.#leftOut += 1;
    return false;
  }
}

/** Names a statement by its text; statements that differ in their values alone have one name. */
export const planHash = (text: string): string => hash("sha256", text).slice(0, HASH_LENGTH);
