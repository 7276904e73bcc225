import type { Event } from "@plinth/plugin-events";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";

/** Whether an endpoint gets an event. */
export function isWanted({ id, type, uid }: Pick<Event, "id" | "type" | "uid">, endpoint: KnownEndpoint): boolean {
  if (!endpoint.isEnabled || id <= endpoint.start) return false;
  if (endpoint.types && (uid === null || !endpoint.types.has(uid))) return false;
  return endpoint.events.some((wanted) => matches(wanted, type));
}

/** @param wanted - a type, `entry.*` or `*`. */
function matches(wanted: string, type: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
}
