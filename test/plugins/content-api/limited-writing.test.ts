import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";

const article = (action: string) => `api::article.article.${action}`;
const OWN = { author: { id: "{{user.id}}" } };
const WRITTEN = ["title", "summary", "author", "categories", "related"];

const users = {
  /** Writes own articles; finds every author but Bob, and of articles the titles. */
  author: [
    { action: article("find"), fields: ["title", "author"] },
    { action: article("create"), where: OWN, fields: WRITTEN },
    { action: article("update"), where: OWN, fields: WRITTEN },
    { action: article("delete"), where: OWN },
    { action: "api::author.author.find", where: { name: { $ne: "Bob" } } },
  ],
  /** Changes every article and finds those called Alpha. */
  editor: [article("update"), { action: article("findOne"), where: { title: "Alpha" } }],
  /** Changes articles that are in no language but English, and finds nothing. */
  translator: [
    { action: article("update"), where: { locale: "en" } },
    { action: article("delete"), where: { locale: "en" } },
  ],
  /** Keeps the settings of one site. */
  keeper: [
    { action: "api::global.global.update", where: { siteName: { $startsWith: "Mine" } } },
    { action: "api::global.global.delete", where: { siteName: { $startsWith: "Mine" } } },
    "api::global.global.find",
  ],
};

