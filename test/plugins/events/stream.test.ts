import type { Readable } from "node:stream";
import { type Ability, definePlugin, type Plugin } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { uploadPlugin } from "@plinth/plugin-upload";
import { type OwnEvents, ownEvents } from "#plugins/events/src/events-service.js";
import { EventStreams } from "#plugins/events/src/stream/event-streams.js";
import { SealedPlaces } from "#plugins/events/src/stream/sealed-places.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { type OpenedEvents, openEvents } from "../live/open-events.js";
import { ARTICLE, besideOf, eventsOf, NOTE, startEvents } from "./events-app.js";

const STREAM = "plugin::events.event.find";
const ALL = "a-token-that-may-do-everything-here";
const READER = "a-token-that-reads-some-of-it-here";
const DEAF = "a-token-that-may-not-hear-anything";
const DAY = 86_400_000;

const access = {
  tokens: {
    [ALL]: "all",
    [READER]: [STREAM, { action: `${ARTICLE}.find`, where: { title: { $startsWith: "Open" } } }, `${NOTE}.find`],
    [DEAF]: [`${ARTICLE}.find`],
  },
};

/** What is known of a client's token, as a strategy of its own says it. */
const badges = new Map<string, Ability>();
const strategy: Plugin = definePlugin({
  name: "badges",
  register: ({ strategy: add }) => {
    add("badge", {
      name: "badges",
      authenticate: (bearer) => {
        const ability = badges.get(bearer);
        return ability && { kind: "badge", ability };
      },
    });
  },
});

