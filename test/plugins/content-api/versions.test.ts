import { expect } from "chai";
import { documentVersion } from "@plinth/core/reads";
import { eitherDatabase } from "../../databases.js";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";

const STALE = "PLINTH_DOCUMENT_VERSION_MISMATCH";

describe("Nobody overwrites anybody", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, {
      users: { own: [{ action: "api::article.article.update", where: { title: "Mine" } }] },
    });
    let path: string;
    let tag: string;

    const ask = (method: string, url: string, options?: CorpusRequest) => app().request(method, url, options);
    const put = (ifMatch: string, title: string, query = "") =>
      ask("PUT", `${path}${query}`, { body: { data: { title } }, headers: { "If-Match": ifMatch } });
    const tagOf = async (query = "") => (await ask("GET", `${path}${query}`)).headers.get("etag") ?? "";
    const versionOf = async (query = "") => (await tagOf(query)).split("-")[0];
    beforeEach("write an article", async () => {
      const { body, headers } = await ask("POST", "/api/articles", { body: { data: { title: "One" } } });
      path = `/api/articles/${body.data.documentId}`;
      tag = headers.get("etag") ?? "";
    });

    it("every answer that shows one document has an ETag with its version, lists have one without to who has an answer", async () => {
      expect(tag).to.match(/^"[0-9a-f]{16}-[0-9a-f]{32}"$/);
      expect(await tagOf()).to.equal(tag);
      expect((await ask("HEAD", path)).headers.get("etag")).to.equal(tag);
      expect((await put("*", "Two")).headers.get("etag")).to.equal(await tagOf());
      const list = await ask("GET", "/api/articles", { headers: { "If-None-Match": '"another"' } });
      expect([list.status, list.headers.get("etag")?.replace(/[0-9a-f]{32}/, "hash")]).to.deep.equal([200, 'W/"hash"']);
    });

    it("a reader who has the answer already gets 304 without a body", async () => {
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const { status, body, headers } = await ask("GET", path, { headers: { "If-None-Match": known } });
        expect({ status, body, tag: headers.get("etag") }, known).to.deep.equal({ status: 304, body: "", tag });
      }
      const other = { headers: { "If-None-Match": tag } };
      expect((await ask("GET", `${path}?fields=title`, other)).status).to.equal(200);
      const wrapped = { headers: { "If-None-Match": tag, "Strapi-Response-Format": "v4" } };
      expect((await ask("GET", path, wrapped)).status).to.equal(200);
      await put("*", "Two");
      expect((await ask("GET", path, other)).status).to.equal(200);
    });

    it("the version is another after every write of the draft or the published row, and else stays", async () => {
      const seen = [await versionOf()];
      const steps: [string, string, object?][] = [
        ["PUT", "?status=draft", { title: "Two" }],
        ["POST", "/actions/discard-draft"],
        ["POST", "/actions/publish"],
        ["POST", "/actions/publish"],
        ["PUT", "?status=draft&locale=fr", { title: "Deux", views: 3 }],
        ["PUT", "?status=draft", { title: "Three" }],
      ];
      for (const [method, end, data] of steps) {
        await ask(method, path + end, data ? { body: { data } } : {});
        seen.push(await versionOf());
        expect(await versionOf("?status=draft"), end).to.equal(seen.at(-1));
      }
      expect(new Set(seen).size).to.equal(seen.length);
      await ask("PUT", `${path}?status=draft`, { body: { data: {} } });
      expect(await versionOf()).to.equal(seen.at(-1));
      await ask("PUT", `${path}?status=draft&locale=fr`, { body: { data: { title: "Encore" } } });
      expect(await versionOf()).to.equal(seen.at(-1));
      expect(await versionOf("?status=draft&locale=fr")).to.not.equal(seen.at(-1));
    });

    it("a stale write is refused and told what to do", async () => {
      await put(tag, "Two");
      const { status, body } = await put(tag, "Three");
      expect(status).to.equal(412);
      expect(body.error).to.include({ status: 412, name: "PreconditionFailedError", code: STALE });
      expect(body.error.message).to.contain("Read it again");
      expect((await ask("GET", path)).body.data.title).to.equal("Two");
    });

    it("deleting and the actions refuse a stale version as well", async () => {
      await put(tag, "Two");
      const headers = { "If-Match": tag };
      for (const action of ["publish", "unpublish", "discard-draft"])
        expect((await ask("POST", `${path}/actions/${action}`, { headers })).status, action).to.equal(412);
      expect((await ask("DELETE", path, { headers })).status).to.equal(412);
      const fresh = { headers: { "If-Match": await tagOf() } };
      expect((await ask("DELETE", path, fresh)).status).to.equal(204);
    });

    it("tags of any view of the document, a list of tags and * work; weak and foreign tags do not", async () => {
      expect((await put(await tagOf("?fields=title"), "Two")).status).to.equal(200);
      expect((await put(`"other", ${await tagOf("?status=draft")}`, "Three")).status).to.equal(200);
      expect((await put("*", "Four")).status).to.equal(200);
      for (const wrong of [`W/${await tagOf()}`, "other", '""'])
        expect((await put(wrong, "Five")).status, wrong).to.equal(412);
    });

    it("what is not there matches nothing, not even *", async () => {
      expect((await put("*", "Deux", "?locale=fr")).status).to.equal(412);
      path = `/api/articles/${"a".repeat(24)}`;
      for (const ifMatch of [tag, "*"]) {
        const headers = { "If-Match": ifMatch };
        expect((await put(ifMatch, "Two")).status).to.equal(412);
        expect((await ask("DELETE", path, { headers })).status).to.equal(412);
        expect((await ask("POST", `${path}/actions/publish`, { headers })).status).to.equal(412);
        expect((await ask("DELETE", "/api/homepage", { headers })).status).to.equal(412);
        expect((await ask("POST", "/api/homepage/actions/publish", { headers })).status).to.equal(412);
        expect((await ask("PUT", "/api/homepage", { headers, body: { data: {} } })).status).to.equal(412);
      }
      expect((await ask("DELETE", path)).status).to.equal(204);
    });

    it("a document out of reach answers as one that is not there", async () => {
      const options = { token: "own", body: { data: { title: "Mine" } }, headers: { "If-Match": tag } };
      expect((await ask("PUT", path, options)).status).to.equal(412);
    });

    it("a write of several locales asks for the versions of them all", async () => {
      await ask("PUT", `${path}?locale=fr`, { body: { data: { title: "Un" } } });
      const [en, fr] = [await tagOf(), await tagOf("?locale=fr")];
      const remove = (ifMatch: string) => ask("DELETE", `${path}?locale=*`, { headers: { "If-Match": ifMatch } });
      expect((await remove(en)).status).to.equal(412);
      expect((await remove(`${en}, ${fr}`)).status).to.equal(204);
    });

    it("of many writers with the same version exactly one wins", async () => {
      const writers = Array.from({ length: 12 }, (_, index) => () => put(tag, `Writer ${index}`));
      const won = (await Promise.all(writers.map((write) => write()))).filter(({ status }) => status === 200);
      expect(won.length).to.equal(1);
      expect((await ask("GET", path)).body.data.title).to.equal(won[0]?.body.data.title);
    });

    it("of many who publish the same draft for the first time exactly one wins", async () => {
      await ask("POST", `${path}/actions/unpublish`);
      const headers = { "If-Match": await tagOf("?status=draft") };
      const publish = () => ask("POST", `${path}/actions/publish`, { headers });
      const statuses = (await Promise.all(Array.from({ length: 12 }, publish))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).to.equal(1);
      expect(statuses.filter((status) => status === 412).length).to.equal(11);
    });

    it("scripts of other origins may read the tag and send it", async () => {
      const headers = { Origin: "https://elsewhere.example" };
      const { headers: got } = await ask("GET", path, { headers });
      expect(got.get("access-control-expose-headers")).to.equal("ETag,Idempotency-Replayed,Plinth-Position");
      const preflight = await ask("OPTIONS", path, { headers: { ...headers, "Access-Control-Request-Method": "PUT" } });
      expect(preflight.headers.get("access-control-allow-headers")).to.contain("If-Match");
    });

    it("If-None-Match: * writes a locale only where there is none; of many writers one wins", async () => {
      const french = (title: string) =>
        ask("PUT", `${path}?locale=fr`, { body: { data: { title } }, headers: { "If-None-Match": "*" } });
      const answers = await Promise.all(["Un", "Deux", "Trois"].map(french));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
      const won = answers.find(({ status }) => status === 200)?.body.data.title;
      expect((await ask("GET", `${path}?locale=fr`)).body.data.title).to.equal(won);
      expect(answers.find(({ status }) => status === 412)?.body.error.code).to.equal(STALE);
    });

    it("If-None-Match of a write refuses the versions that it names, weak tags too", async () => {
      const put = (known: string) =>
        ask("PUT", path, { body: { data: { title: "Two" } }, headers: { "If-None-Match": known } });
      expect((await put(`W/${tag}`)).status).to.equal(412);
      expect((await put('"0123456789abcdef-00"')).status).to.equal(200);
      const deleted = await ask("DELETE", path, { headers: { "If-None-Match": "*" } });
      expect(deleted.status).to.equal(412);
      expect((await ask("GET", path)).body.data.title).to.equal("Two");
    });

    it("a document that is to be created has no version: If-None-Match holds, If-Match does not", async () => {
      const post = (headers: Readonly<Record<string, string>>) =>
        ask("POST", "/api/articles", { body: { data: { title: "New" } }, headers });
      expect((await post({ "If-None-Match": "*" })).status).to.equal(201);
      const before = (await ask("GET", "/api/articles")).body.meta.pagination.total;
      for (const known of ["*", tag]) {
        const { status, body } = await post({ "If-Match": known });
        expect([status, body.error.code]).to.deep.equal([412, STALE]);
      }
      expect((await ask("GET", "/api/articles")).body.meta.pagination.total).to.equal(before);
    });

    it("the document of a single type is created once by those who ask for its absence", async () => {
      const put = () =>
        ask("PUT", "/api/homepage", { body: { data: { heading: "Hi" } }, headers: { "If-None-Match": "*" } });
      const answers = await Promise.all([put(), put(), put()]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
    });

    it("code has the same by ifVersion", async () => {
      const documents = app().plinth.app.documents("api::article.article");
      const documentId = path.slice(path.lastIndexOf("/") + 1);
      const read = await documents.findOne({ documentId });
      const ifVersion = [(read && documentVersion(read)) ?? ""];
      expect(tag).to.contain(ifVersion[0]);
      await documents.update({ documentId, data: { title: "Two" }, ifVersion });
      const error = await documents.delete({ documentId, ifVersion }).catch((thrown: unknown) => thrown);
      expect(error).to.have.property("code", STALE);
    });
  });
});
