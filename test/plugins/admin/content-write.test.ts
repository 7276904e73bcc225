import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, NEW, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";
const AUTHORS = "/content/api::author.author";

eitherDatabase(import.meta.url, (database) => {
  describe("writes of the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const tagOf = async (path: string) => (await ask("super", "GET", path)).headers.get("etag") ?? "";
    const put = (path: string, data: object, ifMatch: string, role = "super") =>
      ask(role, "PUT", path, { body: { data }, headers: { "if-match": ifMatch } });
    const stored = (documentId: string) =>
      served().plinth.app.documents("api::article.article").findOne({ documentId });

    it("make a draft, with who made it, and answer with what a form needs", async () => {
      const data = { title: "New", slug: "new", steps: [{ text: "one" }] };
      const { status, body, headers } = await ask("super", "POST", ARTICLES, { body: { data } });
      expect(status).to.equal(201);
      expect(headers.get("etag")).to.equal(await tagOf(`${ARTICLES}/${body.data.documentId}`));
      expect(body.data).to.deep.include({ title: "New", slug: "new", tags: { total: 0, items: [] } });
      expect(body.data._facts).to.deep.include({ state: "draft" });
      expect(body.data._facts.createdBy.name).to.equal("super");
      const published = { body: { data: { title: "At once" }, status: "published" } };
      expect((await ask("super", "POST", ARTICLES, published)).body.data._facts.state).to.equal("published");
    });

    it("change what is sent and nothing else, and say who did it", async () => {
      const id = await served().create(ARTICLES, { title: "Before", body: "stays", rank: 3 });
      const tag = await tagOf(`${ARTICLES}/${id}`);
      const { status, body, headers } = await put(`${ARTICLES}/${id}`, { title: "After" }, tag, "editor");
      expect(status).to.equal(200);
      expect(body.data).to.include({ title: "After", body: "stays", rank: 3 });
      expect(body.data._facts.updatedBy.name).to.equal("editor");
      expect(body.data._facts.createdBy.name).to.equal("super");
      expect(headers.get("etag")).to.not.equal(tag);
      const again = await put(`${ARTICLES}/${id}`, { rank: 4 }, headers.get("etag") ?? "");
      expect([again.status, again.body.data.rank]).to.deep.equal([200, 4]);
    });

    it("that publish keep the rule on publishing, of a role of the database as well", async () => {
      const article = "api::article.article";
      const own = { createdBy: { id: "{{user.id}}" }, rank: { $lt: 5 } };
      const grant = [
        ...["find", "findDrafts", "create", "update"].map((action) => `${article}.${action}`),
        { action: `${article}.publish`, where: own },
      ];
      await served()
        .plinth.app.documents("plugin::admin.role")
        .create({ data: { name: "columnist", grant } });
      const headers = { "if-match": "*" };
      const publish = (id: string) =>
        ask("columnist", "PUT", `${ARTICLES}/${id}`, { body: { data: {}, status: "published" }, headers });
      const make = (data: object, status?: string) =>
        ask("columnist", "POST", ARTICLES, { body: { data, ...(status ? { status } : {}) } });
      const others = await served().create(ARTICLES, { title: "Of super", rank: 1 });
      const before = await served().rows();
      expect((await ask("columnist", "POST", `${ARTICLES}/${others}/actions/publish`)).status).to.equal(403);
      expect((await publish(others)).status).to.equal(403);
      expect((await make({ title: "Too high", rank: 9 }, "published")).status).to.equal(403);
      expect(await served().rows()).to.deep.equal(before);
      const mine = (await make({ title: "Mine", rank: 1 })).body.data.documentId;
      expect((await publish(mine)).body.data._facts.state).to.equal("published");
      expect((await make({ title: "At once", rank: 1 }, "published")).status).to.equal(201);
      const saved = await ask("columnist", "PUT", `${ARTICLES}/${others}`, { body: { data: { rank: 2 } }, headers });
      expect(saved.status, "a draft is saved as before").to.equal(200);
    });

    it("connect, disconnect and order what is linked", async () => {
      const tags: string[] = [];
      for (const label of ["a", "b", "c"]) tags.push(await served().create("/content/api::tag.tag", { label }));
      const [a = "", b = "", c = ""] = tags;
      const id = await served().create(ARTICLES, { title: "Linked", tags: [a, b] });
      const change = { connect: [{ documentId: c, position: { start: true } }], disconnect: [{ documentId: a }] };
      const { body, text } = await put(`${ARTICLES}/${id}`, { tags: change }, await tagOf(`${ARTICLES}/${id}`));
      expect(
        body.data.tags.items.map(({ title }: { title: string }) => title),
        text,
      ).to.deep.equal(["c", "b"]);
    });

    it("ask for the version that they are for", async () => {
      const id = await served().create(ARTICLES, { title: "Asks" });
      const before = await stored(id);
      for (const headers of [{}, { "if-none-match": '"abc-def"' }]) {
        const { status, body } = await ask("super", "PUT", `${ARTICLES}/${id}`, {
          body: { data: { rank: 1 } },
          headers,
        });
        expect([status, body.error.code]).to.deep.equal([428, "PLINTH_ADMIN_PRECONDITION_MISSING"]);
      }
      expect(await stored(id)).to.deep.equal(before);
    });

    it("tell of a conflict which version there is, who made it and when, and keep it", async () => {
      const id = await served().create(ARTICLES, { title: "Contested" });
      const path = `${ARTICLES}/${id}`;
      const old = await tagOf(path);
      const theirs = await put(path, { title: "Theirs" }, old, "editor");
      const { status, body } = await put(path, { title: "Mine" }, old);
      expect(status).to.equal(412);
      const { version, changedAt, changedBy } = body.error.details;
      expect(changedBy.name).to.equal("editor");
      expect(changedAt).to.equal(theirs.body.data.updatedAt);
      expect((await stored(id))?.["title"]).to.equal("Theirs");
      expect((await put(path, { title: "Joined" }, version)).body.data.title).to.equal("Joined");
      const kept = await ask("super", "DELETE", path, { headers: { "if-match": old } });
      expect([kept.status, (await stored(id))?.["title"]]).to.deep.equal([412, "Joined"]);
      const published = await ask("super", "POST", `${path}/actions/publish`, { headers: { "if-match": old } });
      expect([published.status, (await ask("super", "GET", path)).body.data._facts.state]).to.deep.equal([
        412,
        "draft",
      ]);
    });

    it("of the same version are one, however many come at once", async () => {
      const id = await served().create(ARTICLES, { title: "Raced" });
      const tag = await tagOf(`${ARTICLES}/${id}`);
      const answers = await Promise.all([1, 2, 3, 4].map((rank) => put(`${ARTICLES}/${id}`, { rank }, tag)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await stored(id))?.["rank"]).to.equal(winner?.body.data.rank);
    });

    it("answer 404 for a document that was deleted meanwhile", async () => {
      const id = await served().create(ARTICLES, { title: "Gone" });
      const tag = await tagOf(`${ARTICLES}/${id}`);
      expect((await ask("super", "DELETE", `${ARTICLES}/${id}`)).status).to.equal(204);
      expect((await put(`${ARTICLES}/${id}`, { title: "Late" }, tag)).status).to.equal(404);
      expect((await ask("super", "DELETE", `${ARTICLES}/${id}`)).status).to.equal(404);
    });

    it("start a locale, once", async () => {
      const id = await served().create(ARTICLES, { title: "English", rank: 5 });
      const path = `${ARTICLES}/${id}?locale=fr`;
      const french = { body: { data: { title: "Français" } }, headers: NEW };
      const started = await ask("super", "PUT", path, french);
      expect(started.body.data).to.include({ title: "Français", rank: 5, locale: "fr" });
      expect((await ask("super", "PUT", path, french)).status).to.equal(412);
      expect((await ask("super", "DELETE", path)).status).to.equal(204);
      expect((await ask("super", "GET", `${ARTICLES}/${id}`)).body.data._facts.locales).to.have.length(1);
    });

    it("of a single type are changes of it", async () => {
      const data = { heading: "Two" };
      expect((await ask("super", "POST", "/content/api::home.home", { body: { data } })).status).to.equal(404);
      const check = { body: { data } };
      expect(
        (await ask("super", "POST", "/content/api::home.home/check?mode=publish", check)).body.errors,
      ).to.deep.equal([]);
    });

    it("list every problem of a body, and change nothing", async () => {
      const id = await served().create(ARTICLES, { title: "Kept" });
      const before = await stored(id);
      const tag = await tagOf(`${ARTICLES}/${id}`);
      const wrong = await put(`${ARTICLES}/${id}`, { title: 5, rank: "many" }, tag);
      expect([wrong.status, wrong.body.error.details.errors.length]).to.deep.equal([400, 2]);
      for (const body of [
        {},
        { data: [] },
        { data: {}, more: 1 },
        { data: {}, status: "gone" },
        { data: { absent: 1 } },
      ]) {
        const headers = { "if-match": tag };
        expect((await ask("super", "PUT", `${ARTICLES}/${id}`, { body, headers })).status).to.equal(400);
      }
      for (const data of [
        { title: "x", documentId: "chosen" },
        { title: "x", createdBy: 1 },
      ])
        expect((await ask("super", "POST", ARTICLES, { body: { data } })).status).to.equal(400);
      expect(await stored(id)).to.deep.equal(before);
    });

    it("answer for ids and locales that cannot be as for those that are not", async () => {
      const headers = { "if-match": "*" };
      const sent = { body: { data: { title: "x" } }, headers };
      for (const id of ["%00", "a%00b", "%20", "x".repeat(3000), "1", "%F0%9F%98%80", "..%2F.."])
        for (const [method, path, request] of [
          ["GET", `${ARTICLES}/${id}`, {}],
          ["PUT", `${ARTICLES}/${id}`, sent],
          ["DELETE", `${ARTICLES}/${id}`, {}],
          ["POST", `${ARTICLES}/${id}/actions/publish`, {}],
          ["POST", `${ARTICLES}/${id}/actions/duplicate`, {}],
          ["GET", `${ARTICLES}/${id}/uses`, {}],
          ["GET", `${ARTICLES}/${id}/relations/author`, {}],
          ["GET", `/working-copies/api::article.article/${id}`, {}],
        ] as const) {
          const { status } = await ask("super", method, path, request);
          expect(status, `${method} ${path}`).to.be.oneOf([400, 404]);
        }
      const known = await served().create(ARTICLES, { title: "Known" });
      for (const locale of ["de", "*", "%00", "a&locale=b"]) {
        expect((await ask("super", "PUT", `${ARTICLES}/${known}?locale=${locale}`, sent)).status).to.be.oneOf([
          400, 404,
        ]);
        expect((await ask("super", "GET", `${ARTICLES}/${known}?locale=${locale}`)).status).to.be.oneOf([400, 404]);
        const create = { body: sent.body };
        expect((await ask("super", "POST", `${ARTICLES}?locale=${locale}`, create)).status, locale).to.equal(400);
      }
      const ids = [["%00"], ["\u0000"], ["a\u0000"], [1], [null], "all"];
      for (const documentIds of ids)
        expect((await ask("super", "POST", `${ARTICLES}/actions/delete`, { body: { documentIds } })).status).to.equal(
          400,
        );
    });

    it("publish, unpublish and discard drafts", async () => {
      const id = await served().create(ARTICLES, { title: "Goes" });
      const act = async (action: string) => {
        const { status, body } = await ask("super", "POST", `${ARTICLES}/${id}/actions/${action}`);
        return [status, body.data?._facts.state ?? body.error.status];
      };
      expect(await act("unpublish")).to.deep.equal([200, "draft"]);
      expect(await act("publish")).to.deep.equal([200, "published"]);
      await put(`${ARTICLES}/${id}`, { title: "Changed" }, await tagOf(`${ARTICLES}/${id}`));
      expect((await ask("super", "GET", `${ARTICLES}/${id}`)).body.data._facts.state).to.equal("modified");
      expect(await act("discard-draft")).to.deep.equal([200, "published"]);
      expect((await stored(id))?.["title"]).to.equal("Goes");
      expect(await act("unpublish")).to.deep.equal([200, "draft"]);
      expect(await act("vanish")).to.deep.equal([404, 404]);
      const author = await served().create(AUTHORS, { name: "Ada" });
      expect((await ask("super", "POST", `${AUTHORS}/${author}/actions/publish`)).status).to.equal(400);
      expect((await ask("super", "POST", `${ARTICLES}/absent/actions/publish`)).status).to.equal(404);
    });

    it("duplicate a document with its components and links, but not what one alone may have", async () => {
      const ada = await served().create(AUTHORS, { name: "Ada" });
      const tag = await served().create("/content/api::tag.tag", { label: "copied" });
      const id = await served().create(ARTICLES, {
        ...{ title: "Original", slug: "original", diary: "mine", pin: "12345678", author: ada, tags: [tag] },
        about: [{ __type: "api::author.author", documentId: ada }],
        steps: [{ text: "one", by: ada }],
        sections: [{ __component: "shared.quote", words: "well said", from: [ada] }],
      });
      const { status, body, text } = await ask("super", "POST", `${ARTICLES}/${id}/actions/duplicate`);
      expect(status, text).to.equal(201);
      const { data } = body;
      expect(data.documentId).to.not.equal(id);
      expect(data).to.include({ title: "Original", slug: null, diary: "mine" });
      const original = (await ask("super", "GET", `${ARTICLES}/${id}`)).body.data;
      expect(data.steps[0].id).to.not.equal(original.steps[0].id);
      for (const relation of [data.author, data.tags, data.about, data.steps[0].by, data.sections[0].from])
        expect(relation.total).to.equal(1);
      expect(data.sections[0].words).to.equal("well said");
      expect((await ask("super", "POST", "/content/api::home.home/single/actions/duplicate")).status).to.equal(404);
    });
  });
});
