import { randomBytes } from "node:crypto";
import { events } from "@plinth/plugin-events";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { parseConfig } from "#plugins/webhooks/src/config.js";
import { pauseAfter } from "#plugins/webhooks/src/deliveries/pauses.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, endpoint, NOTE, numbersAt, startWebhooks, tell, webhooksOf } from "./webhooks-app.js";

const LATE = { timeout: 20_000 };

describe("deliveries of webhooks", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startWebhooks(database);
    });
    after("stop it", () => test?.stop());
    afterEach("remove the endpoints", async () => {
      test.webhooks.answerWith({});
      for (const { documentId } of await webhooksOf(test).list()) await webhooksOf(test).remove(documentId);
      test.webhooks.clear();
    });
    const stateOf = async (name: string) =>
      (await webhooksOf(test).deliveries({ endpoint: name })).map(({ state, attempts }) => [state, attempts]);

    it("are signed by Standard Webhooks, with every secret, and say what happened", async () => {
      const made = await endpoint(test, "signed", { headers: { authorization: "Bearer them" } });
      const rotated = (await webhooksOf(test).rotate(made.documentId)) ?? { secrets: [] };
      const both = [...made.secrets, ...rotated.secrets];
      expect(new Set(both)).to.have.property("size", 2);
      const note = await test.app.documents(NOTE).create({ data: { text: "a" } });
      const { method, headers, text, body } = await test.webhooks.next({ path: "/signed" }, LATE);
      expect(method).to.equal("POST");
      for (const secret of both) expect(new Webhook(secret).verify(text, { ...headers })).to.deep.equal(body);
      expect(body).to.have.all.keys("type", "timestamp", "data");
      expect(body.type).to.equal("entry.create");
      expect(new Date(body.timestamp as string).toISOString()).to.equal(body.timestamp);
      expect(body.data).to.deep.equal({ uid: NOTE, documentId: note.documentId, locales: [] });
      expect(headers).to.include({ authorization: "Bearer them", "content-type": "application/json" });
      const [delivery] = await webhooksOf(test).deliveries({ endpoint: "signed" });
      expect(headers["webhook-id"]).to.equal(delivery?.message);
    });

    it("have the content where that is asked for, as the public sees it", async () => {
      await endpoint(test, "content", { events: ["entry.publish"], content: true, types: [ARTICLE] });
      const data = { title: "Told", secret: "hush-private", pin: "hush-password" };
      const { documentId } = await test.app.documents(ARTICLE).create({ data, status: "published" });
      const { text, body } = await test.webhooks.next({ path: "/content" }, LATE);
      expect(body.data).to.deep.include({ uid: ARTICLE, documentId, locales: ["en"] });
      expect(body.data.entry).to.include({ documentId, title: "Told", locale: "en" });
      expect(text).to.not.match(/hush|secret|pin|createdBy|\$2/);
      await test.app.documents(NOTE).create({ data: { text: "not asked for" } });
      await test.app.documents(ARTICLE).delete({ documentId });
      await eventually(async () => expect(await stateOf("content")).to.deep.equal([["delivered", 1]]));
      expect(test.webhooks.all).to.have.length(1);
    });

    it("can have the form of Strapi, one for each locale", async () => {
      await endpoint(test, "strapi", { format: "strapi", types: [ARTICLE] });
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "One" }, locale: "en" });
      const made = await test.webhooks.next({ path: "/strapi" }, LATE);
      expect(made.headers["x-strapi-event"]).to.equal("entry.create");
      expect(made.body).to.have.all.keys("event", "createdAt", "model", "uid", "entry");
      expect(made.body).to.deep.include({ event: "entry.create", model: "article", uid: ARTICLE });
      expect(made.body.entry).to.include({ documentId, title: "One", locale: "en" });
      expect(made.headers["webhook-signature"]).to.match(/^v1,/);
      await articles.update({ documentId, data: { title: "Un" }, locale: "fr" });
      await test.webhooks.next({ path: "/strapi" }, LATE);
      await articles.delete({ documentId, locale: "*" });
      const gone = [await test.webhooks.next({}, LATE), await test.webhooks.next({}, LATE)];
      expect(gone.map(({ body }) => [body.event, body.entry.locale]).sort()).to.deep.equal([
        ["entry.delete", "en"],
        ["entry.delete", "fr"],
      ]);
    });

    it("say in the form of Strapi which event it is, whatever its data say", async () => {
      await endpoint(test, "strapi-own", { format: "strapi", events: ["test.*"] });
      await test.app.service(events).publish("test.held", {}, { event: "Gru\u00df \u2713", sum: 12 });
      const { headers, body } = await test.webhooks.next({ path: "/strapi-own" }, LATE);
      expect(headers["x-strapi-event"]).to.equal("test.held");
      expect(body).to.include({ event: "test.held", sum: 12 });
    });

    it("go to what is configured in place of endpoints, whatever their paths look like", async () => {
      await endpoint(test, "elsewhere", { url: "https://example.com//elsewhere.invalid/in?a=b" });
      await test.app.documents(NOTE).create({ data: { text: "a" } });
      const { path } = await test.webhooks.next({}, LATE);
      expect(path).to.equal("//elsewhere.invalid/in?a=b");
    });

    it("of a document come in order, also while one of them fails; others go on", async () => {
      await endpoint(test, "order", { events: ["test.told"] });
      test.webhooks.failTimes(1);
      await tell(test, "a", 1, 2, 3, 4, 5);
      await tell(test, "b", 11, 12, 13);
      await eventually(async () =>
        expect((await stateOf("order")).filter(([state]) => state === "delivered")).to.have.length(8),
      );
      const numbers = numbersAt(test, "/order");
      expect(numbers).to.have.length(9);
      const once = [...new Set(numbers)];
      expect(once.filter((n) => n < 10)).to.deep.equal([1, 2, 3, 4, 5]);
      expect(once.filter((n) => n > 10)).to.deep.equal([11, 12, 13]);
    });

    it("of a document whose id is a long text come in order as well, and hold up no other", async () => {
      await endpoint(test, "long", { events: ["test.told"] });
      const documentId = randomBytes(4_000).toString("hex");
      await tell(test, documentId, 1, 2);
      await tell(test, "a", 3);
      await eventually(async () => expect([...numbersAt(test, "/long")].sort()).to.deep.equal([1, 2, 3]));
      expect(numbersAt(test, "/long").filter((n) => n < 3)).to.deep.equal([1, 2]);
      const [delivery] = await webhooksOf(test).deliveries({ endpoint: "long" });
      expect(delivery?.documentId).to.equal("a");
    });

    it("are tried as often as the schedule says, and then dead; the next of the document goes on", async () => {
      await endpoint(test, "dead", { events: ["test.told"] });
      test.webhooks.failTimes(3, { status: 500, body: "x".repeat(20_000) });
      await tell(test, "a", 1, 2);
      await eventually(async () =>
        expect(await stateOf("dead")).to.deep.equal([
          ["delivered", 1],
          ["dead", 3],
        ]),
      );
      expect(numbersAt(test, "/dead")).to.deep.equal([1, 1, 1, 2]);
      const [dead] = await webhooksOf(test).deliveries({ state: "dead" });
      expect(dead).to.include({ status: 500, error: "it answered 500", nextAt: null });
      expect(dead?.answer).to.equal("x".repeat(16_384));
      expect(await webhooksOf(test).replay({ endpoint: "dead" })).to.equal(1);
      await eventually(async () =>
        expect(await stateOf("dead")).to.deep.equal([
          ["delivered", 1],
          ["delivered", 1],
        ]),
      );
    });

    it("wait for 0, 5 s, 5 min ... 24 h, a fifth more or less", () => {
      const { schedule } = parseConfig(undefined);
      expect(schedule.map((each) => each / 60)).to.deep.equal([0, 1 / 12, 5, 30, 120, 300, 600, 840, 1_200, 1_440]);
      expect(pauseAfter(schedule, 10)).to.equal(undefined);
      expect([pauseAfter([0, 5, 300], 1, 0), pauseAfter([0, 5, 300], 1, 1)]).to.deep.equal([4_000, 6_000]);
      expect(pauseAfter([0, 5, 300], 2, 0.5)).to.equal(300_000);
    });

    it("do not follow redirects", async () => {
      await endpoint(test, "moved", { events: ["test.told"] });
      test.webhooks.answerWith({ status: 302, headers: { location: `${test.webhooks.url}/elsewhere` } });
      await tell(test, "a", 1);
      await eventually(async () => expect(await stateOf("moved")).to.deep.equal([["dead", 3]]));
      expect(test.webhooks.all.every(({ path }) => path === "/moved")).to.equal(true);
      const [dead] = await webhooksOf(test).deliveries({ endpoint: "moved" });
      expect(dead?.error).to.include("302").and.include("not followed");
    });

    it("are four at once to an endpoint", async () => {
      await endpoint(test, "abreast", { events: ["test.told"] });
      let most = 0;
      test.webhooks.answerWith({ delay: 2_000 });
      for (let n = 1; n <= 8; n += 1) await tell(test, `d${n}`, n);
      await eventually(async () => {
        most = Math.max(most, test.webhooks.all.length);
        expect(test.webhooks.all.length).to.be.at.least(4);
      });
      expect(most).to.be.at.most(4);
      await eventually(async () =>
        expect((await stateOf("abreast")).every(([state]) => state === "delivered")).to.equal(true),
      );
      expect(test.webhooks.all).to.have.length(8);
    });

    it("of an update that a newer one follows are dropped where that is wanted", async () => {
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { text: "0" } });
      const events = ["entry.update", "entry.delete"];
      await endpoint(test, "coalesced", { events, coalesce: true, content: true });
      test.webhooks.answerWith({ delay: 3_000 });
      await notes.update({ documentId, data: { text: "1" } });
      await test.webhooks.next({ path: "/coalesced" }, LATE);
      test.webhooks.answerWith({});
      for (const text of ["2", "3", "4"]) await notes.update({ documentId, data: { text } });
      await notes.delete({ documentId });
      await eventually(async () => {
        const states = (await webhooksOf(test).deliveries({ endpoint: "coalesced" })).map(({ state }) => state);
        expect(states.filter((state) => state === "delivered" || state === "dropped")).to.have.length(5);
      });
      const sent = test.webhooks.all.map(({ body }) => [body.type, body.data.entry.text]);
      expect(sent.at(-1)).to.deep.equal(["entry.delete", "4"]);
      expect(sent.at(-2)).to.deep.equal(["entry.update", "4"]);
      expect(sent.length).to.be.below(5);
    });

    it("end where the receiver says that it is gone: the endpoint is disabled, with an event", async () => {
      const { documentId } = await endpoint(test, "gone", { events: ["test.told"] });
      await endpoint(test, "watching", { events: ["webhooks.*"] });
      test.webhooks.failTimes(1, { status: 410 });
      await tell(test, "a", 1, 2);
      const told = await test.webhooks.next({ path: "/watching" }, LATE);
      expect(told.body).to.deep.include({ type: "webhooks.endpoint-disabled" });
      expect(told.body.data.data).to.include({ endpoint: documentId, name: "gone" });
      const found = await webhooksOf(test).find("gone");
      expect(found).to.include({ enabled: false });
      expect(found?.disabled?.reason).to.include("410");
      expect(test.logged.some(({ msg }) => String(msg).includes('"gone" of webhooks was disabled'))).to.equal(true);
      expect(await stateOf("gone")).to.deep.equal([
        ["waiting", 0],
        ["dead", 1],
      ]);
      await webhooksOf(test).update(documentId, { enabled: true });
      await eventually(async () => expect((await stateOf("gone"))[0]).to.deep.equal(["delivered", 1]));
      expect(await webhooksOf(test).find("gone")).to.include({ enabled: true, disabled: null });
    });

    it("end after three days of failures, and not where one of them arrived", async () => {
      const { documentId } = await endpoint(test, "failing", { events: ["test.told"] });
      const backdate = `update plinth_webhook_states set failing_since = now() - interval '73 hours' where endpoint = '${documentId}'`;
      test.webhooks.failTimes(1);
      await tell(test, "a", 1);
      await eventually(async () => expect(await stateOf("failing")).to.deep.equal([["delivered", 2]]));
      await eventually(async () => expect(await webhooksOf(test).find("failing")).to.include({ failingSince: null }));
      test.webhooks.failTimes(3);
      await tell(test, "a", 2);
      await eventually(async () => expect((await stateOf("failing"))[0]).to.deep.equal(["dead", 3]));
      expect(await webhooksOf(test).find("failing")).to.include({ enabled: true });
      await test.app.db.query({ text: backdate, values: [] });
      test.webhooks.failTimes(1);
      await tell(test, "a", 3);
      await eventually(async () => expect(await webhooksOf(test).find("failing")).to.include({ enabled: false }));
      expect((await webhooksOf(test).find("failing"))?.disabled?.reason)
        .to.include("3 days")
        .and.include("500");
    });

    it("belong to the trace of the write", async () => {
      await endpoint(test, "traced", { events: ["entry.create"] });
      const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
      const answer = await test.as("all").post("/api/notes", { data: { text: "a" } }, { headers: { traceparent } });
      expect(answer.status).to.equal(201);
      const { headers } = await test.webhooks.next({ path: "/traced" }, LATE);
      expect(headers["traceparent"]).to.match(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/);
    });

    it("are made of what was committed, and of nothing else", async () => {
      await endpoint(test, "committed", { events: ["test.told"] });
      await test.app.db
        .transaction(async () => {
          await test.app.service(events).publish("test.told", { uid: NOTE, documentId: "x" }, { n: 99 });
          throw new Error("taken back");
        })
        .catch(() => undefined);
      await tell(test, "x", 1);
      await eventually(async () => expect(numbersAt(test, "/committed")).to.deep.equal([1]));
    });
  });
});
