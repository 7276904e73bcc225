/** What one connection, and all of them together, may keep of the server. */
export interface ConnectionLimits {
  /** Milliseconds within which the first line and the headers of a request have to arrive; else 408. */
  readonly headersTimeout: number;
  /** Milliseconds within which a whole request has to arrive, an upload too; else 408. */
  readonly requestTimeout: number;
  /** A client that moves less than `minRate` over this many milliseconds, of a body or of an answer, is cut off. */
  readonly stallTimeout: number;
  /** Bytes in a second that a client has to send of a body, or to take of an answer, averaged over `stallTimeout`. */
  readonly minRate: number;
  /** Requests that a connection may send ahead of their answers; it is closed after those. One at a time is worked on. */
  readonly maxPipelined: number;
  /** Bytes of answers that clients have not taken yet, all together; beyond it who waits longest is cut off. */
  readonly maxUnsent: number;
}

/** The limits of a server that is told nothing else. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  stallTimeout: 30_000,
  minRate: 4096,
  maxPipelined: 16,
  maxUnsent: 64 * 1024 * 1024,
};
