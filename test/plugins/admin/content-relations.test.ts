import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";
const AUTHORS = "/content/api::author.author";

eitherDatabase(import.meta.url, (database) => {
  describe("relations on the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const titles = async (path: string) => {
      const { status, body, text } = await ask("super", "GET", path);
      expect(status, text).to.equal(200);
      return body.data.map(({ title }: { title: string }) => title);
    };
    let ada = "";
    let grace = "";
    let article = "";

    before("write authors and an article", async () => {
      ada = await served().create(AUTHORS, { name: "Ada", email: "ada.lovelace@example.com" });
      grace = await served().create(AUTHORS, { name: "Grace" });
      for (let number = 1; number <= 20; number++) await served().create(AUTHORS, { name: `Author ${number}` });
      article = await served().create(ARTICLES, {
        ...{ title: "Links", author: ada, about: [{ __type: "api::author.author", documentId: grace }] },
        steps: [
          { text: "one", by: ada },
          { text: "two", by: grace },
        ],
        sections: [
          { __component: "shared.quote", words: "first", from: [ada] },
          { __component: "shared.quote", words: "second", from: [grace, ada] },
        ],
      });
    });

    it("have names by their ids, as far as the caller sees them", async () => {
      const hidden = await served().create(ARTICLES, { title: "Hidden", rank: 100 });
      const vault = await served()
        .plinth.app.documents("api::vault.vault" as string)
        .create({ data: { secret: "needle" } });
      const named = (role: string, documents: readonly object[]) =>
        ask(role, "POST", "/named", { body: { documents, files: ["absent"] } });
      const documents = [
        { uid: "api::author.author", documentId: ada },
        { uid: "api::article.article", documentId: hidden },
        { uid: "api::vault.vault", documentId: vault.documentId },
        { uid: "api::gone.gone", documentId: ada },
      ];
      const all = (await named("super", documents)).body;
      expect(all.files).to.deep.equal([]);
      expect(new Set(all.data.map(({ title }: { title: string }) => title))).to.deep.equal(new Set(["Ada", "Hidden"]));
      const clerk = (await named("clerk", documents)).text;
      expect(clerk).to.not.match(/Hidden|needle/);
      const { status, body } = await named(
        "super",
        Array.from({ length: 1_001 }, () => documents[0] ?? {}),
      );
      expect([status, body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
    });

    it("may link to what is found, newest first, 20 a page", async () => {
      const first = await ask("super", "GET", `${ARTICLES}/relations/author`);
      expect([first.body.data.length, first.body.data[0].title]).to.deep.equal([20, "Author 20"]);
      expect(await titles(`${ARTICLES}/relations/author?cursor=${first.body.meta.nextCursor}`)).to.deep.equal([
        "Grace",
        "Ada",
      ]);
      expect(first.body.data[0]).to.have.all.keys(
        ...["uid", "documentId", "id", "locale", "title", "subtitle", "picture", "state"],
      );
    });

    it("are searched by text and by id, without what is linked", async () => {
      expect(await titles(`${ARTICLES}/relations/author?_q=lovelace`)).to.deep.equal(["Ada"]);
      expect(await titles(`${ARTICLES}/relations/author?_q=${grace}`)).to.deep.equal(["Grace"]);
      expect(await titles(`${ARTICLES}/relations/author?_q=lovelace&without=${article}`)).to.deep.equal([]);
      expect(await titles(`${ARTICLES}/relations/about?type=api::author.author&_q=grace`)).to.deep.equal(["Grace"]);
      expect(await titles(`${ARTICLES}/relations/sections.shared.quote.from?_q=lovelace`)).to.deep.equal(["Ada"]);
    });

    it("list what is linked, also inside of one item of a component", async () => {
      const { data } = (await ask("super", "GET", `${ARTICLES}/${article}`)).body;
      const at = (path: string) => titles(`${ARTICLES}/${article}/relations/${path}`);
      expect(await at("author")).to.deep.equal(["Ada"]);
      expect(await at("about")).to.deep.equal(["Grace"]);
      expect(await at(`steps.${data.steps[1].id}.by`)).to.deep.equal(["Grace"]);
      expect(await at(`sections.shared.quote.${data.sections[1].id}.from`)).to.deep.equal(["Grace", "Ada"]);
    });

    it("say of a document where it is used", async () => {
      const { body } = await ask("super", "GET", `${AUTHORS}/${ada}/uses`);
      const uses = body.data.map(({ title, field }: { title: string; field: string }) => [title, field]);
      expect(uses).to.have.deep.members([
        ["Links", "author"],
        ["Links", "shared.step#by"],
        ["Links", "shared.quote#from"],
      ]);
      expect((await ask("super", "GET", `${AUTHORS}/absent/uses`)).status).to.equal(404);
    });

    it("say where a document is used as far as the caller sees it, however much it is used elsewhere", async () => {
      const author = await served().create(AUTHORS, { name: "Busy" });
      const articles = served().plinth.app.documents("api::article.article");
      for (let number = 0; number < 150; number++)
        await articles.create({ data: { title: `Used ${number}`, rank: number < 147 ? 500 : 1, author } });
      const usesFor = async (role: string) => (await ask(role, "GET", `${AUTHORS}/${author}/uses`)).body.data;
      const seen = (await usesFor("clerk")).map(({ title }: { title: string }) => title);
      expect(seen).to.deep.equal(["Used 149", "Used 148", "Used 147"]);
      expect(await usesFor("super")).to.have.length(100);
    });

    it("lead to types that the page shows, also where any type could be linked", async () => {
      for (const type of ["", "absent", "plugin::admin.session", "plugin::api-tokens.token", "api::vault.vault"])
        expect((await ask("super", "GET", `${ARTICLES}/relations/about?type=${type}`)).status, type).to.equal(404);
    });

    it("answer 404 for paths that lead to none", async () => {
      for (const path of [
        "title",
        "absent",
        "author.name",
        "sections",
        "sections.shared.seo.image",
        "steps.text",
        "__proto__",
      ])
        for (const place of ["", `/${article}`]) {
          const { status, body } = await ask("super", "GET", `${ARTICLES}${place}/relations/${path}`);
          expect([status, body.error.code], path).to.deep.equal([404, "PLINTH_ADMIN_UNKNOWN_RELATION"]);
        }
      expect((await ask("super", "GET", `${ARTICLES}/${article}/relations/steps.99999.by`)).status).to.equal(404);
      expect((await ask("super", "GET", `${ARTICLES}/absent/relations/author`)).status).to.equal(404);
      for (const cursor of ["x", ""])
        for (const path of [`${ARTICLES}/${article}/relations/author`, `${ARTICLES}/relations/author`])
          expect((await ask("super", "GET", `${path}?cursor=${cursor}`)).status, `${path} ${cursor}`).to.equal(400);
    });
  });
});
