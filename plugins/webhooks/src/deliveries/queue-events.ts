import { hash } from "node:crypto";
import type { App } from "@plinth/core";
import type { Event } from "@plinth/plugin-events";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";
import { bodiesOf } from "./bodies.js";
import type { NewDelivery } from "./delivery-store.js";
import { isWanted } from "./wanted.js";

/** As an index takes it, in any language. */
const LONGEST_KEY = 200;

/** The deliveries of some events to those who want them, each made when it is asked for: together they may be long. */
export async function deliveriesOf(
  { db }: App,
  events: readonly Event[],
  endpoints: readonly KnownEndpoint[],
): Promise<Iterable<NewDelivery>> {
  const wanted = events.map((event) => [event, endpoints.filter((endpoint) => isWanted(event, endpoint))] as const);
  if (wanted.every(([, wanting]) => wanting.length === 0)) return [];
  const position = await positionOf(db);
  return partsOfAll(wanted, position);
}

function* partsOfAll(
  wanted: readonly (readonly [Event, readonly KnownEndpoint[]])[],
  position: string | undefined,
): Generator<NewDelivery> {
  for (const [event, wanting] of wanted) for (const endpoint of wanting) yield* partsOf(event, endpoint, position);
}

/** Events of one document keep their order; those of none have none. What an event is about may be a text of any length. */
function keyOf({ id, uid, documentId }: Event): string {
  if (documentId === null) return `event ${id}`;
  const key = `${uid ?? ""} ${documentId}`;
  return key.length <= LONGEST_KEY ? key : hash("sha256", key);
}

function partsOf(event: Event, endpoint: KnownEndpoint, position: string | undefined): readonly NewDelivery[] {
  const { id, type, uid, documentId, locales, at, origin } = event;
  const key = keyOf(event);
  return bodiesOf(event, endpoint, position).map((body, index) => ({
    ...{ event: id, part: index + 1, endpoint: endpoint.id, key, type, uid, document_id: documentId, locales, at },
    ...{ format: endpoint.format, body, trace: origin.traceparent ?? null },
  }));
}

/** Where the log of the database is now, behind all these events; asked only where there are replicas that may be behind it. */
async function positionOf(db: App["db"]): Promise<string | undefined> {
  const text = db.replicas?.commitText;
  if (text === undefined) return undefined;
  const [row] = await db.query<{ position: string }>({ text, values: [] });
  return row?.position;
}
