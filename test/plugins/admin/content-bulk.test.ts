import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, NEW, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";

eitherDatabase(import.meta.url, (database) => {
  describe("actions of the admin page on several documents", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const run = (action: string, documentIds: readonly string[], more: object = {}) =>
      ask("super", "POST", `${ARTICLES}/actions/${action}`, { body: { documentIds, ...more } });
    const statesOf = async (ids: readonly string[]) => {
      const states: string[] = [];
      for (const id of ids)
        states.push((await ask("super", "GET", `${ARTICLES}/${id}`)).body.data?._facts.state ?? "gone");
      return states;
    };
    const make = async (...titles: (string | null)[]) => {
      const ids: string[] = [];
      for (const title of titles) ids.push(await served().create(ARTICLES, { title }));
      return ids;
    };

    it("publish, change, discard, take back and delete all of them", async () => {
      const ids = await make("a", "b", "c");
      expect((await run("publish", ids)).status).to.equal(204);
      expect(await statesOf(ids)).to.deep.equal(["published", "published", "published"]);
      expect((await run("set", ids, { data: { rank: 9 } })).status).to.equal(204);
      expect(await statesOf(ids)).to.deep.equal(["modified", "modified", "modified"]);
      const { updatedBy } = (await ask("super", "GET", `${ARTICLES}/${ids[0]}`)).body.data._facts;
      expect(updatedBy.name).to.equal("super");
      expect((await run("discard-draft", ids)).status).to.equal(204);
      expect(await statesOf(ids)).to.deep.equal(["published", "published", "published"]);
      expect((await run("unpublish", ids)).status).to.equal(204);
      expect(await statesOf(ids)).to.deep.equal(["draft", "draft", "draft"]);
      expect((await run("delete", ids)).status).to.equal(204);
      expect(await statesOf(ids)).to.deep.equal(["gone", "gone", "gone"]);
    });

    it("change none where one is refused, and say what is wrong with which", async () => {
      const [good = "", bad = ""] = await make("good", null);
      const { status, body } = await run("publish", [good, bad, "absent"]);
      expect(status).to.equal(400);
      const { errors } = body.error.details;
      expect(errors.map(({ documentId }: { documentId: string }) => documentId)).to.have.members([bad, "absent"]);
      expect(errors.find(({ documentId }: { documentId: string }) => documentId === bad).path).to.deep.equal(["title"]);
      expect(await statesOf([good, bad])).to.deep.equal(["draft", "draft"]);
      expect((await run("delete", [good, "absent"])).status).to.equal(400);
      expect((await run("set", [good, "absent"], { data: { rank: 1 } })).status).to.equal(400);
      expect(await statesOf([good])).to.deep.equal(["draft"]);
    });

    it("are about one locale, and refuse bodies of another form", async () => {
      const [id = ""] = await make("English");
      const french = { body: { data: { title: "Français" } }, headers: NEW };
      await ask("super", "PUT", `${ARTICLES}/${id}?locale=fr`, french);
      expect((await run("publish", [id], { locale: "fr" })).status).to.equal(204);
      expect((await ask("super", "GET", `${ARTICLES}/${id}`)).body.data._facts.locales).to.deep.equal([
        { locale: "en", state: "draft" },
        { locale: "fr", state: "published" },
      ]);
      expect((await run("set", [id])).status).to.equal(400);
      expect((await run("publish", [])).status).to.equal(400);
      expect((await run("publish", Array.from({ length: 1001 }, String))).status).to.equal(400);
      expect((await run("vanish", [id])).status).to.equal(404);
    });
  });

  describe("a check of the admin page", () => {
    const served = serveContent(database);
    const check = (body: object, mode = "publish", role = "super") =>
      served().as(role, "POST", `${ARTICLES}/check?mode=${mode}`, { body });
    const pathsOf = (errors: readonly { path: string[] }[]) => errors.map(({ path }) => path.join("."));
    const rows = () => served().plinth.app.db.query({ text: "select * from articles order by id", values: [] });

    it("lists what a save and a publication would be refused for, and writes nothing", async () => {
      await served().as("super", "POST", ARTICLES, {
        body: { data: { title: "Taken", code: "T" }, status: "published" },
      });
      const before = await rows();
      const wrong = { rank: "many", code: "T", title: "Given", slug: "no uid" };
      const { status, body, text } = await check({ documentId: null, data: wrong });
      expect(status, text).to.equal(200);
      expect(pathsOf(body.errors)).to.have.members(["rank", "slug", "code"]);
      expect(pathsOf((await check({ documentId: null, data: {} })).body.errors)).to.deep.equal(["title"]);
      const both = (await check({ documentId: null, data: { code: "T" } })).body.errors;
      expect(pathsOf(both)).to.deep.equal(["title", "code"]);
      expect(both[1].message).to.equal("This attribute must be unique");
      expect((await check({ documentId: null, data: {} }, "save")).body.errors).to.deep.equal([]);
      expect((await check({ documentId: null, data: { title: "Good" } })).body.errors).to.deep.equal([]);
      expect(pathsOf((await check({ documentId: null, data: { absent: 1 } })).body.errors)).to.deep.equal([
        "absent",
        "title",
      ]);
      expect(await rows()).to.deep.equal(before);
    });

    it("says to the handlers of writes that nothing of it stays", async () => {
      const noted = async (act: () => Promise<unknown>) => {
        const from = served().tagWrites.length;
        await act();
        return served().tagWrites.slice(from);
      };
      const data = { label: "Tried" };
      const path = "/content/api::tag.tag";
      const tried = await noted(() =>
        served().as("super", "POST", `${path}/check?mode=publish`, { body: { documentId: null, data } }),
      );
      expect(tried).to.deep.equal(["before, tried", "after, tried"]);
      expect(await noted(() => served().create(path, data))).to.deep.equal(["before", "after", "on"]);
    });

    it("takes what is stored of a document into account", async () => {
      const id = await served().create(ARTICLES, { title: null, rank: 1 });
      const before = await rows();
      expect(pathsOf((await check({ documentId: id, data: { rank: 2 } })).body.errors)).to.deep.equal(["title"]);
      expect((await check({ documentId: id, data: { title: "Given" } })).body.errors).to.deep.equal([]);
      expect(pathsOf((await check({ documentId: id, data: { code: "T" } })).body.errors)).to.deep.equal([
        "title",
        "code",
      ]);
      expect(await rows()).to.deep.equal(before);
      expect((await check({ documentId: "absent", data: {} })).status).to.equal(404);
      expect((await check({ documentId: null, data: {} }, "guess")).status).to.equal(400);
      expect((await check({ data: 1 })).status).to.equal(400);
    });
  });
});
