import { expect } from "chai";
import { People } from "#plugins/admin/src/live/people.js";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, DOSSIER, type Listener, listen, NOTE, startLiveApp } from "./live-app.js";
import type { AdminApp } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

const PRESENCE = "/admin/api/presence";
const TAB = "a1b2c3d4e5";

eitherDatabase(import.meta.url, (database) => {
  describe("who is at a document", () => {
    let app: AdminApp;
    const open: Listener[] = [];
    before("start the app", async () => {
      app = await startLiveApp(database);
    });
    afterEach("close the streams", () => {
      for (const stream of open.splice(0)) stream.close();
    });
    after("stop the app", () => app.plinth.stop());
    const make = async (uid: string, data: object, locale?: string) =>
      (await app.plinth.app.documents(uid).create({ data: data as never, ...(locale ? { locale } : {}) })).documentId;
    const hear = async (role: string, watch: string) => {
      const stream = await listen(app, role, watch);
      open.push(stream);
      await stream.wait("hello", () => true);
      // First it is told who is at each, which is looked up after it was opened.
      await eventually(async () => expect(stream.got("people")).to.have.length.at.least(watch.split(",").length));
      return stream;
    };
    const be = async (role: string, at: object | null, tab = TAB) =>
      (await app.ask("POST", PRESENCE, await signIn(app.plinth.app, role), { tab, at })).status;

    it("is told to those who have it open: who came, moved and left, and who was there before", async () => {
      const documentId = await make(ARTICLE, { title: "Open" });
      const at = { uid: ARTICLE, documentId, locale: "en", field: "title" };
      const first = await hear("super", `${ARTICLE}/${documentId}`);
      expect(await be("editor", at)).to.equal(204);
      const { id, documentId: account } = await administratorOf(app.plinth.app, "editor");
      const { people } = await first.wait("people", ({ people: those }) => those.length > 0);
      expect(people).to.deep.equal([{ id, name: "editor", account, tab: TAB, locale: "en", field: "title" }]);
      await be("editor", { ...at, field: "rank" });
      await first.wait("people", ({ people: [editor] }) => editor?.field === "rank");
      const second = await hear("super", `${ARTICLE}/${documentId}`);
      await second.wait("people", ({ people: [editor] }) => editor?.field === "rank");
      await be("editor", { ...at, field: "rank" });
      await be("editor", null);
      // Nobody, two places, and nobody: saying the same again is told to nobody.
      await eventually(async () => expect(first.got("people")).to.have.length(4));
      expect(first.text()).to.not.contain("editor@example.com");
    });

    it("is told of no document that a rule hides, in no locale and field that may not be read, and not how many are there", async () => {
      const hidden = await make(ARTICLE, { title: "Hidden", rank: 99 });
      const shown = await make(ARTICLE, { title: "Shown", rank: 1 });
      await app.plinth.app
        .documents(ARTICLE as string)
        .update({ documentId: shown, locale: "fr", data: { title: "Vu", rank: 1 } });
      const dossier = await make(DOSSIER, { name: "Hidden" });
      const watch = [`${ARTICLE}/${hidden}`, `${ARTICLE}/${shown}`, `${DOSSIER}/${dossier}`].join(",");
      const [limited, publicist] = [await hear("limited", watch), await hear("publicist", watch)];
      const at = (uid: string, documentId: string, locale: string | null, field: string | null = null) => ({
        uid,
        documentId,
        locale,
        field,
      });
      await be("super", at(ARTICLE, hidden, "en"), "hidden0001");
      await be("super", at(ARTICLE, shown, "fr"), "french0001");
      await be("super", at(DOSSIER, dossier, null), "dossier001");
      await be("super", at(ARTICLE, shown, "en", "secret"), "secret0001");
      const isSomebody = ({ people: those }: { people: object[] }) => those.length > 0;
      const { people, documentId } = await limited.wait("people", isSomebody);
      expect([documentId, people.map(({ tab, field }: { tab: string; field: string }) => [tab, field])]).to.deep.equal([
        shown,
        [["secret0001", null]],
      ]);
      await be("super", at(ARTICLE, shown, "en", "title"), "secret0001");
      await limited.wait("people", ({ people: [one] }) => one?.field === "title");
      expect(limited.got("people").filter(isSomebody)).to.have.length(2);
      expect(limited.got("people")).to.have.length(2 + 3);
      await app.plinth.app.documents(ARTICLE as string).publish({ documentId: shown, locale: "en" });
      await be("super", at(ARTICLE, shown, "en", "rank"), "secret0001");
      await publicist.wait("people", ({ people: [one] }) => one?.field === "rank");
      expect(publicist.got("people")).to.have.length(1 + 3);
    });

    it("is said by those alone who may see the document", async () => {
      const hidden = await make(ARTICLE, { title: "Hidden", rank: 99 });
      const at = { uid: ARTICLE, documentId: hidden, locale: "en" };
      const statuses = await Promise.all([
        be("limited", at),
        be("nobody", at),
        be("super", { ...at, documentId: "absent" }),
        be("super", { ...at, uid: "api::gone.gone" }),
        be("super", { ...at, uid: "plugin::admin.session" }),
      ]);
      expect(statuses).to.deep.equal([404, 404, 404, 404, 404]);
      const { accessKey } = await app.plinth.app.service(apiTokens).create({ name: "Robot", type: "admin" } as never);
      const byBearer = await app.ask("POST", PRESENCE, { authorization: `Bearer ${accessKey}` }, { tab: TAB, at });
      expect(byBearer.status).to.equal(403);
    });

    it("is refused where it is no place", async () => {
      const by = await signIn(app.plinth.app, "super");
      const at = { uid: NOTE, documentId: await make(NOTE, { text: "a" }) };
      const wrong = [
        {},
        { tab: "x", at },
        { tab: TAB, at: { ...at, field: "<b>" } },
        { tab: TAB, at: { ...at, field: "a".repeat(301) } },
      ];
      for (const body of wrong) {
        const answer = await app.ask("POST", PRESENCE, by, body);
        expect([answer.status, answer.body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
      }
    });

    it("names nobody by the tab of another account", async () => {
      const documentId = await make(NOTE, { text: "Shared" });
      const at = { uid: NOTE, documentId };
      const stream = await hear("super", `${NOTE}/${documentId}`);
      await be("editor", at);
      await be("nobody", at);
      await stream.wait("people", ({ people }) => people.length === 2);
      await be("nobody", null);
      const { people } = await stream.wait(
        "people",
        ({ people: those }) => those.length === 1 && those[0].name === "editor",
      );
      expect(people).to.have.length(1);
      await eventually(async () => expect(stream.got("people").at(-1).people[0].name).to.equal("editor"));
    });
  });
});

describe("the people that a process knows", () => {
  const uid = "api::article.article";
  const place = (documentId = "one", field: string | null = null) => ({ uid, documentId, locale: null, field });
  const who = (account: string, tab = TAB) => ({ account, tab, person: { id: 1, name: account } });

  it("are forgotten when they say nothing for half a minute", () => {
    let now = 0;
    const people = new People(() => now);
    people.move({ ...who("ada"), at: place() });
    now = 20_000;
    expect(people.move({ ...who("ada"), at: place() })).to.deep.equal([]);
    now = 49_999;
    expect(people.forgetSilent()).to.deep.equal([]);
    expect(people.at(`${uid} one`)).to.have.length(1);
    now = 50_000;
    expect(people.at(`${uid} one`)).to.deep.equal([]);
    expect(people.forgetSilent()).to.deep.equal([`${uid} one`]);
    expect(people.size).to.equal(0);
  });

  it("are told anew when they come back, and of both documents when they go from one to another", () => {
    let now = 0;
    const people = new People(() => now);
    people.move({ ...who("ada"), at: place() });
    now = 30_001;
    expect(people.move({ ...who("ada"), at: place() })).to.deep.equal([`${uid} one`]);
    expect(people.move({ ...who("ada"), at: place("two") })).to.deep.equal([`${uid} one`, `${uid} two`]);
    expect(people.move({ ...who("ada"), at: null })).to.deep.equal([`${uid} two`]);
    expect(people.move({ ...who("ada"), at: null })).to.deep.equal([]);
  });

  it("are no more than thirty tabs of one account", () => {
    const people = new People(() => 0);
    for (let tab = 0; tab < 40; tab++) people.move({ ...who("ada", `tab-${tab}`), at: place() });
    people.move({ ...who("grace"), at: place() });
    expect(people.size).to.equal(31);
  });
});
