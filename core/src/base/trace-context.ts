/** A place in a distributed trace. */
export interface TracePlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that the work belongs to. */
  readonly spanId: string;
}

/** Version, trace, parent, flags; later versions may have more parts behind. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Reads a `traceparent` header.
 *
 * @returns undefined for one that is malformed: who gets it goes on as if there were none
 * @source https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceparent(text: string): TracePlace | undefined {
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || (version === "00" && more !== undefined)) return undefined;
  return { traceId, spanId };
}
