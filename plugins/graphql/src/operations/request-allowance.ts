import { type Documents, type PreparedRead, ReadTooLargeError, type ReadResult } from "@plinth/core";
import type { GraphqlContext } from "../contract.js";

type Readable = Pick<Documents, "read">;

/**
 * What the fields of one request may spend together: as much as one read. Expensive reads come one after the other, and
 * have the time of one; all answers together have the size of one.
 */
export class RequestAllowance {
  #time: number | undefined;
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws as `Documents.read`; PLINTH_READ_TOO_LARGE (413) */
  async read(documents: Readable, prepared: PreparedRead): Promise<ReadResult> {
    const result = await (prepared.limits?.time === undefined
      ? documents.read(prepared)
      : this.#inTurn(documents, prepared));
    this.#bytes += result.text.length;
    const most = prepared.limits?.answerBytes ?? Number.POSITIVE_INFINITY;
    if (this.#bytes > most) throw new ReadTooLargeError({ part: "data", limit: most });
    return result;
  }

  #inTurn(documents: Readable, prepared: PreparedRead): Promise<ReadResult> {
    const turn = this.#last.then(async () => {
      const { limits } = prepared;
      if (limits?.time === undefined) return await documents.read(prepared);
      const left = this.#time ?? limits.time;
      const started = performance.now();
      try {
        return await documents.read({ ...prepared, limits: { ...limits, time: Math.max(1, left) } });
      } finally {
        this.#time = left - (performance.now() - started);
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

const allowances = new WeakMap<GraphqlContext, RequestAllowance>();

/** The allowance of the request that a context belongs to. */
export function allowanceOf(context: GraphqlContext): RequestAllowance {
  const known = allowances.get(context) ?? new RequestAllowance();
  allowances.set(context, known);
  return known;
}
