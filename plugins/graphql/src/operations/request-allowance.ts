import type { Documents, ReadResult } from "@plinth/core";
import { type PreparedRead, type ReadPoint, ReadTooLargeError, type StampWish } from "@plinth/core/reads";

type Readable = Pick<Documents, "read" | "pointsOf">;
type Limits = NonNullable<PreparedRead["limits"]>;

/**
 * The budget of all fields of one request together: that of one read. Their points add up: once they are expensive
 * together, reads run one after the other within the time of one, and all answers together have the size limit of one.
 */
export class RequestAllowance {
  #points = 0;
  #time: number | undefined;
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** What was read so far, where somebody asks; in the order of the answers. */
  reads: ReadResult[] | undefined;
  /** Whether reads need the stamps of what they read; undefined: no. */
  withStamp: StampWish | undefined;
  /** What reads have to see where replicas may answer; undefined: the primary answers, as it does for mutations. */
  from: ReadPoint | undefined;

  /** @throws as `Documents.read`; PLINTH_READ_TOO_LARGE (413) */
  async read(documents: Readable, prepared: PreparedRead): Promise<ReadResult> {
    const result = await this.#readWithin(documents, prepared);
    this.reads?.push(result);
    return result;
  }

  async #readWithin(documents: Readable, prepared: PreparedRead): Promise<ReadResult> {
    const { limits } = prepared;
    const { from, withStamp } = this;
    if (!limits) return await documents.read(prepared, { from, withStamp });
    const points = await documents.pointsOf(prepared, { from });
    this.#points += points;
    const isExpensive = this.#points > limits.expensive;
    const result = await (isExpensive
      ? this.#inTurn(documents, prepared, limits)
      : documents.read(prepared, { from, withStamp }));
    this.#bytes += result.text.length;
    if (this.#bytes > limits.answerBytes) throw new ReadTooLargeError({ part: "data", limit: limits.answerBytes });
    return result;
  }

  #inTurn(documents: Readable, prepared: PreparedRead, limits: Limits): Promise<ReadResult> {
    const points = this.#points;
    const turn = this.#last.then(async () => {
      const left = this.#time ?? limits.expensiveTime;
      const started = performance.now();
      try {
        const expensiveTime = Math.max(1, left);
        // It has been priced, and counts as the request does.
        const limited = { ...prepared, limits: { ...limits, points, expensiveTime, most: undefined } };
        return await documents.read(limited, { from: this.from, withStamp: this.withStamp });
      } finally {
        this.#time = left - (performance.now() - started);
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
