import { option, whole } from "../base/options/values.js";
import * as v from "@plinth/core/valibot";

const limit = (least: number, description: string, byDefault: number) => option(whole(least), description, byDefault);

/** Keys of config/server that limit one connection, and all of them together. */
export const connectionLimits = {
  headersTimeout: limit(
    1,
    "Milliseconds within which the first line and the headers of a request have to arrive; else 408.",
    66_000,
  ),
  keepAliveTimeout: limit(
    1,
    "Milliseconds for which a connection without a request stays open; longer than that of the proxy in front, mostly 60 s.",
    65_000,
  ),
  requestTimeout: limit(
    1,
    "Milliseconds within which a whole request has to arrive, an upload too; else 408.",
    300_000,
  ),
  stallTimeout: limit(
    1,
    "A client that moves less than `minRate` over this many milliseconds, of a body or of an answer, is cut off.",
    30_000,
  ),
  minRate: limit(
    0,
    "Bytes in a second that a client has to send of a body, or to take of an answer, averaged over `stallTimeout`.",
    4096,
  ),
  maxPipelined: limit(
    1,
    "Requests that a connection may send ahead of their answers; it is closed after those. One at a time is worked on.",
    16,
  ),
  maxUnsent: limit(
    1,
    "Bytes of answers that clients have not taken yet, all together; beyond it large reads are answered 503, and who waits longest is cut off.",
    64 * 1024 * 1024,
  ),
};

/** The limits of one connection, and of all of them together. */
export type ConnectionLimits = Readonly<Record<keyof typeof connectionLimits, number>>;

/** The default limits. */
export const defaultConnectionLimits: ConnectionLimits = v.getDefaults(v.object(connectionLimits));
