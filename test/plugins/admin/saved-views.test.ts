import { expect } from "chai";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, serveContent } from "./content-app.js";
import { administratorOf } from "./sign-in.js";

const ARTICLES = "/views/api::article.article";
const RANKED = { filters: { $and: [{ rank: { $lt: "10" } }] } };

eitherDatabase(import.meta.url, (database) => {
  describe("saved views of a list", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const save = (role: string, body: object, path = ARTICLES) => ask(role, "POST", path, { body });
    const viewsOf = async (role: string, path = ARTICLES) => (await ask(role, "GET", path)).body.data;
    const namesOf = async (role: string) => (await viewsOf(role)).map(({ name }: { name: string }) => name);

    it("keeps search, filters, sort, columns, locale and page size, and is seen by whoever saved it alone", async () => {
      const state = {
        ...{ q: "text", sort: "title:asc", locale: "fr", columns: ["title", "author", "steps"], size: 50 },
        filters: {
          $and: [
            { rank: { $gte: "2" } },
            { $or: [{ author: { name: { $containsi: "a" } } }, { code: { $null: "true" } }] },
          ],
        },
      };
      const made = await save("super", { name: "Of authors", state });
      expect(made.status, made.text).to.equal(201);
      const [view] = await viewsOf("super");
      expect(view).to.deep.equal(made.body.data);
      expect(view.state).to.deep.equal(state);
      expect(view).to.include({ name: "Of authors", isOwn: true, isEditable: true, isShared: false });
      expect(view.left).to.deep.equal({ filters: 0, columns: 0, sort: false, locale: false });
      expect(view.owner.name).to.equal("super");
      expect(await viewsOf("editor")).to.deep.equal([]);
      expect(await viewsOf("super", "/views/api::author.author")).to.deep.equal([]);
      for (const method of ["PUT", "DELETE"])
        expect((await ask("editor", method, `/views/${view.id}`, { body: { name: "Taken" } })).status).to.equal(404);
      expect(await namesOf("super")).to.deep.equal(["Of authors"]);
      expect((await ask("super", "DELETE", `/views/${view.id}`)).status).to.equal(204);
      expect(await viewsOf("super")).to.deep.equal([]);
    });

    it("is renamed, changed and shared by parts, and what is not named stays", async () => {
      const { id } = (await save("super", { name: "First", state: RANKED })).body.data;
      const renamed = await ask("super", "PUT", `/views/${id}`, { body: { name: "Second" } });
      expect(renamed.body.data).to.include({ name: "Second", isShared: false });
      const changed = await ask("super", "PUT", `/views/${id}`, { body: { state: { q: "x" } } });
      expect([changed.body.data.name, changed.body.data.state]).to.deep.equal(["Second", { q: "x" }]);
      const shared = await ask("super", "PUT", `/views/${id}`, { body: { roles: ["reader"] } });
      expect(shared.body.data).to.deep.include({
        name: "Second",
        isShared: true,
        roles: ["reader"],
        state: { q: "x" },
      });
      expect(await namesOf("reader")).to.deep.equal(["Second"]);
      await ask("super", "PUT", `/views/${id}`, { body: { roles: [] } });
      expect(await namesOf("reader")).to.deep.equal([]);
      await ask("super", "DELETE", `/views/${id}`);
    });

    it("is shared with chosen roles by those who may, and changed by nobody else", async () => {
      expect((await save("editor", { name: "Ours", state: {}, roles: ["reader"] })).status).to.equal(403);
      const unknown = await save("super", { name: "Ours", state: {}, roles: ["ghost"] });
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
      const { id } = (await save("super", { name: "Ours", state: RANKED, roles: ["reader"] })).body.data;
      expect(await namesOf("editor")).to.deep.equal([]);
      const [seen] = await viewsOf("reader");
      expect(seen).to.deep.include({ id, name: "Ours", isOwn: false, isEditable: false, roles: [], state: RANKED });
      for (const method of ["PUT", "DELETE"])
        expect((await ask("reader", method, `/views/${id}`, { body: { name: "Taken" } })).status).to.equal(403);
      const { meta } = (await ask("reader", "GET", ARTICLES)).body;
      expect(meta.roles).to.deep.equal([]);
      expect((await ask("super", "GET", ARTICLES)).body.meta.roles).to.include.members(["super", "editor", "reader"]);
      await ask("super", "DELETE", `/views/${id}`);
    });

    it("is found by its readers however many are shared with others", async () => {
      const { app } = served().plinth;
      const table = app.model.contentTypes.get("plugin::admin.view")?.table;
      const text = `insert into "${table}" (document_id, account, content_type, name, state, roles, is_shared, published_at)
        select 's' || n, 'gone', 'api::article.article', 'Of others ' || n, '{}', '["clerk"]', true, now() from generate_series(1, 200) n`;
      await app.db.query({ text, values: [] });
      const { id } = (await save("super", { name: "Newest", state: {}, roles: ["reader"] })).body.data;
      expect(await namesOf("reader")).to.deep.equal(["Newest"]);
      expect(await namesOf("clerk")).to.have.length(200);
      expect(await namesOf("editor")).to.deep.equal([]);
      await ask("super", "DELETE", `/views/${id}`);
      await app.db.query({ text: `delete from "${table}" where account = 'gone'`, values: [] });
    });

    it("that is shared stays as it is once its owner may share no more", async () => {
      const { app } = served().plinth;
      const { documentId } = await administratorOf(app, "sharing");
      const become = (role: string) => app.documents("plugin::api-tokens.admin").update({ documentId, data: { role } });
      await become("super");
      const { id } = (await save("sharing", { name: "Team's", state: RANKED, roles: ["reader"] })).body.data;
      const own = (await save("sharing", { name: "Mine", state: {} })).body.data.id;
      await become("editor");
      for (const body of [{ name: "Taken" }, { state: {} }, { roles: [] }])
        expect((await ask("sharing", "PUT", `/views/${id}`, { body })).status, JSON.stringify(body)).to.equal(403);
      expect((await ask("sharing", "DELETE", `/views/${id}`)).status).to.equal(403);
      const [seen] = await viewsOf("reader");
      expect(seen).to.deep.include({ name: "Team's", state: RANKED });
      const [shared] = await viewsOf("sharing");
      expect(shared).to.include({ name: "Team's", isOwn: true, isEditable: false, isShared: true });
      expect((await ask("sharing", "PUT", `/views/${own}`, { body: { roles: ["reader"] } })).status).to.equal(403);
      expect((await ask("sharing", "PUT", `/views/${own}`, { body: { name: "Still mine" } })).status).to.equal(200);
      expect((await ask("super", "DELETE", `/views/${id}`)).status).to.equal(204);
      expect((await ask("sharing", "DELETE", `/views/${own}`)).status).to.equal(204);
    });

    it("tells a reader nothing of fields that their role may not read, and says how much is left out", async () => {
      const state = {
        ...{ q: "text", sort: "diary:asc", columns: ["title", "diary", "tags"] },
        filters: {
          $and: [
            { diary: { $containsi: "redundancies" } },
            { $or: [{ rank: { $lt: "5" } }, { tags: { label: { $eq: "dismissed" } } }] },
            { seo: { metaTitle: { $eq: "merger" } } },
          ],
        },
      };
      const made = await save("super", { name: "Delicate", state, roles: ["clerk"] });
      expect(made.status, made.text).to.equal(201);
      const answer = await ask("clerk", "GET", ARTICLES);
      expect(answer.text).to.not.match(/diary|redundancies|dismissed|merger|metaTitle/);
      const [view] = answer.body.data;
      expect(view.state).to.deep.equal({
        q: "text",
        columns: ["title"],
        filters: { $and: [{ $or: [{ rank: { $lt: "5" } }] }] },
      });
      expect(view.left).to.deep.equal({ filters: 3, columns: 2, sort: true, locale: false });
      await ask("super", "DELETE", `/views/${view.id}`);
      for (const filters of [{ diary: { $null: "true" } }, { tags: { label: { $eq: "x" } } }]) {
        const refused = await save("clerk", { name: "Probe", state: { filters } });
        expect(refused.status, refused.text).to.equal(400);
      }
      expect((await save("clerk", { name: "Probe", state: { sort: "diary:asc" } })).status).to.equal(400);
      expect((await save("clerk", { name: "Probe", state: { columns: ["diary"] } })).status).to.equal(400);
      expect(await viewsOf("clerk")).to.deep.equal([]);
    });

    it("is nothing for roles that may not find the type, and for types that the page does not show", async () => {
      expect((await ask("nobody", "GET", ARTICLES)).status).to.equal(403);
      expect((await save("nobody", { name: "Mine", state: {} })).status).to.equal(403);
      expect((await ask("super", "GET", "/views/api::vault.vault")).status).to.equal(404);
      expect((await ask("super", "GET", "/views/plugin::admin.view")).status).to.equal(404);
      expect((await ask("super", "GET", "/content/plugin::admin.view")).status).to.equal(404);
      expect((await served().ask("GET", "/api/saved-views")).status).to.equal(404);
      expect((await served().ask("GET", "/api/admin-preferences")).status).to.equal(404);
    });

    it("refuses what no list understands, with what is wrong, and saves nothing", async () => {
      const wrong: readonly object[] = [
        { state: {} },
        { name: "", state: {} },
        { name: "x".repeat(101), state: {} },
        { name: "x", state: { sort: "title" } },
        { name: "x", state: { sort: "absent:asc" } },
        { name: "x", state: { size: 7 } },
        { name: "x", state: { columns: ["absent"] } },
        { name: "x", state: { locale: "xx" } },
        { name: "x", state: { filters: { absent: { $eq: "1" } } } },
        { name: "x", state: { filters: { title: "1" } } },
        { name: "x", state: { filters: { title: { $eq: 1 } } } },
        { name: "x", state: { filters: { $eq: "1" } } },
        { name: "x", state: { filters: { $and: { title: { $eq: "1" } } } } },
        { name: "x", state: { filters: { rank: { $lt: "many" } } } },
        { name: "x", state: {}, secret: true },
      ];
      for (const body of wrong) {
        const { status, text } = await save("super", body);
        expect(status, `${JSON.stringify(body)}: ${text}`).to.equal(400);
      }
      let deep: object = { title: { $eq: "1" } };
      for (let depth = 0; depth < 20; depth += 1) deep = { $and: [deep] };
      expect((await save("super", { name: "x", state: { filters: deep } })).status).to.equal(400);
      expect(await viewsOf("super")).to.deep.equal([]);
    });

    it("keeps conditions on the last days, and the members of a relation", async () => {
      const filters = { $and: [{ updatedAt: { $lastDays: "7" } }, { author: { documentId: { $in: ["a", "b"] } } }] };
      const { status, body, text } = await save("super", { name: "Week", state: { filters } });
      expect(status, text).to.equal(201);
      expect(body.data.state).to.deep.equal({ filters });
      await ask("super", "DELETE", `/views/${body.data.id}`);
    });

    it("is limited in size and number", async () => {
      const values = Array.from({ length: 100 }, (_, index) => `${"x".repeat(180)}${index}`);
      const state = { filters: { title: { $in: values } } };
      const large = await save("super", { name: "Large", state });
      expect([large.status, large.body.error.code]).to.deep.equal([413, "PLINTH_ADMIN_VIEW_TOO_LARGE"]);
      const { app } = served().plinth;
      const { documentId: account } = await administratorOf(app, "author");
      const table = app.model.contentTypes.get("plugin::admin.view")?.table;
      const text = `insert into "${table}" (document_id, account, content_type, name, state, roles, is_shared, published_at)
        select 'v' || n, $1, 'api::article.article', 'View ' || n, '{}', '[]', false, now() from generate_series(1, 100) n`;
      await app.db.query({ text, values: [account] });
      const many = await save("author", { name: "One more", state: {} });
      expect([many.status, many.body.error.code]).to.deep.equal([409, "PLINTH_ADMIN_TOO_MANY_VIEWS"]);
      expect(await namesOf("author")).to.have.length(100);
    });

    it("goes with its account, unless it is shared: then those who share manage it", async () => {
      const { app } = served().plinth;
      const { email } = await administratorOf(app, "leaver");
      const { documentId } = await administratorOf(app, "leaver");
      await app.documents("plugin::api-tokens.admin").update({ documentId, data: { role: "super" } });
      await save("leaver", { name: "Private", state: {} });
      const { id } = (await save("leaver", { name: "Team's", state: {}, roles: ["reader"] })).body.data;
      await ask("leaver", "PUT", "/preferences/theme", { body: { value: "dark" } });
      await app.service(administrators).remove(email);
      const stored = await app
        .documents("plugin::admin.view")
        .findMany({ filters: { account: documentId }, withPrivate: true });
      expect(stored.map(({ name }) => name)).to.deep.equal(["Team's"]);
      expect(
        await app.documents("plugin::admin.preference").count({ filters: { account: documentId }, withPrivate: true }),
      ).to.equal(0);
      const [seen] = await viewsOf("reader");
      expect(seen).to.include({ name: "Team's", owner: null });
      const renamed = await ask("super", "PUT", `/views/${id}`, { body: { name: "Ours" } });
      expect(renamed.status, renamed.text).to.equal(200);
      expect((await ask("super", "DELETE", `/views/${id}`)).status).to.equal(204);
      expect(await viewsOf("reader")).to.deep.equal([]);
    });
  });

  describe("preferences of an account", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const put = (role: string, key: string, value: unknown) =>
      ask(role, "PUT", `/preferences/${key}`, { body: { value } });
    const get = async (role: string, key: string) => (await ask(role, "GET", `/preferences/${key}`)).body;

    it("are kept by name, for each account its own, and removed by null", async () => {
      const value = { default: "abc", order: ["abc", "def"] };
      expect((await put("editor", "list.api::article.article", value)).body).to.deep.equal({ value });
      expect(await get("editor", "list.api::article.article")).to.deep.equal({ value });
      expect(await get("author", "list.api::article.article")).to.deep.equal({ value: null });
      await put("editor", "list.api::article.article", false);
      expect(await get("editor", "list.api::article.article")).to.deep.equal({ value: false });
      await put("editor", "list.api::article.article", null);
      expect(await get("editor", "list.api::article.article")).to.deep.equal({ value: null });
      expect(await served().plinth.app.documents("plugin::admin.preference").count()).to.equal(0);
    });

    it("are one value, also where two tabs set it at once", async () => {
      expect(await get("editor", "theme")).to.deep.equal({ value: null });
      const answers = await Promise.all(["a", "b", "c"].map((value) => put("editor", "theme", value)));
      expect(answers.map(({ status, text }) => `${status} ${text}`).join(" ")).to.match(/^(?:200 \S+ ?){3}$/);
      expect(["a", "b", "c"]).to.include((await get("editor", "theme")).value);
      expect(await served().plinth.app.documents("plugin::admin.preference").count()).to.equal(1);
    });

    it("are limited in name, size and number", async () => {
      for (const key of ["%20", "1st", "a b", "x".repeat(201)])
        expect((await put("editor", encodeURIComponent(key), 1)).status, key).to.equal(400);
      expect((await ask("editor", "PUT", "/preferences/theme", { body: {} })).status).to.equal(400);
      const large = await put("editor", "large", "x".repeat(17_000));
      expect([large.status, large.body.error.code]).to.deep.equal([413, "PLINTH_ADMIN_PREFERENCE_TOO_LARGE"]);
      const { app } = served().plinth;
      const { documentId: account } = await administratorOf(app, "author");
      const table = app.model.contentTypes.get("plugin::admin.preference")?.table;
      const text = `insert into "${table}" (document_id, key, account, name, kept, published_at)
        select 'p' || n, $1 || ' n' || n, $1, 'n' || n, '{}', now() from generate_series(1, 500) n`;
      await app.db.query({ text, values: [account] });
      const many = await put("author", "more", 1);
      expect([many.status, many.body.error.code]).to.deep.equal([409, "PLINTH_ADMIN_TOO_MANY_PREFERENCES"]);
      expect((await put("author", "n7", 2)).body).to.deep.equal({ value: 2 });
    });
  });
});
