import { setTimeout as sleep } from "node:timers/promises";
import { definePlugin, implement, serviceRef, writeHooks } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { asAnotherRequest } from "../../other-requests.js";
import { ARTICLE, AUTHOR, codeOf, HOME, later, NOTE, serveNewsroom, soon } from "./newsroom-app.js";

interface Published {
  readonly type: string;
  readonly subject: object;
  readonly data: unknown;
}

describe("schedules", () => {
  eitherDatabase(import.meta.url, (database) => {
    const events: Published[] = [];
    const sink = serviceRef<{ publish(type: string, subject: object, data: unknown): Promise<void> }>(
      "plugin::events.events",
    );
    const eventsPlugin = definePlugin({
      name: "events",
      services: [
        implement(sink, {
          create: () => ({ publish: async (type, subject, data) => void events.push({ type, subject, data }) }),
        }),
      ],
    });
    let broken: string | undefined;
    const room = serveNewsroom(database, {
      plugins: [eventsPlugin],
      app: {
        register: ({ on }) =>
          on(writeHooks.publish.before, ({ documentId, isTrial }) => {
            if (documentId === broken && !isTrial) throw new TypeError("a hook that is broken");
          }),
      },
    });
    const path = (documentId: string, query = "") => `/api/articles/${documentId}/actions/schedule${query}`;
    /** Has what is planned happen now, however far its time is. */
    const passTime = async (documentId: string) => {
      const { db } = room().app;
      const text = "update plinth_schedule set at = now() - interval '1 s' where document_id = $1 returning id";
      const due = await db.query<{ id: string }>({ text, values: [documentId] });
      for (const { id } of due)
        await room()
          .app.extension(jobs)
          .enqueue("schedule:run", { id: Number(id) });
      await room().settle();
    };
    const inAnHour = () => later(room(), 3_600_000);
    beforeEach("forget events", () => void events.splice(0));

    it("publish the draft as it is at their time, and take it back at another, within a second", async () => {
      const documentId = await room().draft({ title: "First" });
      const [publishAt, unpublishAt] = [later(room(), 4_000), later(room(), 6_500)];
      const planned = await room().ask("chief", "POST", path(documentId), { publishAt, unpublishAt });
      expect(planned.status, JSON.stringify(planned.body)).to.equal(200);
      expect(planned.body).to.deep.equal({
        data: [
          { action: "publish", locale: "en", at: publishAt.toISOString(), state: "waiting", problems: [] },
          { action: "unpublish", locale: "en", at: unpublishAt.toISOString(), state: "waiting", problems: [] },
        ],
        meta: { problems: [] },
      });
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, data: { title: "Second" } });
      await soon(async () => expect(await room().published(documentId)).to.equal("Second"));
      const late = room().app.clock.now() - publishAt.getTime();
      await soon(async () => expect(await room().published(documentId)).to.equal(undefined));
      const lateBack = room().app.clock.now() - unpublishAt.getTime();
      console.log(
        `      [fleet] schedules: published ${Math.round(late)} ms, taken back ${Math.round(lateBack)} ms after their time`,
      );
      expect(Math.min(late, lateBack), "not before its time").to.be.at.least(0);
      await soon(async () =>
        expect((await room().ask("chief", "GET", path(documentId))).body).to.deep.equal({ data: [] }),
      );
      expect(events).to.deep.equal([]);
    });

    it("are one for each document, locale and action, which a later one replaces and null ends", async () => {
      const documentId = await room().draft();
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, locale: "de", data: { title: "Entwurf" } });
      const [first, second] = [inAnHour(), later(room(), 7_200_000)];
      await room().ask("chief", "POST", path(documentId), { data: { publishAt: first } });
      await room().ask("chief", "POST", path(documentId), { publishAt: second, locale: "de" });
      await room().ask("chief", "POST", path(documentId), { publishAt: first, unpublishAt: second });
      const shown = async (query = "") =>
        (await room().ask("chief", "GET", path(documentId, query))).body.data.map(
          ({ action, locale, at }: { action: string; locale: string; at: string }) =>
            `${locale} ${action} ${at === first.toISOString() ? "first" : "second"}`,
        );
      expect(await shown()).to.deep.equal(["de publish second", "en publish first", "en unpublish second"]);
      expect(await shown("?locale=de")).to.deep.equal(["de publish second"]);
      await room().ask("chief", "POST", path(documentId), { unpublishAt: null });
      expect(await shown("?locale=en")).to.deep.equal(["en publish first"]);
      expect((await room().ask("chief", "DELETE", path(documentId, "?locale=en"))).status).to.equal(204);
      expect(await shown()).to.deep.equal(["de publish second"]);
      await room().settle();
      expect(await room().published(documentId)).to.equal(undefined);
    });

    it("that were moved or ended are not done at the time of before", async () => {
      const documentId = await room().draft();
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 2_000) });
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: inAnHour() });
      const other = await room().draft();
      await room().schedules.plan({ type: ARTICLE, documentId: other }, { publishAt: later(room(), 2_000) });
      await room().schedules.cancel({ type: ARTICLE, documentId: other });
      const marker = await room().draft({ title: "Marker" });
      await room().schedules.plan({ type: ARTICLE, documentId: marker }, { publishAt: later(room(), 2_500) });
      await soon(async () => expect(await room().published(marker)).to.equal("Marker"));
      await room().settle();
      expect([await room().published(documentId), await room().published(other)]).to.deep.equal([undefined, undefined]);
    });

    it("are done as the rights are at that time, and say so where they are lost", async () => {
      const { people } = room();
      people["editor"] = "all";
      const [lost, gone, kept] = [await room().draft(), await room().draft(), await room().draft()];
      for (const documentId of [lost, kept])
        await room().ask("editor", "POST", path(documentId), { publishAt: inAnHour() });
      people["guest"] = "all";
      await room().ask("guest", "POST", path(gone), { publishAt: inAnHour() });
      delete people["guest"];
      people["editor"] = [
        "api::article.article.find",
        "api::article.article.findOne",
        "api::article.article.findDrafts",
      ];
      await passTime(lost);
      await passTime(gone);
      people["editor"] = "all";
      await passTime(kept);
      expect(await Promise.all([lost, gone, kept].map((id) => room().published(id)))).to.deep.equal([
        ...[undefined, undefined, "Draft"],
      ]);
      const codes = async (id: string) =>
        (await room().schedules.of({ type: ARTICLE, documentId: id })).map(({ state, problems }) => [
          state,
          problems[0]?.code,
        ]);
      expect(await codes(lost)).to.deep.equal([["failed", "PLINTH_ACCESS_FORBIDDEN"]]);
      expect(await codes(gone)).to.deep.equal([["failed", "PLINTH_SCHEDULE_CALLER_GONE"]]);
      expect(await codes(kept)).to.deep.equal([]);
      expect(events.map(({ type, data }) => [type, data])).to.deep.equal([
        ["schedule.failed", { action: "publish", code: "PLINTH_ACCESS_FORBIDDEN" }],
        ["schedule.failed", { action: "publish", code: "PLINTH_SCHEDULE_CALLER_GONE" }],
      ]);
      expect(events[0]?.subject).to.deep.include({
        ...{ uid: ARTICLE, documentId: lost, locales: ["en"] },
        origin: { transport: "code", actor: { kind: "person", id: "editor" } },
      });
    });

    it("tell what publishing would be refused for, and keep what it was refused for until they are made again", async () => {
      const documentId = await room().draft({ slug: "no-title" });
      const { body } = await room().ask("chief", "POST", path(documentId), { publishAt: inAnHour() });
      expect(body.meta.problems).to.deep.equal([
        { code: "PLINTH_INPUT_INVALID", path: ["title"], message: body.meta.problems[0].message },
      ]);
      expect(await room().published(documentId), "it was a trial").to.equal(undefined);
      await passTime(documentId);
      const { data } = (await room().ask("chief", "GET", path(documentId))).body;
      expect(data[0]).to.deep.include({ action: "publish", state: "failed", problems: body.meta.problems });
      expect(events).to.have.length(1);
      expect(room().logged.some((line) => line.startsWith("What was planned failed"))).to.equal(true);
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, data: { title: "Title" } });
      await room().ask("chief", "POST", path(documentId), { publishAt: inAnHour() });
      await passTime(documentId);
      expect(await room().published(documentId)).to.equal("Title");
    });

    it("go with a document that is deleted, in the locales in which it is", async () => {
      const documentId = await room().draft();
      const documents = room().app.documents(ARTICLE);
      await documents.update({ documentId, locale: "de", data: { title: "Entwurf" } });
      for (const locale of ["en", "de"])
        await room().schedules.plan({ type: ARTICLE, documentId, locale }, { publishAt: inAnHour() });
      await documents.delete({ documentId, locale: "de" });
      expect((await room().schedules.of({ type: ARTICLE, documentId })).map(({ locale }) => locale)).to.deep.equal([
        "en",
      ]);
      await documents.delete({ documentId, locale: "*" });
      const text = "select 1 from plinth_schedule where document_id = $1";
      expect(await room().app.db.query({ text, values: [documentId] })).to.deep.equal([]);
      expect(await codeOf(room().schedules.of({ type: ARTICLE, documentId }))).to.equal("PLINTH_HTTP_NOT_FOUND");
    });

    it("stay when a document is published or taken back by hand", async () => {
      const documentId = await room().draft({ title: "One" });
      const documents = room().app.documents(ARTICLE);
      const place = { type: ARTICLE, documentId };
      await documents.publish({ documentId });
      await documents.update({ documentId, data: { title: "Two" } });
      await room().schedules.plan(place, { publishAt: inAnHour() });
      await documents.unpublish({ documentId });
      expect(await room().schedules.of(place)).to.have.length(1);
      await passTime(documentId);
      expect(await room().published(documentId), "it is published again").to.equal("Two");
      await room().schedules.plan(place, { unpublishAt: inAnHour() });
      await documents.unpublish({ documentId });
      await passTime(documentId);
      expect(await room().schedules.of(place), "nothing was left to take back").to.deep.equal([]);
      expect(events).to.deep.equal([]);
    });

    it("say so where their locale is gone", async () => {
      const { db } = room().app;
      const documentId = await room().draft();
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: inAnHour() });
      await db.query({ text: "update plinth_schedule set locale = 'xx' where document_id = $1", values: [documentId] });
      await passTime(documentId);
      const text = "select problems -> 0 ->> 'code' as code from plinth_schedule where document_id = $1";
      expect(await db.query({ text, values: [documentId] })).to.deep.equal([{ code: "PLINTH_SCHEDULE_LOCALE_GONE" }]);
    });

    it("that fail for no reason of the document are tried three times", async () => {
      const documentId = await room().draft();
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: inAnHour() });
      broken = documentId;
      await passTime(documentId);
      await soon(async () => {
        const [known] = await room().schedules.of({ type: ARTICLE, documentId });
        expect(known?.state).to.equal("failed");
        expect(known?.problems[0]?.code).to.equal("PLINTH_SCHEDULE_FAILED");
      }, 30_000);
      broken = undefined;
    });

    it("that are moved or cancelled leave no job that waits for another time", async () => {
      const text =
        "select (data ->> 'id')::float8 as id, at from plinth_jobs where name = 'schedule:run' and at > now()";
      const waiting = () => room().app.db.query<{ at: Date }>({ text, values: [] });
      const before = (await waiting()).length;
      const place = { type: ARTICLE, documentId: await room().draft() };
      for (const publishAt of [inAnHour(), later(room(), 7_200_000), new Date("9999-12-31T00:00:00Z")])
        await room().schedules.plan(place, { publishAt });
      expect(await waiting()).to.have.length(before + 1);
      await room().schedules.plan(place, { publishAt: null });
      expect(await waiting()).to.have.length(before);
      await room().schedules.plan(place, { publishAt: inAnHour() });
      await room().schedules.cancel(place);
      expect(await waiting()).to.have.length(before);
    });

    it("whose job was lost are found each minute", async () => {
      const documentId = await room().draft();
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: inAnHour() });
      const { db, extension } = room().app;
      await db.query({ text: "delete from plinth_jobs where name = 'schedule:run'", values: [] });
      const text = "update plinth_schedule set at = now() - interval '1 minute' where document_id = $1";
      await db.query({ text, values: [documentId] });
      await extension(jobs).enqueue("schedule:look", {});
      await soon(async () => expect(await room().published(documentId)).to.equal("Draft"));
    });

    it("are of single types and of types without locales as well", async () => {
      const { documentId } = await room()
        .app.documents(AUTHOR)
        .create({ data: { name: "Ada" } });
      const asked = await room().ask("chief", "POST", `/api/authors/${documentId}/actions/schedule`, {
        publishAt: inAnHour(),
      });
      expect(asked.body.data[0]).to.include({ action: "publish", locale: null });
      expect((await room().ask("chief", "GET", "/api/home/actions/schedule")).status).to.equal(404);
      await room()
        .app.documents(HOME)
        .upsertSingle({ data: { title: "Home" } });
      expect(
        (await room().ask("chief", "POST", "/api/home/actions/schedule", { publishAt: inAnHour() })).status,
      ).to.equal(200);
      expect((await room().ask("chief", "GET", "/api/home/actions/schedule")).body.data).to.have.length(1);
    });

    it("refuse what cannot be, all problems at once", async () => {
      const documentId = await room().draft();
      const post = async (body: unknown, who = "chief") => await room().ask(who, "POST", path(documentId), body);
      const past = new Date(room().app.clock.now() - 60_000);
      const refused = await post({ publishAt: past, unpublishAt: past });
      expect(refused.status).to.equal(400);
      expect(refused.body.error.details.errors.map((each: { path: string }) => each.path)).to.deep.equal([
        ...["publishAt", "unpublishAt", "unpublishAt"],
      ]);
      for (const body of [
        {},
        { publishAt: "tomorrow" },
        { publishAt: 1 },
        { publishAt: "2100-02-31T09:00:00Z" },
        { unpublishAt: "2101-02-29T23:00:00-05:00" },
        { publishAt: "2100" },
        { publishAt: "9999-12-31T23:59:59-23:59" },
        { at: inAnHour() },
        { publishAt: inAnHour(), locale: "xx" },
        [],
      ])
        expect((await post(body)).status, JSON.stringify(body)).to.equal(400);
      const noDay = (await post({ publishAt: "2100-02-31T09:00:00Z" })).body.error;
      expect(noDay.message).to.equal(
        'publishAt must be a time such as 2030-01-31T09:00:00Z, and is "2100-02-31T09:00:00Z"',
      );
      expect((await post({ publishAt: "2104-02-29T23:00:00-05:00" })).status, "a leap year").to.equal(200);
      expect((await post({ publishAt: inAnHour(), locale: "de" })).status, "a locale without a draft").to.equal(404);
      const nul = await room().ask("chief", "POST", path("%00"), { publishAt: inAnHour() });
      expect(nul.status, "an id that none has").to.be.oneOf([400, 404]);
      expect(await codeOf(room().schedules.plan({ type: NOTE, documentId }, { publishAt: inAnHour() }))).to.equal(
        "PLINTH_SCHEDULE_NO_DRAFTS",
      );
      expect((await room().ask("chief", "POST", `/api/notes/${documentId}/actions/schedule`, {})).status).to.be.oneOf([
        404, 405,
      ]);
      const token = await post({ publishAt: inAnHour() }, "configured-token");
      expect(token.body.error.message).to.include("API token");
      expect((await post({ publishAt: inAnHour() }, "")).status).to.equal(403);
    });

    it("are forgotten by who may do what is forgotten, also where somebody plans something meanwhile", async () => {
      const { db } = room().app;
      room().people["publisher"] = [
        ...["find", "findOne", "findDrafts", "publish"].map((name) => `${ARTICLE}.${name}`),
      ];
      const documentId = await room().draft();
      const place = { type: ARTICLE, documentId };
      await room().schedules.plan(place, { publishAt: inAnHour() });
      let planning: Promise<unknown> | undefined;
      const query = db.query.bind(db);
      db.query = async (statement) => {
        const found = await query(statement);
        if (planning || !statement.text.includes("from plinth_schedule where uid")) return found as never;
        // What is planned has just been read. A plan that has to wait for who reads it is not waited for.
        planning = asAnotherRequest(() => room().schedules.plan(place, { unpublishAt: inAnHour() }));
        await Promise.race([planning, sleep(1_000)]);
        return found as never;
      };
      const deleted = await room().ask("publisher", "DELETE", path(documentId));
      db.query = query;
      await planning;
      expect(deleted.status).to.equal(204);
      expect((await room().schedules.of(place)).map(({ action }) => action)).to.deep.equal(["unpublish"]);
      expect((await room().ask("publisher", "DELETE", path(documentId))).status).to.equal(403);
    });

    it("are ended and replaced by those alone whose rules reach the document", async () => {
      const sports = { desk: "sports" };
      room().people["sports"] = [
        ...["find", "findOne", "findDrafts"].map((name) => `${ARTICLE}.${name}`),
        ...["publish", "unpublish"].map((name) => ({ action: `${ARTICLE}.${name}`, where: sports })),
      ];
      const documents = room().app.documents(ARTICLE);
      const plansOf = async (documentId: string) =>
        (await room().schedules.of({ type: ARTICLE, documentId })).map(({ action, at }) => `${action} ${at}`);
      const tried = async (documentId: string) => {
        const ask = (method: string, body?: object) => room().ask("sports", method, path(documentId), body);
        const asked = [
          ...[await ask("POST", { publishAt: null }), await ask("POST", { unpublishAt: null })],
          ...[await ask("POST", { unpublishAt: later(room(), 9_000_000) }), await ask("DELETE")],
        ];
        return asked.map(({ status }) => status);
      };
      for (const isPublished of [false, true]) {
        const [own, other] = [
          await room().draft({ title: "Own", desk: "sports" }),
          await room().draft({ title: "Other", desk: "politics" }),
        ];
        for (const documentId of [own, other]) {
          if (isPublished) await documents.publish({ documentId });
          const times = { publishAt: inAnHour(), unpublishAt: later(room(), 7_200_000) };
          await room().schedules.plan({ type: ARTICLE, documentId }, times);
        }
        const before = await plansOf(other);
        expect(await tried(other)).to.deep.equal([403, 403, 403, 403]);
        expect(await plansOf(other)).to.deep.equal(before);
        expect(await tried(own)).to.deep.equal([200, 200, 200, 204]);
        expect(await plansOf(own)).to.deep.equal([]);
      }
    });

    it("belong to the transaction that plans them", async () => {
      const documentId = await room().draft();
      const undone = room().app.db.transaction(async () => {
        await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: inAnHour() });
        throw new TypeError("undone");
      });
      await undone.catch(() => undefined);
      expect(await room().schedules.of({ type: ARTICLE, documentId })).to.deep.equal([]);
    });
  });
});
