import { randomUUID } from "node:crypto";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";
import type { ReadyDelivery } from "./delivery-store.js";

/** Type of what is sent to see whether a receiver answers. */
const TYPE = "test.ping";

/** A delivery about nothing, in the form of an endpoint. @param now - milliseconds since 1970. */
export function pingOf({ id: endpoint, format }: KnownEndpoint, now: number): ReadyDelivery {
  const timestamp = new Date(now).toISOString();
  const body = format === "strapi" ? { event: TYPE, createdAt: timestamp } : { type: TYPE, timestamp, data: {} };
  return {
    ...{ id: "0", event: `ping_${randomUUID()}`, part: 1, endpoint, key: TYPE, type: TYPE, format, trace: null },
    ...{ body: JSON.stringify(body), attempts: 0 },
  };
}
