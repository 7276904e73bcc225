import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, NEW, serveContent } from "./content-app.js";
import { signIn } from "./sign-in.js";

const ARTICLES = "/content/api::article.article";
const AUTHORS = "/content/api::author.author";

eitherDatabase("postgres", (database) => {
  describe("the search of everything", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const find = async (role: string, q: string, more = "") =>
      await ask(role, "GET", `/search?q=${encodeURIComponent(q)}${more}`);
    const titles = async (role: string, q: string) =>
      (await find(role, q)).body.data.map(({ title }: { title: string }) => title);
    let engine = "";
    before("write content", async () => {
      engine = await served().create(ARTICLES, {
        title: "Analytical Engine",
        rank: 1,
        diary: "secretly",
        body: "hidden words",
      });
      await served().create(ARTICLES, { title: "Engine of ranks", rank: 500 });
      await served().create(AUTHORS, { name: "Engineer Ada" });
      await served().create(AUTHORS, { name: "Hidden" });
      await served().create("/content/api::tag.tag", { label: "engines" });
      const french = { body: { data: { title: "Machine analytique" } }, headers: NEW };
      await ask("super", "PUT", `${ARTICLES}/${engine}?locale=fr`, french);
    });

    it("finds documents of all types by their titles, in every language, and a document once", async () => {
      expect(await titles("super", "ENGINE")).to.have.members([
        ...["Analytical Engine", "Engine of ranks", "Engineer Ada", "engines"],
      ]);
      const { body } = await find("super", "analyti");
      expect(body.data).to.have.length(1);
      expect(body.data[0]).to.include({
        uid: "api::article.article",
        documentId: engine,
        title: "Analytical Engine",
        state: "draft",
      });
      expect(body.meta).to.deep.equal({ isPartial: false });
      expect((await find("super", "machine")).body.data[0]).to.include({
        documentId: engine,
        locale: "fr",
        title: "Machine analytique",
      });
    });

    it("looks at titles and at whole ids, and at nothing else", async () => {
      expect(await titles("super", "hidden words")).to.deep.equal([]);
      expect(await titles("super", "secretly")).to.deep.equal([]);
      expect(await titles("super", engine)).to.deep.equal(["Analytical Engine"]);
      expect(await titles("super", engine.slice(0, 12))).to.deep.equal([]);
      expect(await titles("super", "%%")).to.deep.equal([]);
    });

    it("shows what the role sees, by rows, types and languages, and nothing of the rest", async () => {
      expect(await titles("clerk", "engine")).to.have.members(["Analytical Engine", "Engineer Ada"]);
      expect(await titles("clerk", "hidden")).to.deep.equal([]);
      expect(await titles("translator", "analyti")).to.deep.equal(["Machine analytique"]);
      expect(await titles("translator", "engine")).to.deep.equal([]);
      expect(await titles("author", "engine")).to.deep.equal([]);
      const nobody = await find("nobody", "engine");
      expect([nobody.status, nobody.body.data]).to.deep.equal([200, []]);
    });

    it("does not look into a type whose title the role may not read", async () => {
      const { app } = served().plinth;
      const grant = [
        { action: "api::article.article.find", fields: ["rank"] },
        "api::article.article.findDrafts",
        "api::author.author.find",
      ];
      await app.documents("plugin::admin.role").create({ data: { name: "blind", grant } });
      expect(await titles("blind", "engine")).to.deep.equal(["Engineer Ada"]);
      expect(await titles("blind", engine)).to.deep.equal([]);
    });

    it("wants two characters at least, and one text", async () => {
      for (const query of ["q=a", "q=", "", "q[]=ab", `q=${"x".repeat(201)}`])
        expect((await ask("super", "GET", `/search?${query}`)).status, query).to.equal(400);
    });

    it("asks a few types at a time, and five documents of each are enough", async () => {
      for (let number = 0; number < 8; number += 1) await served().create(AUTHORS, { name: `Many ${number}` });
      const { body } = await find("super", "many", "&types=api::author.author,api::absent.absent");
      expect(body.data).to.have.length(5);
    });

    if (database.kind === "postgres")
      it("answers in time without a type that the database does not answer for, and says so", async () => {
        const { db } = served().plinth.app;
        const headers = await signIn(served().plinth.app, "super");
        await db.transaction(async () => {
          await db.query({ text: "lock table articles in access exclusive mode", values: [] });
          const { status, body } = await served().ask("GET", "/admin/api/search?q=engine", headers);
          expect(status).to.equal(200);
          expect(body.data.map(({ title }: { title: string }) => title)).to.have.members(["Engineer Ada", "engines"]);
          expect(body.meta.isPartial).to.equal(true);
        });
      });
  });
});