describe("Writing by rules on rows and fields", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { users });
    let ada: { id: number; documentId: string };
    let bob: typeof ada;
    let alpha: string;
    let beta: string;

    const create = async (plural: string, data: object) =>
      (await app().request("POST", `/api/${plural}`, { body: { data } })).body.data as typeof ada;
    before("write the authors", async () => {
      ada = await create("authors", { name: "Ada" });
      bob = await create("authors", { name: "Bob" });
    });
    beforeEach("write the articles", async () => {
      alpha = (await create("articles", { title: "Alpha", author: ada.documentId })).documentId;
      beta = (await create("articles", { title: "Beta", author: bob.documentId })).documentId;
    });

    const ask = (method: string, path: string, data?: object, token = `author/${ada.id}/${ada.documentId}`) => {
      const options: CorpusRequest = data === undefined ? { token } : { token, body: { data } };
      return app().request(method, path, options);
    };
    const everything = async () => {
      const lists = ["/api/articles?populate=*&sort=id&locale=*", "/api/articles?status=draft&populate=*&locale=*"];
      return await Promise.all(lists.map(async (path) => (await app().request("GET", path)).body));
    };
    const changesNothing = async (work: () => Promise<unknown>) => {
      const before = await everything();
      await work();
      expect(await everything()).to.deep.equal(before);
    };

    it("a document inside of the rule is created, changed and deleted", async () => {
      const made = await ask("POST", "/api/articles", { title: "Mine", author: ada.documentId });
      expect(made.status).to.equal(201);
      const path = `/api/articles/${made.body.data.documentId}`;
      expect((await ask("PUT", path, { title: "Still mine" })).body.data.title).to.equal("Still mine");
      expect((await ask("DELETE", path)).status).to.equal(204);
      expect((await app().request("GET", path)).status).to.equal(404);
    });

    it("creating outside of the rule is forbidden, and nothing is left of it", () =>
      changesNothing(async () => {
        for (const data of [{ title: "Nobody's" }, { title: "Nobody's", author: null }]) {
          const { status, body } = await ask("POST", "/api/articles", data);
          expect({ status, message: body.error.message }).to.deep.equal({ status: 403, message: "Forbidden" });
        }
      }));

    it("what is outside of the rule cannot be changed or deleted, as if it were not there", () =>
      changesNothing(async () => {
        const missing = await ask("PUT", "/api/articles/zzzzzzzzzzzzzzzzzzzzzzzz", { title: "Taken" });
        const hidden = await ask("PUT", `/api/articles/${beta}`, { title: "Taken", author: ada.documentId });
        expect(hidden.status).to.equal(404);
        expect(hidden.body).to.deep.equal(missing.body);
        expect((await ask("DELETE", `/api/articles/${beta}`)).status).to.equal(204);
        expect((await ask("PUT", `/api/articles/${alpha}`, { title: "Taken" }, "author")).status).to.equal(404);
      }));

    it("a change that leads out of the rule is forbidden and rolled back", () =>
      changesNothing(async () => {
        expect((await ask("PUT", `/api/articles/${alpha}`, { title: "Given away", author: null })).status).to.equal(
          403,
        );
        const draft = await ask("PUT", `/api/articles/${alpha}?status=draft`, { author: null });
        expect(draft.status).to.equal(403);
      }));

    it("attributes outside of the rule are refused like unknown ones", () =>
      changesNothing(async () => {
        for (const [method, path] of [
          ["POST", "/api/articles"],
          ["PUT", `/api/articles/${alpha}`],
        ] as const) {
          const { status, body } = await ask(method, path, { title: "T", author: ada.documentId, views: 7 });
          expect(status).to.equal(400);
          expect(body.error).to.deep.include({ message: "Invalid key views" });
          expect(body.error.details).to.deep.equal({ key: "views", path: "views", source: "body" });
        }
      }));

    it("a document that the actor may not find cannot be linked to, as if it were not there", () =>
      changesNothing(async () => {
        for (const link of [
          (id: unknown) => id,
          (id: unknown) => ({ connect: [id] }),
          (id: unknown) => ({ set: [id] }),
        ]) {
          const hidden = await ask("PUT", `/api/articles/${alpha}`, { author: link(bob.documentId) });
          const missing = await ask("PUT", `/api/articles/${alpha}`, { author: link("zzzzzzzzzzzzzzzzzzzzzzzz") });
          expect(hidden.status).to.equal(400);
          expect(hidden.body.error.message).to.equal(
            missing.body.error.message.replace("zzzzzzzzzzzzzzzzzzzzzzzz", bob.documentId),
          );
          const row = await ask("PUT", `/api/articles/${alpha}`, { author: link(bob.id) });
          const noRow = await ask("PUT", `/api/articles/${alpha}`, { author: link(987_654) });
          expect(row.body.error.message).to.equal(noRow.body.error.message);
        }
      }));

    it("a relation to a type that the actor may not find is refused whole", () =>
      changesNothing(async () => {
        for (const category of ["zzzzzzzzzzzzzzzzzzzzzzzz", []]) {
          const { status, body } = await ask("PUT", `/api/articles/${alpha}`, { categories: category });
          expect(status).to.equal(400);
          expect(body.error.details).to.deep.equal({ key: "categories", path: "categories", source: "body" });
        }
      }));

    it("the answer shows what its writer may read; of a document that they may not, its ids", async () => {
      const mine = await ask("PUT", `/api/articles/${alpha}?populate=author`, { summary: "s" });
      expect(mine.body.data).to.include({ title: "Alpha" }).and.not.have.any.keys("summary", "views");
      expect(mine.body.data.author.name).to.equal("Ada");
      const seen = await ask("PUT", `/api/articles/${alpha}`, { summary: "t" }, "editor");
      expect(seen.body.data).to.include({ title: "Alpha", summary: "t" });
      const unseen = await ask("PUT", `/api/articles/${beta}`, { summary: "t" }, "editor");
      expect(unseen.status).to.equal(200);
      expect(unseen.body.data).to.have.all.keys("id", "documentId");
      expect((await ask("PUT", `/api/articles/${alpha}?fields=views`, {})).status).to.equal(400);
    });

    it("a new locale needs the document to be reached, and rows of other locales that it changes as well", async () => {
      await changesNothing(async () => {
        expect((await ask("PUT", `/api/articles/${beta}?locale=fr`, { author: ada.documentId })).status).to.equal(404);
        const french = await ask("PUT", `/api/articles/${alpha}?locale=fr`, { title: "Un" }, "translator");
        expect(french.status).to.equal(403);
      });
      await app().request("PUT", `/api/articles/${alpha}?locale=fr`, { body: { data: { title: "Un" } } });
      await changesNothing(async () => {
        const shared = await ask("PUT", `/api/articles/${alpha}`, { views: 5 }, "translator");
        expect(shared.status).to.equal(403);
        expect((await ask("DELETE", `/api/articles/${alpha}?locale=fr`, undefined, "translator")).status).to.equal(204);
      });
      expect((await ask("PUT", `/api/articles/${alpha}`, { title: "One" }, "translator")).status).to.equal(200);
      expect((await ask("DELETE", `/api/articles/${alpha}?locale=*`, undefined, "translator")).status).to.equal(204);
      expect((await app().request("GET", `/api/articles/${alpha}?locale=en`)).status).to.equal(404);
      expect((await app().request("GET", `/api/articles/${alpha}?locale=fr`)).status).to.equal(200);
    });

    it("the document of a single type keeps the rule of updating, from its first write on", async () => {
      const put = (siteName: string) => ask("PUT", "/api/global", { siteName }, "keeper");
      expect((await put("Theirs")).status).to.equal(403);
      expect((await app().request("GET", "/api/global")).status).to.equal(404);
      expect((await put("Mine")).status).to.equal(200);
      expect((await put("Theirs")).status).to.equal(403);
      await app().request("PUT", "/api/global", { body: { data: { siteName: "Theirs" } } });
      expect((await put("Mine")).status).to.equal(404);
      expect((await ask("DELETE", "/api/global", undefined, "keeper")).status).to.equal(204);
      expect((await app().request("GET", "/api/global")).body.data.siteName).to.equal("Theirs");
    });
  });
});
