import { type Ability, type App, type ControllerFactory, ForbiddenError, type Route } from "@plinth/core";
import { EVENT_STREAM_HEADERS, handlerOf, type RequestInfo } from "@plinth/core/http";
import type { Event } from "../contract.js";
import { NoRoomForStreamError, PlaceInvalidError, StreamGapError } from "../errors.js";
import { wantedTypes } from "../event-types.js";
import { ownEvents } from "../events-service.js";
import { EventStreams } from "./event-streams.js";
import { SealedPlaces } from "./sealed-places.js";

const DAY = 86_400_000;
const ACTION = "plugin::events.event.find";

/** Below `/api/events`, where a content-type may have its documents. */
export const streamRoute: Route = {
  method: "GET",
  path: "/stream",
  handler: "event.find",
  description: {
    tag: "Events",
    summary: "Hear what happens to documents",
    name: "streamEvents",
    description: "Server-sent events of documents that the caller may read. It does not end by itself.",
    query: {
      types: { description: "`entry.publish,entry.delete`, `entry.*`; default: all", schema: { type: "string" } },
      uids: { description: "`api::article.article`; default: all content-types", schema: { type: "string" } },
      lastEventId: { description: "As the header `Last-Event-ID`", schema: { type: "string" } },
    },
    headers: { "Last-Event-ID": "The last id that was received: what came after it is sent first" },
    answers: { 200: { description: "A stream", schema: { type: "string" }, contentType: "text/event-stream" } },
    errors: [410, 503],
  },
};

/** The streams of an app, and what opens the places of their clients. */
interface Opened {
  readonly places: SealedPlaces;
  readonly streams: EventStreams;
}

const opened = new WeakMap<App, Promise<Opened>>();

/** Made with the first stream. */
function openedOf(app: App): Promise<Opened> {
  const known = opened.get(app);
  if (known) return known;
  const config = app.plugin("events").config;
  const made = SealedPlaces.open(app.db).then((places) => {
    const streams = new EventStreams({ app, config, places, events: app.service(ownEvents) });
    return { places, streams };
  });
  opened.set(app, made);
  made.catch(() => opened.delete(app));
  return made;
}

/** Ends all streams of an app. */
export function closeStreams(app: App): void {
  void opened.get(app)?.then(({ streams }) => streams.stop());
  opened.delete(app);
}

/** The events of the documents that the caller may read. */
export const eventController: ControllerFactory = ({ app }) => ({
  find: handlerOf(async (request) => {
    const wants = filterOf(request);
    const { places, streams } = await openedOf(app);
    if (request.method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS };
    streams.assertRoom();
    const { place, settled } = await beginningOf(app, request, places);
    const body = streams.open({ wants, identify: () => identify(app, request) }, place, settled);
    return { status: 200, body, headers: EVENT_STREAM_HEADERS };
  }),
});

/** Where a stream begins. @throws PLINTH_EVENTS_PLACE_INVALID (400), PLINTH_EVENTS_STREAM_GAP (410), PLINTH_EVENTS_NO_ROOM (503) */
async function beginningOf(
  app: App,
  request: RequestInfo,
  places: SealedPlaces,
): Promise<{ readonly place: number; readonly settled: number }> {
  const events = app.service(ownEvents);
  const text = request.headers["last-event-id"] ?? request.query["lastEventId"];
  if (text === undefined || text === "") {
    const newest = await events.newest();
    if (newest === undefined)
      throw new NoRoomForStreamError({ why: "a transaction has been writing since it started" });
    return { place: newest, settled: newest };
  }
  const known = typeof text === "string" ? places.unseal(text) : undefined;
  if (known === undefined) throw new PlaceInvalidError({});
  const { id: settled, taken, floor } = await events.settled();
  const { retention } = app.plugin("events").config;
  // By the time, not by what was deleted: that would say whether something happened that the caller may not see.
  const isTooOld = known.at < app.clock.now() - retention * DAY;
  if (isTooOld || known.id < floor || known.id > taken) throw new StreamGapError({ days: retention });
  return { place: known.id, settled };
}

/** What the caller may do now. @throws PLINTH_ACCESS_UNAUTHENTICATED (401), PLINTH_ACCESS_FORBIDDEN (403) */
async function identify(app: App, request: RequestInfo): Promise<Ability> {
  if (request.identify) {
    await request.identify();
    return request.actor.ability;
  }
  const { ability } = await app.auth.authenticate(request.headers.authorization);
  if (!ability.can(ACTION)) throw new ForbiddenError({});
  return ability;
}

/** @throws PLINTH_EVENTS_TYPE_INVALID (400) */
function filterOf({ query }: RequestInfo): (event: Event) => boolean {
  const isWanted = wantedTypes(listOf(query["types"]));
  const list = listOf(query["uids"]);
  const uids = list && new Set(list);
  return ({ type, uid }) => isWanted(type) && (!uids || (uid !== null && uids.has(uid)));
}

/** `a,b`, and a list of these. */
function listOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const texts = [value].flat().filter((text) => typeof text === "string");
  return texts.flatMap((text) => text.split(",")).map((text) => text.trim());
}
