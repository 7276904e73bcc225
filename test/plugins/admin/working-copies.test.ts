import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";
const COPIES = "/working-copies";

eitherDatabase(import.meta.url, (database) => {
  describe("working copies of the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const pathOf = (id: string) => `${COPIES}/api::article.article/${id}`;
    const keep = (id: string, changes: object, role = "super") =>
      ask(role, "PUT", pathOf(id), { body: { base: '"a-1"', changes, device: "laptop" } });
    let article = "";

    before("write an article", async () => {
      article = await served().create(ARTICLES, { title: "Stored" });
    });

    it("keep what was typed, also what no attribute takes, and change no document", async () => {
      const changes = { title: 5, "sections.k3.heading": "half a", rank: "12," };
      const { status, body } = await keep(article, changes);
      expect(status).to.equal(200);
      expect(body.data).to.include({ base: '"a-1"', device: "laptop" });
      expect((await ask("super", "GET", pathOf(article))).body.data).to.deep.equal(body.data);
      expect(body.data.changes).to.deep.equal(changes);
      expect((await ask("super", "GET", `${ARTICLES}/${article}`)).body.data.title).to.equal("Stored");
    });

    it("are one by account, document and locale", async () => {
      await keep(article, { title: "Mine" });
      await keep(article, { title: "Mine again" });
      const none = await ask("editor", "GET", pathOf(article));
      expect([none.status, none.body]).to.deep.equal([200, { data: null }]);
      await keep(article, { title: "Theirs" }, "editor");
      const french = { body: { changes: { title: "Français" }, device: "phone" } };
      await ask("super", "PUT", `${pathOf(article)}?locale=fr`, french);
      expect((await ask("super", "GET", pathOf(article))).body.data.changes).to.deep.equal({ title: "Mine again" });
      expect((await ask("editor", "GET", pathOf(article))).body.data.changes).to.deep.equal({ title: "Theirs" });
      const mine = await ask("super", "GET", COPIES);
      const listed = mine.body.data.map(({ title, locale }: { title: string; locale: string }) => [title, locale]);
      expect(listed).to.deep.equal([
        ["Français", "fr"],
        ["Stored", "en"],
      ]);
    });

    it("are one also where two tabs keep the first at once", async () => {
      const answers = await Promise.all([1, 2, 3, 4].map((number) => keep("at-once", { title: number })));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      const text = "select 1 from admin_working_copies where document = 'at-once'";
      expect(await served().plinth.app.db.query({ text, values: [] })).to.have.length(1);
      await ask("super", "DELETE", pathOf("at-once"));
    });

    it("are deleted, with or without one there", async () => {
      await keep("new-one", { title: "New" });
      expect((await ask("super", "GET", COPIES)).body.data[0].title).to.equal("New");
      for (const _ of [1, 2]) expect((await ask("super", "DELETE", pathOf("new-one"))).status).to.equal(204);
      expect((await ask("super", "GET", pathOf("new-one"))).body).to.deep.equal({ data: null });
    });

    it("hold no passwords, those in components included", async () => {
      const changes = {
        ...{ title: "T", pin: "1234", "seo.i1.metaTitle": "M", "seo.i1.key": "1234", "seo.key": "1234" },
        ...{ "sections.n1.words": "W", "sections.n1.lock": "1234", seo: { metaTitle: "M", key: "1234" } },
        sections: [{ key: "n1", id: null, component: "shared.quote", lock: "1234" }],
      };
      const { status, body } = await keep("locked", changes);
      expect(status).to.equal(200);
      expect(body.data.changes).to.deep.equal({
        ...{ title: "T", "seo.i1.metaTitle": "M", "sections.n1.words": "W", seo: { metaTitle: "M" } },
        sections: [{ key: "n1", id: null, component: "shared.quote" }],
      });
      expect(JSON.stringify(await served().rows())).not.to.include("1234");
    });

    it("are 200 for each account, of which the oldest go", async () => {
      const { db } = served().plinth.app;
      await keep("of-another", { title: "Theirs" }, "editor");
      await keep("first", { title: "First" });
      const text = `insert into admin_working_copies
        (document_id, key, account, content_type, document, changes, device, updated_at, created_at)
        select 'copy' || n, 'copy' || n, c.account, c.content_type, 'copy' || n, c.changes, c.device,
          c.updated_at - interval '1 day', c.created_at
        from generate_series(1, 198) n, admin_working_copies c where c.document = 'first'`;
      await db.query({ text, values: [] });
      await db.query({
        text: "update admin_working_copies set updated_at = now() - interval '2 days' where document = 'copy7'",
        values: [],
      });
      await keep("last", { title: "Last" });
      const [mine] = await db.query<{ count: number }>({
        text: `select count(*)::int as count from admin_working_copies
          where account = (select account from admin_working_copies where document = 'last')`,
        values: [],
      });
      expect(mine?.count).to.equal(200);
      expect((await ask("super", "GET", pathOf("copy7"))).body.data).to.equal(null);
      expect((await ask("super", "GET", pathOf("last"))).body.data.changes).to.deep.equal({ title: "Last" });
      expect((await ask("editor", "GET", pathOf("of-another"))).body.data.changes).to.deep.equal({ title: "Theirs" });
    });

    it("are for documents, single types and new documents, and for nothing else", async () => {
      for (const id of ["single", "new", "new-0b1c", article]) expect((await keep(id, {})).status, id).to.equal(200);
      for (const id of ["1", "a%20b", "..%2Fx", "a.b", "x".repeat(256)]) {
        const { status, body } = await keep(id, { title: "x" });
        expect([status, body.error.code], id).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
      }
    });

    it("may have 1 MB", async () => {
      expect((await keep("large", { body: "x".repeat(1_000_000) })).status).to.equal(200);
      const { status, body } = await keep("large", { body: "x".repeat(1_048_576) });
      expect([status, body.error.code]).to.deep.equal([413, "PLINTH_ADMIN_WORKING_COPY_TOO_LARGE"]);
      expect((await ask("super", "GET", pathOf("large"))).body.data.changes.body).to.have.length(1_000_000);
      expect((await ask("super", "PUT", pathOf("large"), { body: { changes: [] } })).status).to.equal(400);
    });

    it("are kept for 30 days from the last save, also where that changed nothing", async () => {
      await keep("kept", { title: "Same" });
      const text = "update admin_working_copies set updated_at = now() - interval '31 days' where document = 'kept'";
      await served().plinth.app.db.query({ text, values: [] });
      const { body } = await keep("kept", { title: "Same" });
      expect(Date.now() - Date.parse(body.data.savedAt)).to.be.lessThan(24 * 3_600_000);
      expect((await ask("super", "GET", pathOf("kept"))).body.data).to.deep.equal(body.data);
      await ask("super", "DELETE", pathOf("kept"));
    });

    it("are forgotten after 30 days", async () => {
      const { db } = served().plinth.app;
      await keep("old", { title: "Old" });
      const text = "update admin_working_copies set updated_at = now() - interval '31 days' where document = 'old'";
      await db.query({ text, values: [] });
      expect((await ask("super", "GET", pathOf("old"))).body).to.deep.equal({ data: null });
      await keep("other", { title: "Other" });
      const left = await db.query({ text: "select 1 from admin_working_copies where document = 'old'", values: [] });
      expect(left).to.have.length(0);
    });

    it("belong to accounts that may find the documents, and to no token", async () => {
      expect((await keep(article, { title: "x" }, "nobody")).status).to.equal(403);
      expect((await keep(article, { title: "x" }, "")).status).to.equal(401);
      expect((await ask("super", "PUT", `${COPIES}/api::vault.vault/x`, { body: {} })).status).to.equal(404);
    });
  });
});
