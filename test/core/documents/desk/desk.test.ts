import { expect } from "chai";
import { createPlinth } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { eachDatabase } from "../../../databases.js";
import { deskSetup, serveDesk } from "./desk-app.js";

const ARTICLE = "api::article.article";

describe("what a page of administrators asks of a running app", () => {
  eachDatabase((database) => {
    const served = serveDesk(database);
    const create = async (who: "ada" | "ben", data: object, more: object = {}) =>
      (await served().ask(who, "POST", "/desk/articles", { data, ...more })).body;
    const titles = async (who: "ada" | "ben", query: string) => {
      const { status, body } = await served().ask(who, "GET", `/desk/articles?${query}`);
      return status === 200 ? body.data.map(({ title }: { title: string }) => title) : status;
    };
    const facts = async (documentId: string) => {
      const { body } = await served().ask("ada", "GET", `/desk/articles?filters[documentId]=${documentId}`);
      return body.data[0]._facts;
    };

    it("a list shows state, authors and locales of each row", async () => {
      const { people } = served();
      const { documentId } = await create("ada", { title: "Facts" });
      const { id, email } = people.ada as unknown as { id: number; email: string };
      const person = { id, documentId: people.ada.documentId, email };
      expect(await facts(documentId)).to.deep.equal({
        state: "draft",
        createdBy: person,
        updatedBy: person,
        locales: [{ locale: "en", state: "draft" }],
      });
      await served().ask("ada", "PUT", `/desk/articles/${documentId}`, { data: { title: "Faits" }, locale: "fr" });
      await served().ask("ada", "POST", "/desk/articles/actions/publishMany", { documentIds: [documentId] });
      const { body } = await served().ask("ada", "PUT", `/desk/articles/${documentId}`, { data: { title: "Two" } });
      expect(body._facts).to.deep.include({ state: "modified" });
      expect(body._facts.locales).to.deep.equal([
        { locale: "en", state: "modified" },
        { locale: "fr", state: "draft" },
      ]);
    });

    it("a list is filtered, sorted and populated by authors", async () => {
      const { people } = served();
      await create("ada", { title: "by ada", views: 10 });
      await create("ben", { title: "by ben", views: 10 });
      const mine = `filters[views]=10&filters[createdBy][id]=${people.ben.id}`;
      expect(await titles("ada", mine)).to.deep.equal(["by ben"]);
      expect(await titles("ada", "filters[views]=10&filters[updatedBy][email][$contains]=ada")).to.deep.equal([
        "by ada",
      ]);
      expect(await titles("ada", `filters[views]=10&filters[createdBy]=${people.ben.documentId}`)).to.deep.equal([
        "by ben",
      ]);
      expect(await titles("ada", "filters[views]=10&sort=createdBy.email:desc")).to.deep.equal(["by ben", "by ada"]);
      expect(await titles("ada", "filters[views]=10&filters[createdBy][$null]=true")).to.deep.equal([]);
      const { body } = await served().ask("ada", "GET", `/desk/articles?${mine}&populate=createdBy`);
      expect(body.data[0].createdBy).to.include({ id: people.ben.id, email: "ben@example.com" });
      expect(body.data[0].createdBy).to.not.have.any.keys("password", "sessionVersion");
    });

    it("nothing but who somebody is can be asked about authors", async () => {
      for (const name of ["password", "sessionVersion"]) {
        expect(await titles("ada", `filters[createdBy][${name}]=1`), name).to.equal(400);
        expect(await titles("ada", `sort=createdBy.${name}`), name).to.equal(400);
      }
    });

    it("the content API knows no authors and no facts, whoever asks", async () => {
      await create("ada", { title: "hidden author" }, { status: "published" });
      for (const who of ["ada", undefined] as const) {
        for (const query of ["filters[createdBy][id]=1", "sort=updatedBy.id", "populate=createdBy", "fields=createdBy"])
          expect((await served().ask(who, "GET", `/api/articles?${query}`)).status, query).to.equal(400);
        const { status, body } = await served().ask(who, "GET", "/api/articles?populate=*&facts=true");
        expect(status === 200 ? Object.keys(body.data[0]) : [], String(status)).to.not.include.members(["_facts"]);
        expect(JSON.stringify(body)).to.not.contain("createdBy");
      }
      const written = await served().ask(undefined, "POST", "/api/articles", { data: { title: "x", createdBy: 1 } });
      expect(written.status).to.equal(400);
    });

    it("rules on who made a document hold for administrators", async () => {
      const own = await create("ada", { title: "own" });
      const other = await create("ben", { title: "other" });
      const put = (documentId: string) =>
        served().ask("ada", "PUT", `/desk/articles/${documentId}`, { data: { title: "changed" } });
      expect((await put(own.documentId)).body).to.include({ title: "changed" });
      expect((await put(other.documentId)).body).to.deep.equal({ gone: true });
      expect(await titles("ben", `filters[documentId]=${other.documentId}`)).to.deep.equal(["other"]);
    });

    it("rules on who made a document are refused of everybody else, when they are saved and at the start", async () => {
      const rule = {
        action: `${ARTICLE}.update`,
        where: { $or: [{ createdBy: { id: "{{user.id}}" } }, { views: 1 }] },
      };
      const { app } = served().plinth;
      expect(app.permissions.problemsOf([rule], "x", "admin")).to.deep.equal([]);
      const [problem] = app.permissions.problemsOf([rule], "x");
      expect(problem?.path).to.equal("x[0].where");
      expect(problem?.message).to.contain("createdBy and updatedBy lead to administrators");
      const token = { name: "t", type: "custom", permissions: [rule] } as const;
      const failure = await app
        .service(apiTokens)
        .create(token)
        .catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_TOKENS_INVALID" });
      const starting = createPlinth(
        deskSetup(database, { permissions: { authenticated: [rule] }, log: { level: "silent" } }),
      );
      const refused = await starting.start().catch((error: unknown) => error);
      await starting.stop();
      expect(refused).to.include({ code: "PLINTH_ACCESS_INVALID_PERMISSIONS" });
    });

    it("a rule on who made a document reaches nothing for a user, even if one got in", async () => {
      const { plinth, people } = served();
      const rule = { action: `${ARTICLE}.find`, where: { createdBy: { id: "{{user.id}}" } } };
      const read = (kind: string) => {
        const ability = createAbility([rule, `${ARTICLE}.findDrafts`], { user: people.ada, kind });
        return plinth.app.documents(ARTICLE).count({ ability });
      };
      expect(await read("admin")).to.be.above(0);
      expect(await read("user").catch((error: unknown) => error)).to.include({ code: "PLINTH_ACCESS_BROKEN_RULE" });
    });

    it("pages go on after a row, newest first, however many rows come in meanwhile", async () => {
      for (const title of ["p1", "p2", "p3"]) await create("ada", { title, views: 30 });
      const page = async (cursor: string) => {
        const query = `filters[views]=30&sort=id:desc&pagination[cursor]=${cursor}&pagination[pageSize]=2`;
        const { body } = await served().ask("ada", "GET", `/desk/articles?${query}`);
        return [body.data.map(({ title }: { title: string }) => title), body.nextCursor];
      };
      const [first, next] = await page("*");
      expect(first).to.deep.equal(["p3", "p2"]);
      await create("ada", { title: "p4", views: 30 });
      expect(await page(next)).to.deep.equal([["p1"], undefined]);
    });

    it("several documents are changed or deleted at once: all of them or none, with the problems of each", async () => {
      const made = [await create("ada", { title: "m1", views: 20 }), await create("ada", { title: "m2", views: 20 })];
      const documentIds = made.map(({ documentId }) => documentId);
      const act = (action: string, body: object) =>
        served().ask("ada", "POST", `/desk/articles/actions/${action}`, { documentIds, ...body });
      const bad = await act("updateMany", { data: { title: null, views: "many" } });
      expect(bad.status).to.equal(400);
      expect(bad.body.error.details.errors.map(({ documentId }: { documentId: string }) => documentId)).to.deep.equal(
        documentIds,
      );
      expect((await act("updateMany", { data: { views: 21 } })).body.done).to.have.lengthOf(2);
      expect(await titles("ada", "filters[views]=21")).to.deep.equal(["m1", "m2"]);
      const foreign = await create("ben", { title: "not ada's", views: 21 });
      const deleted = await act("deleteMany", { documentIds: [...documentIds, foreign.documentId] });
      expect(deleted.body.done.map(({ entries }: { entries: object[] }) => entries.length)).to.deep.equal([1, 1, 0]);
      expect(await titles("ada", "filters[views]=21")).to.deep.equal(["not ada's"]);
      expect((await act("deleteMany", { documentIds: [] })).status).to.equal(400);
    });

    it("a person who writes is no code: what is not writable stays so, and documents get their ids here", async () => {
      for (const data of [
        { title: "x", notes: "n" },
        { title: "x", documentId: "chosen" },
      ])
        expect((await served().ask("ada", "POST", "/desk/articles", { data })).status).to.equal(400);
    });
  });
});
