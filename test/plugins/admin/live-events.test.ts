import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { liveStreams } from "#plugins/admin/src/live/live-streams.js";
import { sessions } from "#plugins/admin/src/access/sessions.js";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase, serverDatabase } from "../../databases.js";
import { ARTICLE, DOSSIER, type Listener, listen, NOTE, startLiveApp } from "./live-app.js";
import type { AdminApp } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

const content = (uid: string, rest = "") => `/admin/api/content/${uid}${rest}`;
const TOKEN = { authorization: "Bearer token-of-everything" };
/** Longer than it takes until news are told. */
const A_WHILE = 600;

eitherDatabase(import.meta.url, (database) => {
  describe("the events of the admin page", () => {
    let app: AdminApp;
    const open: Listener[] = [];
    before("start the app", async () => {
      app = await startLiveApp(database, {}, { heartbeat: 3 });
    });
    afterEach("close the streams", () => {
      for (const stream of open.splice(0)) stream.close();
    });
    after("stop the app", () => app.plinth.stop());
    const hear = async (role: string, watch?: string, by?: Readonly<Record<string, string>>) => {
      const stream = await listen(app, role, watch, by);
      open.push(stream);
      await stream.wait("hello", () => true);
      return stream;
    };
    const documents = (uid: string = ARTICLE) => app.plinth.app.documents(uid);
    const make = async (data: object, uid = ARTICLE) =>
      (await documents(uid).create({ data: data as never })).documentId;
    /** Something that everybody here may see; what was to be told before it has been told then. */
    const showAll = async (...streams: readonly Listener[]) => {
      const documentId = await make({ text: "for all" }, NOTE);
      await Promise.all(streams.map((stream) => stream.wait("change", (event) => event.documentId === documentId)));
      return documentId;
    };

    it("say which document was written, how, when and by whom, and nothing of what is in it", async () => {
      const { id, documentId: account } = await administratorOf(app.plinth.app, "editor");
      await documents("plugin::api-tokens.admin").update({ documentId: account, data: { name: "Tom Reyes" } });
      const stream = await hear("super");
      const by = await signIn(app.plinth.app, "editor");
      const made = await app.ask("POST", content(ARTICLE), by, { data: { title: "Needle", secret: "needle" } });
      const { documentId } = made.body.data;
      const told = await stream.wait("change", (event) => event.documentId === documentId);
      expect(told).to.deep.include({ uid: ARTICLE, locale: "en", action: "create", who: { id, name: "Tom Reyes" } });
      expect(Date.now() - Date.parse(told.at)).to.be.lessThan(A_WHILE * 10);
      await app.ask("POST", content(ARTICLE, `/${documentId}/actions/publish`), by);
      await stream.wait("change", ({ action }) => action === "publish");
      await app.ask("DELETE", content(ARTICLE, `/${documentId}`), by);
      await stream.wait("change", ({ action, who }) => action === "delete" && who.name === "Tom Reyes");
      expect(stream.text()).to.not.match(/needle/i);
      expect(stream.headers["cache-control"]).to.equal("no-store");
    });

    it("tell of writes by REST, GraphQL, code and imports", async () => {
      const stream = await hear("super");
      const byRest = await app.ask("POST", "/api/notes", TOKEN, { data: { text: "rest" } });
      await stream.wait("change", ({ documentId, who }) => documentId === byRest.body.data.documentId && who === null);
      const query = 'mutation { createNote(data: { text: "graph" }) { documentId } }';
      const byGraph = await app.ask("POST", "/graphql", TOKEN, { query });
      await stream.wait("change", ({ documentId }) => documentId === byGraph.body.data.createNote.documentId);
      const byCode = await make({ text: "code" }, NOTE);
      await stream.wait("change", ({ documentId }) => documentId === byCode);
      const documentId = await make({ title: "English" });
      await documents().update({ documentId, locale: "fr", data: { title: "Français" } });
      await stream.wait("change", ({ locale, action }) => locale === "fr" && action === "create");
    });

    it("end where the role begins to require a second factor that the account does not have", async () => {
      const roles = app.plinth.app.documents("plugin::admin.role");
      const { documentId } = await roles.create({ data: { name: "guarded", grant: [`${NOTE}.find`] } });
      const [stream, other] = [await hear("guarded", NOTE), await hear("super", NOTE)];
      await showAll(stream, other);
      await roles.update({ documentId, data: { requiresSecondFactor: true } });
      await stream.wait("end", () => true);
      const shown = await showAll(other);
      expect(stream.text()).to.not.include(shown);
    });

    it("tell of what was rolled back, and of checks, nothing", async () => {
      const stream = await hear("super");
      const by = await signIn(app.plinth.app, "super");
      await app.plinth.app.db
        .transaction(async () => {
          await make({ text: "never" }, NOTE);
          throw new TypeError("rolled back");
        })
        .catch(() => undefined);
      await app.ask("POST", content(NOTE, "/check"), by, { documentId: null, data: { text: "tried" } });
      const shown = await showAll(stream);
      expect(stream.got("change").map(({ documentId }) => documentId)).to.deep.equal([shown]);
    });

    it("are of what a browser shows alone: of a type, or of one document", async () => {
      const documentId = await make({ title: "Watched" });
      const stream = await hear("super", `${ARTICLE}/${documentId},${NOTE}`);
      await documents().update({ documentId: await make({ title: "Other" }), data: { title: "Others" } });
      await documents().update({ documentId, data: { title: "Watched, changed" } });
      await stream.wait("change", (event) => event.documentId === documentId);
      const shown = await showAll(stream);
      const told = stream.got("change").map((event) => event.documentId);
      expect(new Set(told)).to.deep.equal(new Set([documentId, shown]));
    });

    it("say nothing of documents that a rule hides, of types that may not be found, and of their end", async () => {
      const limited = await hear("limited");
      const nobody = await hear("nobody");
      const publicist = await hear("publicist", `${ARTICLE},${DOSSIER}`);
      const dossier = await make({ name: "hidden" }, DOSSIER);
      const hidden = await make({ title: "Hidden", rank: 99 });
      await documents().update({ documentId: hidden, data: { title: "Hidden still" } });
      await documents().delete({ documentId: hidden });
      await documents(DOSSIER).delete({ documentId: dossier });
      const seen = await make({ title: "Seen", rank: 1 });
      await documents().update({ documentId: seen, locale: "fr", data: { title: "Vu", rank: 1 } });
      await documents().publish({ documentId: seen });
      await showAll(limited, nobody);
      await publicist.wait("change", ({ action }) => action === "publish");
      const told = (stream: Listener) => stream.got("change").map(({ uid, action, locale }) => [uid, action, locale]);
      expect(told(limited).filter(([uid]) => uid !== NOTE)).to.deep.equal([
        [ARTICLE, "create", "en"],
        [ARTICLE, "publish", "en"],
      ]);
      expect(told(nobody)).to.deep.equal([[NOTE, "create", null]]);
      expect(told(publicist)).to.deep.equal([[ARTICLE, "publish", "en"]]);
      expect(limited.got("change").every(({ documentId }) => documentId !== hidden)).to.equal(true);
    });

    it("tell those who saw a document that it is gone, whether it was deleted or hidden from them", async () => {
      const [limited, all] = [await hear("limited"), await hear("super")];
      const ids = [await make({ title: "To go", rank: 1 }), await make({ title: "To hide", rank: 1 })];
      for (const id of ids) await limited.wait("change", ({ documentId }) => documentId === id);
      await documents().delete({ documentId: ids[0] ?? "" });
      await documents().update({ documentId: ids[1] ?? "", data: { rank: 50 } });
      const gone = await Promise.all(
        ids.map((id) => limited.wait("change", ({ documentId, action }) => documentId === id && action === "delete")),
      );
      expect(gone.map(({ who }) => who)).to.deep.equal([null, null]);
      await all.wait("change", ({ documentId, action }) => documentId === ids[1] && action === "update");
      await documents().update({ documentId: ids[1] ?? "", data: { title: "Hidden, and changed" } });
      await showAll(limited);
      const actions = limited.got("change").filter(({ documentId }) => documentId === ids[1]);
      expect(actions.map(({ action }) => action)).to.deep.equal(["create", "delete"]);
    });

    it("say a thousand writes in a few messages, and one by one to the page", async () => {
      const stream = await hear("super");
      const ids = await app.plinth.app.db.transaction(async () => {
        const made: string[] = [];
        for (let number = 0; number < 300; number++) made.push(await make({ text: String(number) }, NOTE));
        return made;
      });
      await eventually(async () => {
        const told = new Set(stream.got("change").map(({ documentId }) => documentId));
        expect(ids.every((id) => told.has(id))).to.equal(true);
      }, 20_000);
    });

    it("end with their session, and with what its role may find they change", async () => {
      const by = await signIn(app.plinth.app, "limited");
      const [ended, other] = [await hear("limited", undefined, by), await hear("limited")];
      await app.ask("DELETE", "/admin/api/session", by);
      await ended.ended;
      expect(ended.got("end")).to.have.length(1);
      const { documentId } = await administratorOf(app.plinth.app, "limited");
      await documents("plugin::api-tokens.admin").update({ documentId, data: { role: "nobody" } });
      await other.ended;
      await documents("plugin::api-tokens.admin").update({ documentId, data: { role: "limited" } });
    });

    it("are no use of a session: one that is used for nothing else ends when its time has come", async () => {
      const by = await signIn(app.plinth.app, "super");
      const table = app.plinth.app.model.contentTypes.get("plugin::admin.session")?.table;
      const last = async (text = `select last_used_at as at from "${table}" order by id desc limit 1`) =>
        String((await app.plinth.app.db.query<{ at: Date }>({ text, values: [] }))[0]?.at);
      await last(
        `update "${table}" set last_used_at = now() - interval '2 hours' where id = (select max(id) from "${table}")`,
      );
      await app.plinth.app.db.messages.publish("admin-sessions", "*");
      const before = await last();
      await hear("super", NOTE, by);
      expect((await app.ask("POST", "/admin/api/presence", by, { tab: "a1b2c3d4", at: null })).status).to.equal(204);
      expect(await last()).to.equal(before);
      await last(
        `update "${table}" set last_used_at = now() - interval '9 hours' where id = (select max(id) from "${table}")`,
      );
      await app.plinth.app.db.messages.publish("admin-sessions", "*");
      await open[0]?.ended;
    });

    it("are for sessions: neither a bearer nor another page opens a stream", async () => {
      const { accessKey } = await app.plinth.app.service(apiTokens).create({ name: "Robot", type: "admin" } as never);
      for (const headers of [{ authorization: `Bearer ${accessKey}` }, TOKEN, {}]) {
        const { status } = await app.ask("GET", "/admin/api/events?watch=", headers);
        expect(status, JSON.stringify(headers)).to.be.oneOf([401, 403]);
      }
      const foreign = { ...(await signIn(app.plinth.app, "super")), "sec-fetch-site": "same-site" };
      expect((await app.ask("GET", "/admin/api/events?watch=", foreign)).status).to.equal(403);
    });

    it("refuse a list that names neither types nor documents", async () => {
      const by = await signIn(app.plinth.app, "super");
      for (const watch of ["articles", "api::a.a/b/c", Array.from({ length: 201 }, () => NOTE).join(",")]) {
        const { status, body } = await app.ask("GET", `/admin/api/events?watch=${encodeURIComponent(watch)}`, by);
        expect([status, body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
      }
    });

    it("say from time to time that the stream is alive, by something that no reader sees", async () => {
      const stream = await hear("super", NOTE);
      await eventually(async () => expect(stream.text()).to.contain("\n:\n\n"), 15_000);
      expect(stream.events).to.have.length(1);
    });

    it("cost nothing while nobody listens: no statement, and no timer", async () => {
      const streams = app.plinth.app.service(liveStreams);
      await eventually(async () => expect(streams.counts.streams).to.equal(0));
      const told: unknown[] = [];
      const stop = app.plinth.app.db.messages.subscribe("admin-live", {
        onMessage: (text) => told.push(text),
        onLost: () => undefined,
      });
      const isOver = () => !streams.isHeard;
      // A process counts on others for half a minute after it was told that one listens.
      await eventually(async () => expect(isOver()).to.equal(true), 40_000);
      // What this process said when its last stream ended may have come only now.
      told.length = 0;
      await make({ text: "unheard" }, NOTE);
      await sleep(A_WHILE);
      expect(told).to.deep.equal([]);
      stop();
    });
  });

  describe("streams of events", () => {
    it("are refused beyond what the configuration allows, and end before the process does", async () => {
      const app = await startLiveApp(database, {}, { streams: 3, streamsOfAccount: 2 });
      const [one] = [await listen(app, "super"), await listen(app, "super")];
      const third = await listen(app, "super");
      await third.ended;
      expect(third.status).to.equal(503);
      expect(third.text()).to.contain("PLINTH_ADMIN_NO_ROOM_FOR_EVENTS");
      const other = await listen(app, "editor");
      const fourth = await listen(app, "limited");
      await fourth.ended;
      expect(fourth.text()).to.contain("PLINTH_ADMIN_NO_ROOM_FOR_EVENTS");
      await app.plinth.stop();
      await Promise.all([one?.ended, other.ended]);
      expect(other.text()).to.match(/retry: \d+/);
    });
  });
});

const server = serverDatabase();
if (server)
  describe("events of the page in several processes", () => {
    it("tell in one what was written in another, and who is there", async () => {
      const [here, there] = [await startLiveApp(server), await startLiveApp(server)];
      const isHearing = async (app: AdminApp) => expect(app.plinth.app.db.messages.isListening).to.equal(true);
      try {
        await eventually(() => isHearing(here));
        await eventually(() => isHearing(there));
        const stream = await listen(here, "super", `${NOTE},${ARTICLE}`);
        const { documentId } = await there.plinth.app.documents(NOTE as string).create({ data: { text: "there" } });
        await stream.wait("change", (event) => event.documentId === documentId);
        const atDocument = await listen(here, "super", `${NOTE}/${documentId}`);
        const by = await signIn(there.plinth.app, "editor");
        const at = { uid: NOTE, documentId, locale: null, field: "text" };
        expect((await there.ask("POST", "/admin/api/presence", by, { tab: "a1b2c3d4", at })).status).to.equal(204);
        const { people } = await atDocument.wait("people", ({ people: those }) => those.length > 0);
        expect(people[0]).to.include({ name: "editor", field: "text", tab: "a1b2c3d4" });
        // Who ends a session ends its streams in every process.
        const mine = await signIn(here.plinth.app, "editor");
        const ending = await listen(here, "editor", NOTE, mine);
        const { documentId: account } = await administratorOf(there.plinth.app, "editor");
        const [newest] = await there.plinth.app.service(sessions).list({ id: 0, documentId: account });
        await there.plinth.app.service(sessions).endOne({ id: 0, documentId: account }, newest?.id ?? "");
        await ending.ended;
      } finally {
        await Promise.all([here.plinth.stop(), there.plinth.stop()]);
      }
    });
  });
