import { implement, serviceRef } from "@plinth/core";
import { expect } from "chai";
import { createCoreService, type Params } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";

const uid = "api::article.article";
const ABSENT = "a".repeat(24);
const users = {
  reader: "read" as const,
  writer: [`${uid}.find`, `${uid}.findOne`, `${uid}.update`],
  publisher: [`${uid}.findOne`, `${uid}.publish`],
  /** Publishes what may be changed. */
  limited: [`${uid}.findOne`, `${uid}.publish`, { action: `${uid}.update`, where: { title: { $startsWith: "Mine" } } }],
};

describe("Publishing several documents at once", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { users });
    const act = (action: string, documentIds: unknown, query = "", options: CorpusRequest = {}) =>
      app().request("POST", `/api/articles/actions/${action}${query}`, { body: { data: { documentIds } }, ...options });
    const draft = async (data: object, query = "") => {
      const { body } = await app().request("POST", `/api/articles?status=draft${query}`, { body: { data } });
      return body.data.documentId as string;
    };
    const write = (documentId: string, data: object, query: string) =>
      app().request("PUT", `/api/articles/${documentId}?status=draft${query}`, { body: { data } });
    const titleOf = async (documentId: string, query = "") =>
      (await app().request("GET", `/api/articles/${documentId}?fields=title${query}`)).body.data?.title;
    const titles = ({ body }: { body: { data: { title: string }[] } }) => body.data.map(({ title }) => title);

    it("publishes, unpublishes and discards drafts, and answers in the order of the ids", async () => {
      const ids = [await draft({ title: "One" }), await draft({ title: "Two" }), await draft({ title: "Three" })];
      const asked = [ids[2], ids[0], ids[1], ids[0]];
      const published = await act("publish", asked, "?fields=title&populate=categories");
      expect(published.status).to.equal(200);
      expect(titles(published)).to.deep.equal(["Three", "One", "Two"]);
      expect(Object.keys(published.body.data[0])).to.have.members(["id", "documentId", "title", "categories"]);
      for (const id of ids) await write(id, { title: "Changed" }, "");
      expect(titles(await act("discard-draft", ids))).to.deep.equal(["One", "Two", "Three"]);
      const unpublished = await act("unpublish", ids);
      expect(unpublished.body.data.map((row: Params) => row["publishedAt"])).to.deep.equal([null, null, null]);
      expect(await titleOf(ids[0] as string)).to.equal(undefined);
    });

    it("says all that is wrong with all of them, and publishes none", async () => {
      const fine = await draft({ title: "Fine" });
      const [one, two] = [await draft({ title: "Same", slug: "same" }), await draft({ title: "Same", slug: "same" })];
      const bare = await draft({ links: [{}] });
      const { status, body } = await act("publish", [fine, one, ABSENT, bare, two]);
      expect({ status, name: body.error.name, code: body.error.code }).to.deep.equal({
        status: 400,
        name: "ValidationError",
        code: "PLINTH_DOCUMENT_BULK_REFUSED",
      });
      const problems = body.error.details.errors.map(
        ({ documentId, path }: { documentId: string; path: string[] }) => `${documentId}:${path[0] ?? ""}`,
      );
      expect(problems).to.include.members([`${ABSENT}:`, `${bare}:title`, `${bare}:links`]);
      // Of two drafts with one slug either is in the way of the other.
      expect(problems.filter((problem: string) => problem.endsWith(":slug"))).to.have.length(1);
      for (const id of [fine, one, two, bare]) expect(await titleOf(id)).to.equal(undefined);
    });

    it("in several locales, says in which one a problem is", async () => {
      const id = await draft({});
      await write(id, { title: null }, "&locale=fr");
      for (const answer of [
        await act("publish", [id], "?locale=*"),
        await app().request("POST", `/api/articles/${id}/actions/publish?locale=en&locale=fr`),
      ]) {
        const { errors } = answer.body.error.details;
        expect(errors.map(({ locale, path }: Params) => [locale, path])).to.deep.include.members([
          ["en", ["title"]],
          ["fr", ["title"]],
        ]);
      }
      await write(id, { title: "English" }, "");
      await write(id, { title: "Français" }, "&locale=fr");
      const other = await draft({ title: "Other" });
      expect(titles(await act("publish", [other, id], "?locale=*"))).to.deep.equal(["Other", "English", "Français"]);
      expect(await titleOf(id, "&locale=fr")).to.equal("Français");
    });

    it("values that other documents hold are named in every locale", async () => {
      const held = await draft({ title: "Held", slug: "held" });
      await write(held, { title: "Tenu", slug: "tenu" }, "&locale=fr");
      await act("publish", [held], "?locale=*");
      const id = await draft({ title: "Late", slug: "held" });
      await write(id, { title: "Tard", slug: "tenu" }, "&locale=fr");
      const { body } = await app().request("POST", `/api/articles/${id}/actions/publish?locale=*`);
      expect(body.error.details.errors.map(({ locale, path }: Params) => [locale, path])).to.deep.equal([
        ["en", ["slug"]],
        ["fr", ["slug"]],
      ]);
    });

    it("lists that are none, empty, too long or of something else are refused", async () => {
      const lists = [undefined, null, "x", {}, [], [7], [""], [null], Array.from({ length: 1001 }, (_, i) => `${i}`)];
      for (const list of lists) {
        const { status, body } = await act("publish", list);
        expect([status, body.error.code], JSON.stringify(list)?.slice(0, 20)).to.deep.equal([
          400,
          "PLINTH_DOCUMENT_INVALID_IDS",
        ]);
      }
      const other = { body: { data: { documentIds: [ABSENT], locale: "fr" } } };
      expect((await act("publish", [], "", other)).body.error.message).to.equal("Invalid key locale");
      expect((await act("publish", [], "", { body: { documentIds: [ABSENT] } })).status).to.equal(400);
      expect((await act("publish", [ABSENT], "?fields=nothing")).status).to.equal(400);
      expect((await act("publish", [ABSENT], "?locale=xx")).status).to.equal(400);
    });

    it("needs the grant of the action on one document, and keeps the rule on changing them", async () => {
      const ids = [await draft({ title: "Mine" }), await draft({ title: "Theirs" })];
      for (const token of ["reader", "writer", ""])
        expect((await act("publish", ids, "", { token })).status, token).to.equal(403);
      const { status, body } = await act("publish", ids, "", { token: "limited" });
      expect(status).to.equal(400);
      expect(body.error.details.errors.map(({ documentId }: Params) => documentId)).to.deep.equal([ids[1]]);
      expect(await titleOf(ids[0] as string)).to.equal(undefined);
      expect((await act("publish", [ids[0]], "", { token: "limited" })).status).to.equal(200);
      expect((await act("publish", ids, "", { token: "publisher" })).status).to.equal(200);
    });

    it("with If-Match, every document has to be in one of the versions", async () => {
      const ids = [await draft({ title: "One" }), await draft({ title: "Two" })];
      const tags = await Promise.all(
        ids.map(async (id) => (await app().request("GET", `/api/articles/${id}?status=draft`)).headers.get("etag")),
      );
      await write(ids[1] as string, { title: "Two, later" }, "");
      const headers = { "If-Match": tags.join(", ") };
      expect((await act("publish", ids, "", { headers })).status).to.equal(412);
      expect((await act("publish", [ids[0]], "", { headers })).status).to.equal(200);
    });

    it("single types have no such thing, and types without drafts neither", async () => {
      expect((await app().request("POST", "/api/categories/actions/publish", { body: {} })).status).to.equal(404);
      expect((await app().request("POST", "/api/homepage/actions/publish-many", { body: {} })).status).to.equal(404);
    });

    it("code has it too, and hooks are told of every document", async () => {
      const documents = app().plinth.app.documents(uid);
      const ids = [await draft({ title: "One" }), await draft({ title: "Two" })];
      const results = await documents.publishMany({ documentIds: ids, fields: ["title"] });
      expect(results.map(({ entries }) => entries[0]?.["title"])).to.deep.equal(["One", "Two"]);
      const back = await documents.unpublishMany({ documentIds: ids });
      expect(back.map(({ documentId }) => documentId)).to.deep.equal(ids);
      expect((await documents.discardDraftMany({ documentIds: ids })).map(({ entries }) => entries)).to.deep.equal([
        [],
        [],
      ]);
    });
  });
});

describe("An app that extends the publishing of one document", () => {
  eitherDatabase(import.meta.url, (database) => {
    const seen: string[] = [];
    const service = createCoreService(uid, () => ({
      async publish(documentId: string, ...rest: unknown[]) {
        seen.push(documentId);
        return await super.publish(documentId, ...rest);
      },
    }));
    const app = serveCorpusTypes(database, {
      app: { services: [implement(serviceRef<object>(uid), { create: (_deps, tools) => service(tools) })] } as never,
    });

    it("has it called for each of several", async () => {
      const { body } = await app().request("POST", "/api/articles?status=draft", { body: { data: { title: "One" } } });
      const { documentId } = body.data;
      const answer = await app().request("POST", "/api/articles/actions/publish", {
        body: { data: { documentIds: [documentId] } },
      });
      expect(answer.status).to.equal(200);
      expect(seen).to.deep.equal([documentId]);
    });
  });
});