const shownIn = ({ events }: OpenedEvents) => events.filter(({ event }) => event === "message");
const dataOf = (stream: OpenedEvents) => shownIn(stream).map(({ data }) => JSON.parse(data));
/** The last id that a client was told, in an event or without one. */
const lastIdOf = (stream: OpenedEvents) => [...stream.text().matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";

/** How many events a stream has, as soon as there are so many. */
async function countOf(body: Readable, most: number): Promise<number> {
  let text = "";
  for await (const part of body.iterator({ destroyOnReturn: false })) {
    text += String(part);
    if (text.split("\ndata: ").length > most) break;
  }
  return text.split("\ndata: ").length - 1;
}

describe("the stream of events", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    const open: OpenedEvents[] = [];
    before("start an app", async () => {
      test = await startEvents(database, {
        plugins: [contentApiPlugin, uploadPlugin, eventsPlugin, strategy],
        config: { access },
        pluginConfigs: { events: { heartbeat: 1_000, maxStreams: 10, streamTypes: ["shop.*"] } },
      });
    });
    afterEach("close streams", async () => {
      for (const stream of open.splice(0)) stream.close();
      await eventually(async () => expect(test.app.streams.count).to.equal(0));
    });
    after("stop it", () => test?.stop());

    const listen = async (token: string, query = "", lastEventId?: string): Promise<OpenedEvents> => {
      const headers = { authorization: `Bearer ${token}`, ...(lastEventId ? { "last-event-id": lastEventId } : {}) };
      const stream = await openEvents(`${test.url}/api/events/stream${query}`, { headers });
      open.push(stream);
      if (stream.status === 200) await eventually(async () => expect(lastIdOf(stream)).to.not.equal(""));
      return stream;
    };
    const reach = (stream: OpenedEvents, count: number) =>
      eventually(async () => {
        expect(shownIn(stream)).to.have.length(count);
        return dataOf(stream);
      }, 30_000);
    const articles = () => test.app.documents(ARTICLE);
    /** Comes to every stream, behind all that was written before. */
    const mark = async (streams: readonly OpenedEvents[], text: string) => {
      const { documentId } = await test.app.documents(NOTE).create({ data: { text } });
      const isThere = (stream: OpenedEvents) => dataOf(stream).some((data) => data.documentId === documentId);
      await eventually(async () => expect(streams.every(isThere)).to.equal(true), 30_000);
      return documentId;
    };

    it("says what happened to which document, and no more", async () => {
      const stream = await listen(ALL);
      expect(stream.headers["content-type"]).to.equal("text/event-stream; charset=utf-8");
      expect(stream.headers["cache-control"]).to.equal("no-store");
      const made = await test.withBearer(ALL).post("/api/articles", { data: { title: "a", secret: "s" } });
      const [created, published] = await reach(stream, 2);
      expect(created).to.have.all.keys("type", "at", "uid", "documentId", "locales");
      expect(created).to.include({ type: "entry.create", uid: ARTICLE, documentId: made.body.data.documentId });
      expect(published).to.deep.include({ type: "entry.publish", locales: ["en"] });
      expect(stream.text()).to.not.match(/token|secret|request/i);
    });

    it("is of the types and content-types that are asked for", async () => {
      const stream = await listen(ALL, `?types=entry.publish,entry.delete&uids=${ARTICLE}`);
      const { documentId } = await articles().create({ data: { title: "a" }, status: "published" });
      await test.app.documents(NOTE).create({ data: { text: "a" } });
      await articles().delete({ documentId });
      // What cannot be looked at any more is not shown, unless it says that it has gone.
      const all = await eventually(async () => {
        expect(dataOf(stream).at(-1)?.type).to.equal("entry.delete");
        return dataOf(stream);
      });
      expect(all.map(({ type }) => type).filter((type) => type !== "entry.publish")).to.deep.equal(["entry.delete"]);
      expect(all.every(({ documentId: id }) => id === documentId)).to.equal(true);
      expect((await listen(ALL, "?types=Entry")).status).to.equal(400);
      expect((await listen(ALL, "?uids=api::nothing.nothing")).status).to.equal(200);
    });

    it("shows each caller what it may read now: no drafts, no rows of others, not even that there was something", async () => {
      const all = await listen(ALL);
      const some = await listen(READER);
      const hidden = await articles().create({ data: { title: "Hidden" }, status: "published" });
      await articles().update({ documentId: hidden.documentId, data: { title: "Hidden still" }, status: "published" });
      const shown = await articles().create({ data: { title: "Open" } });
      await articles().update({ documentId: shown.documentId, data: { title: "Open house" } });
      await eventsOf(test).publish("shop.opened", { uid: ARTICLE, documentId: hidden.documentId });
      const first = await mark([all, some], "first");
      expect(dataOf(some).map(({ documentId }) => documentId)).to.deep.equal([first]);
      await articles().publish({ documentId: shown.documentId });
      await articles().publish({ documentId: hidden.documentId });
      await articles().delete({ documentId: hidden.documentId });
      const second = await mark([all, some], "second");
      expect(dataOf(some).map(({ type, documentId }) => [type, documentId])).to.deep.equal([
        ["entry.create", first],
        ["entry.publish", shown.documentId],
        ["entry.create", second],
      ]);
    });

    it("has ids that say nothing: two clients at one place have different ones, of one length", async () => {
      const [one, other] = [await listen(READER), await listen(READER)];
      await mark([one, other], "a");
      const ids = [one, other].flatMap((stream) => [...stream.text().matchAll(/^id: (.*)$/gm)].map(([, id]) => id));
      for (const id of ids) expect(id).to.match(/^[\w-]{59}$/);
      expect(new Set([one, other].map((stream) => /^id: (.*)$/m.exec(stream.text())?.[1])).size).to.equal(2);
    });

    it("shows of a document in several locales those that may be read", async () => {
      const all = await listen(ALL);
      const some = await listen(READER);
      const { documentId } = await articles().create({ data: { title: "Open" } });
      await articles().update({ documentId, locale: "fr", data: { title: "Caché" } });
      await articles().publish({ documentId, locale: "*" });
      await mark([all, some], "locales");
      const localesIn = (stream: OpenedEvents) => dataOf(stream).find(({ type }) => type === "entry.publish")?.locales;
      expect(localesIn(all)).to.have.members(["en", "fr"]);
      expect(localesIn(some)).to.deep.equal(["en"]);
    });

    it("shows events of one's own where the configuration names them, of documents that may be read", async () => {
      const stream = await listen(READER);
      const { documentId } = await articles().create({ data: { title: "Open" }, status: "published" });
      for (const type of ["shop.opened", "audit.looked-at"])
        await eventsOf(test).publish(type, { uid: ARTICLE, documentId });
      await eventsOf(test).publish("shop.closed");
      await mark([stream], "own");
      const types = dataOf(stream).map(({ type }) => type);
      expect(types).to.deep.equal(["entry.publish", "shop.opened", "entry.create"]);
    });

    it("shows an event of one's own by what is published, whatever its last part is", async () => {
      badges.set("published", createAbility([STREAM, `${ARTICLE}.find`, `${NOTE}.find`]));
      const stream = await listen("published");
      const draft = await articles().create({ data: { title: "Draft" } });
      const open = await articles().create({ data: { title: "Open" }, status: "published" });
      const types = ["shop.item.delete", "shop.unpublish", "shop.update", "shop.item.create"];
      for (const { documentId } of [draft, open])
        for (const type of types) await eventsOf(test).publish(type, { uid: ARTICLE, documentId });
      await mark([stream], "own verbs");
      const shown = dataOf(stream).filter(({ type }) => type.startsWith("shop."));
      expect(shown.map(({ type, documentId }) => [type, documentId])).to.deep.equal(
        types.map((type) => [type, open.documentId]),
      );
    });

    it("goes on after the last event that a client has, and refuses a place that is none", async () => {
      const stream = await listen(ALL);
      const first = await mark([stream], "first");
      const place = lastIdOf(stream);
      stream.close();
      const { documentId } = await test.app.documents(NOTE).create({ data: { text: "missed" } });
      for (const again of [await listen(ALL, "", place), await listen(ALL, `?lastEventId=${place}`)]) {
        const [missed] = await reach(again, 1);
        expect(missed.documentId).to.equal(documentId).and.not.equal(first);
      }
      for (const wrong of ["17", "A".repeat(59), "%"]) {
        const refused = await listen(ALL, "", wrong);
        expect(refused.status).to.equal(400);
        await eventually(async () => expect(refused.text()).to.include("PLINTH_EVENTS_PLACE_INVALID"));
      }
    });

    it("says that it is alive, and where it is, in the same way whether something hidden happened or not", async () => {
      const [stream, all] = [await listen(READER), await listen(ALL)];
      const first = lastIdOf(stream);
      const { documentId } = await articles().create({ data: { title: "Hidden" }, status: "published" });
      const beats = () => stream.text().split("\n\n").filter(Boolean);
      await reach(all, 2);
      const before = beats().length;
      await eventually(async () => expect(beats().length).to.be.at.least(before + 2));
      for (const beat of beats()) expect(beat).to.match(/^id: [\w-]{59}$/);
      expect(new Set(beats()).size).to.equal(beats().length);
      const place = lastIdOf(stream);
      expect(place).to.not.equal(first);
      // It has moved past what is hidden: who may see it now, and comes back with it, has it behind them.
      const again = await listen(ALL, "", place);
      await mark([again], "behind");
      expect(dataOf(again).map((data) => data.documentId)).to.not.include(documentId);
    });

    it("is for callers who have its action, and answers a HEAD", async () => {
      expect((await listen(DEAF)).status).to.equal(403);
      expect((await test.public.get("/api/events/stream")).status).to.equal(403);
      const head = await test.withBearer(ALL).request("HEAD", "/api/events/stream");
      expect([head.status, head.headers.get("content-type")]).to.deep.equal([200, "text/event-stream; charset=utf-8"]);
      expect(test.app.streams.count).to.equal(0);
    });

    it("has as many clients as it may have", async () => {
      for (let count = 0; count < 10; count += 1) expect((await listen(ALL)).status).to.equal(200);
      const refused = await listen(ALL);
      expect(refused.status).to.equal(503);
      // The address of what is full is not for everybody; the code is.
      await eventually(async () => expect(refused.text()).to.include("PLINTH_EVENTS_NO_ROOM"));
    });

    it("ends when its caller is not known any more, with the reason", async () => {
      badges.set("badge", createAbility("all"));
      const stream = await listen("badge");
      await mark([stream], "a");
      badges.set("badge", createAbility([`${NOTE}.find`]));
      await test.app.documents(NOTE).create({ data: { text: "b" } });
      await stream.ended;
      const last = stream.events.at(-1);
      expect([last?.event, JSON.parse(last?.data ?? "").error.status]).to.deep.equal(["end", 403]);
      expect(shownIn(stream)).to.have.length(1);
      badges.set("other", createAbility("all"));
      const silent = await listen("other");
      badges.delete("other");
      // Without any event: by the heartbeat.
      await silent.ended;
      expect(silent.text()).to.include("401");
    });

    it("reads and looks once for all who may see the same", async () => {
      const streams = [];
      for (let count = 0; count < 8; count += 1) streams.push(await listen(READER));
      await mark(streams, "warm");
      const before = test.app.db.statementCount;
      await mark(streams, "counted");
      // The write, a look or two at what is settled, one page, and one look at notes.
      expect(test.app.db.statementCount - before).to.be.lessThan(25);
    });

    it("waits for slow clients without keeping what they have not taken, and others do not wait for them", async () => {
      const service = test.app.service(ownEvents);
      const { config } = test.app.plugin("events");
      const streams = new EventStreams({ app: test.app, config, events: service, places: new SealedPlaces("secret") });
      const { documentId } = await test.app.documents(NOTE).create({ data: { text: "often" } });
      const place = await service.latest();
      const listener = { wants: () => true, identify: async () => createAbility("all") };
      const slow = streams.open(listener, place, place);
      const fast = streams.open(listener, place, place);
      const count = 3_000;
      const all = countOf(fast, count);
      const text = `insert into plinth_events_newest (type, uid, document_id, locales, origin)
        select 'entry.update', $1, $2, '{}', '{"transport":"code"}' from generate_series(1, $3)`;
      await test.app.db.query({ text, values: [NOTE, documentId, count] });
      expect(await all).to.equal(count);
      expect(slow.readableLength).to.be.lessThan(250_000);
      expect(await countOf(slow, count)).to.equal(count);
      streams.stop();
    });

    it("ends where it knows more than the database, as after a fail-over to one that was behind", async () => {
      let taken = 100;
      const state = async () => ({ id: taken, taken, floor: 0, isWaiting: false });
      const less = { settled: state, between: async () => [], onWake: () => () => undefined } as unknown as OwnEvents;
      const { config } = test.app.plugin("events");
      const streams = new EventStreams({ app: test.app, config, events: less, places: new SealedPlaces("secret") });
      const body = streams.open({ wants: () => true, identify: async () => createAbility("all") }, taken, taken);
      taken = 50;
      let text = "";
      for await (const part of body) text += String(part);
      expect(text).to.match(/\n\nretry: \d+\n\n$/);
      streams.stop();
    });

    it("is not there for who was away longer than events are kept", async () => {
      const stream = await listen(ALL);
      const place = lastIdOf(stream);
      stream.close();
      const { now } = test.app.clock;
      try {
        Object.assign(test.app.clock, { now: () => now.call(test.app.clock) + 8 * DAY });
        const late = await listen(ALL, "", place);
        expect(late.status).to.equal(410);
        await eventually(async () => expect(late.text()).to.include("PLINTH_EVENTS_STREAM_GAP"));
        // Neither ids nor how many there were.
        expect(JSON.parse(late.text()).error.details).to.deep.equal({ days: 7 });
      } finally {
        Object.assign(test.app.clock, { now });
      }
    });

    it("ends when the app stops, before anything else does, and says when to come back", async () => {
      const other = await startEvents(besideOf(database), {
        plugins: [contentApiPlugin, uploadPlugin, eventsPlugin],
        config: { access },
      });
      const headers = { authorization: `Bearer ${ALL}` };
      const stream = await openEvents(`${other.url}/api/events/stream`, { headers });
      const stopped = other.stop();
      await stream.ended;
      expect(stream.text()).to.match(/retry: [1-4]\d{3}\n\n$/);
      await stopped;
    });
  });
});
