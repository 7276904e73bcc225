import { expect } from "chai";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { uploadPlugin } from "@plinth/plugin-upload";
import { eitherDatabase } from "../../databases.js";
import { components, contentTypes, roles } from "./content-app.js";
import { serveAdmin, startAdminApp } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

const ARTICLE = "api::article.article";
const ORIGIN = "https://site.example";
const MINUTE = 60_000;

/** A clock that a test moves on. */
const clock = { shift: 0, now: () => Date.now() + clock.shift };

const withPreview = {
  ...contentTypes,
  [ARTICLE]: {
    ...contentTypes[ARTICLE],
    pluginOptions: {
      ...contentTypes[ARTICLE].pluginOptions,
      admin: { preview: "/{locale}/articles/{slug}?id={documentId}&token={token}" },
    },
  },
  "api::home.home": {
    ...contentTypes["api::home.home"],
    pluginOptions: { admin: { preview: `${ORIGIN}/{locale}#{token}` } },
  },
};

const OPEN = ["find", "findOne", "create"].map((action) => `${ARTICLE}.${action}`);

eitherDatabase(import.meta.url, (database) => {
  describe("a preview", () => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, graphqlPlugin, uploadPlugin, adminPlugin],
      pluginConfigs: { admin: { roles, preview: { origins: [ORIGIN] } } },
      app: { contentTypes: withPreview, components } as never,
      clock: clock as never,
      config: {
        server: { port: 0 },
        database: database.config(),
        access: { public: OPEN },
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      },
    });
    const ANY: Readonly<Record<string, Readonly<Record<string, string>>>> = { PUT: { "if-match": "*" } };
    const as = async (role: string, method: string, path: string, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, { ...(await signIn(served().plinth.app, role)), ...ANY[method] }, body);
    /** Writes a language of an article, or a single type, that is not there yet. */
    const start = async (path: string, data: object) => {
      const headers = { ...(await signIn(served().plinth.app, "super")), "if-none-match": "*" };
      expect((await served().ask("PUT", `/admin/api/content${path}`, headers, { data })).status).to.equal(200);
    };
    const create = async (uid: string, data: object) =>
      String((await as("super", "POST", `/content/${uid}`, { data })).body.data.documentId);
    const open = async (id: string, { role = "super", locale = "en", uid = ARTICLE } = {}) =>
      (await as(role, "POST", `/preview/${uid}/${id}?locale=${locale}`)).body;
    const type = async (id: string, changes: object, role = "super", locale = "en") => {
      const kept = Object.fromEntries(
        Object.entries(changes).map(([path, mine]) => [
          path,
          Array.isArray(mine) && "mine" in mine ? mine : { base: null, ...mine },
        ]),
      );
      const { status, text } = await as(role, "PUT", `/working-copies/${ARTICLE}/${id}?locale=${locale}`, {
        ...{ base: null, changes: kept, device: "laptop" },
      });
      expect(status, text).to.equal(200);
    };
    const read = (token: string, path: string) => served().ask("GET", path, { authorization: `Bearer ${token}` });
    const pathOf = (id: string, query = "") => `/api/preview/${ARTICLE}/${id}${query}`;

    let ada = "";
    let bob = "";
    let article = "";
    before("write an article", async () => {
      ada = await create("api::author.author", { name: "Ada" });
      bob = await create("api::author.author", { name: "Bob" });
      article = await create(ARTICLE, {
        ...{ title: "As stored", slug: "as-stored", rank: 3, diary: "of nobody", author: { connect: [ada] } },
        steps: [{ text: "one" }, { text: "two" }],
        sections: [{ __component: "shared.quote", words: "To be" }],
      });
    });

    it("stands at the address of its type, with values as they were typed, and a token", async () => {
      const { url, token, expiresAt } = await open(article);
      expect(url).to.equal(`${ORIGIN}/en/articles/as-stored?id=${article}&token=${token}`);
      expect(Date.parse(expiresAt) - clock.now()).to.be.within(14 * MINUTE, 15 * MINUTE);
      await type(article, { slug: { mine: "a b&c" } });
      expect((await open(article)).url).to.include(`/en/articles/a%20b%26c?id=${article}`);
      await type(article, {});
    });

    it("reads the draft as REST answers it, without private attributes", async () => {
      const { token } = await open(article);
      const { status, body, headers } = await read(token, pathOf(article, "?populate=*&status=draft&locale=en"));
      expect([status, headers.get("cache-control")]).to.deep.equal([200, "no-store"]);
      expect(body.meta).to.deep.equal({});
      expect(body.data).to.include({ documentId: article, title: "As stored", rank: 3 });
      expect(body.data).not.to.have.any.keys("diary", "pin");
      expect(body.data.author.name).to.equal("Ada");
      expect(body.data.steps.map(({ text }: { text: string }) => text)).to.deep.equal(["one", "two"]);
      expect((await read(token, pathOf(article, "?fields=title"))).body.data).to.have.all.keys(
        "id",
        "documentId",
        "title",
      );
    });

    it("has what was typed and not saved laid over it: values, parts, links; and what is no value yet is as stored", async () => {
      const tag = await create("api::tag.tag", { label: "New" });
      const stored = (await as("super", "GET", `/content/${ARTICLE}/${article}`)).body.data;
      const [first, second] = stored.steps;
      const link = (uid: string, documentId: string) => ({ uid, documentId, id: 1, title: "x" });
      await type(article, {
        ...{ title: { mine: "As typed" }, rank: { mine: "4x", base: 3 }, diary: { mine: "secret" } },
        author: { mine: [link("api::author.author", bob)], base: [link("api::author.author", ada)] },
        tags: { mine: [link("api::tag.tag", tag)], base: [] },
        about: { mine: [link("api::author.author", ada), link("api::vault.vault", "x")], base: [] },
        steps: {
          mine: [
            { key: `i${second.id}`, id: second.id, component: "shared.step" },
            { key: "n1", id: null, component: "shared.step" },
            { key: "i9999", id: 9999, component: "shared.step" },
          ],
          base: [],
        },
        [`steps.i${second.id}.text`]: { mine: "two, changed", base: "two" },
        "steps.n1.text": { mine: "three" },
        "steps.n1.by": { mine: [link("api::author.author", bob)] },
        "sections.broken": "no change",
        sections: {
          mine: [
            { key: "n2", id: null, component: "shared.quote" },
            { key: "n3", id: null, component: "shared.seo" },
          ],
          base: [],
        },
        "sections.n2.words": { mine: "Not to be" },
        "sections.n2.from": { mine: [link("api::author.author", ada)] },
      });
      const { token } = await open(article);
      const query =
        "?populate[author]=true&populate[tags]=true&populate[about]=true&populate[steps][populate]=by&populate[sections][on][shared.quote][populate]=from";
      const { body, text } = await read(token, pathOf(article, query));
      expect(body.data, text).to.include({ title: "As typed", rank: 3 });
      expect(text).not.to.include("secret");
      expect(body.data.author).to.include({ name: "Bob", documentId: bob });
      expect(body.data.tags.map(({ label }: { label: string }) => label)).to.deep.equal(["NEW"].map(() => "New"));
      expect(body.data.about.map(({ __type, name }: Record<string, string>) => [__type, name])).to.deep.equal([
        ["api::author.author", "Ada"],
      ]);
      expect(
        body.data.steps.map(({ text, by, id }: { text: string; by: { name: string } | null; id: number }) => [
          text,
          by?.name,
          id,
        ]),
      ).to.deep.equal([
        ["two, changed", undefined, second.id],
        ["three", "Bob", null],
      ]);
      expect(first.id).to.be.a("number");
      const [quote, ...others] = body.data.sections;
      expect([quote.__component, quote.words, quote.from[0].name, others]).to.deep.equal([
        ...["shared.quote", "Not to be", "Ada", []],
      ]);
      expect(body.data).not.to.have.property("seo");
      const counted = await read(token, pathOf(article, "?populate[tags][count]=true"));
      expect(counted.body.data.tags).to.deep.equal({ count: 1 });
      // Somebody else's preview has what they typed.
      const { token: theirs } = await open(article, { role: "editor" });
      expect((await read(theirs, pathOf(article))).body.data.title).to.equal("As stored");
      await type(article, {});
    });

    it("keeps the links that the form has not read", async () => {
      const tags = await Promise.all(["a", "b", "c"].map((label) => create("api::tag.tag", { label })));
      const id = await create(ARTICLE, { title: "Tagged", slug: "tagged", tags: { connect: tags } });
      const named = (documentId: string | undefined) => ({ uid: "api::tag.tag", documentId });
      await type(id, { tags: { mine: [named(tags[1])], base: [named(tags[0]), named(tags[1])] } });
      const { token } = await open(id);
      const labels = async (query: string) =>
        (await read(token, pathOf(id, query))).body.data.tags.map(({ label }: { label: string }) => label);
      expect(await labels("?populate=tags")).to.deep.equal(["b", "c"]);
      expect(await labels("?populate[tags][sort]=label:desc")).to.deep.equal(["c", "b"]);
      expect(await labels("?populate[tags][filters][label]=c")).to.deep.equal(["c"]);
    });

    it("is of one document in one language, as a draft: nothing else of drafts is read by its token", async () => {
      const other = await create(ARTICLE, { title: "Another draft", slug: "another" });
      const { token } = await open(article);
      for (const path of [
        pathOf(other),
        pathOf(article, "?locale=fr"),
        pathOf(article, "?status=published"),
        "/api/preview/api::author.author/x",
      ]) {
        const { status, body } = await read(token, path);
        expect([status, body.error.code], path).to.deep.equal([403, "PLINTH_ADMIN_PREVIEW_FOREIGN"]);
      }
      const unknown = await read(token, pathOf(article, "?filters[title]=x"));
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
      expect((await read(token, `/api/articles/${other}?status=draft`)).status).to.equal(403);
      expect((await read(token, "/api/articles?status=draft")).status).to.equal(403);
      expect((await read(token, "/api/authors")).status).to.equal(403);
      expect((await read(token, "/admin/api/boot")).status).to.be.oneOf([401, 403]);
    });

    it("reads what is published as the public does, and writes nothing, over REST and GraphQL", async () => {
      const published = await as("super", "POST", `/content/${ARTICLE}`, {
        data: { title: "Out", slug: "out" },
        status: "published",
      });
      const { token } = await open(article);
      const { documentId } = published.body.data;
      expect((await read(token, `/api/articles/${documentId}`)).body.data.title).to.equal("Out");
      const headers = { authorization: `Bearer ${token}` };
      const body = { data: { title: "Intruded" } };
      // The public may create articles here, and the token may not.
      expect((await served().ask("POST", "/api/articles", {}, body)).status).to.equal(201);
      expect((await served().ask("POST", "/api/articles", headers, body)).status).to.equal(403);
      const graphql = await served().ask("POST", "/graphql", headers, {
        query: `mutation { createArticle(data: { title: "Intruded by GraphQL" }) { documentId } }`,
      });
      expect(graphql.text).to.include("Forbidden");
      const draft = await served().ask("POST", "/graphql", headers, {
        query: `{ article(documentId: "${article}", status: DRAFT) { title } }`,
      });
      expect(draft.text).not.to.include("As stored");
      const [{ count } = { count: -1 }] = await served().plinth.app.db.query<{ count: number }>({
        text: "select count(*)::int as count from articles where title like 'Intruded by%'",
        values: [],
      });
      expect(count).to.equal(0);
    });

    it("shows rows and attributes that the role may read, also where a link was typed that it may not", async () => {
      const hidden = await create("api::author.author", { name: "Hidden" });
      const id = await create(ARTICLE, {
        title: "Of a clerk",
        slug: "clerk",
        rank: 5,
        code: "c-1",
        author: { connect: [ada] },
      });
      const far = await create(ARTICLE, { title: "Far", slug: "far", rank: 500 });
      expect((await as("clerk", "POST", `/preview/${ARTICLE}/${far}`)).status).to.equal(404);
      const { token } = await open(id, { role: "clerk" });
      await type(
        id,
        { author: { mine: [{ uid: "api::author.author", documentId: hidden }], base: [] }, code: { mine: "c-2" } },
        "clerk",
      );
      const { body } = await read(token, pathOf(id, "?populate=*"));
      expect(body.data.author).to.equal(null);
      expect(body.data).to.include({ title: "Of a clerk" });
      expect(body.data).not.to.have.any.keys("code", "tags", "cover");
      // A row that is out of reach by now is not there.
      await as("super", "PUT", `/content/${ARTICLE}/${id}`, { data: { rank: 500 } });
      expect((await read(token, pathOf(id))).status).to.equal(404);
    });

    it("needs a role that reads the draft, in its language, and a type that has an address", async () => {
      await start(`/${ARTICLE}/${article}?locale=fr`, { title: "En français", slug: "fr" });
      expect((await as("nobody", "POST", `/preview/${ARTICLE}/${article}`)).status).to.equal(403);
      expect((await as("translator", "POST", `/preview/${ARTICLE}/${article}?locale=en`)).status).to.equal(404);
      const { token } = await open(article, { role: "translator", locale: "fr" });
      expect((await read(token, pathOf(article))).body.data).to.include({ title: "En français", locale: "fr" });
      expect((await as("super", "POST", `/preview/api::author.author/${ada}`)).status).to.equal(404);
      expect((await as("super", "POST", `/preview/${ARTICLE}/zzzzzzzzzzzzzzzzzzzzzzzz`)).status).to.equal(404);
      const { app } = served().plinth;
      const { accessKey } = (await app
        .service(apiTokens)
        .create({ name: "all", type: "full-access" } as never)) as never as { accessKey: string };
      expect((await read(accessKey, pathOf(article))).status).to.equal(403);
    });

    it("says which values its address needs", async () => {
      const id = await create(ARTICLE, { title: "Without an address" });
      await served().plinth.app.db.query({
        text: "update articles set slug = null where document_id = $1",
        values: [id],
      });
      const { status, body } = await as("super", "POST", `/preview/${ARTICLE}/${id}`);
      expect([status, body.error.code, body.error.details]).to.deep.equal([
        ...[409, "PLINTH_ADMIN_PREVIEW_ADDRESS", { attributes: ["slug"] }],
      ]);
    });

    it("is there for a single type", async () => {
      await start("/api::home.home/single", { heading: "Home" });
      const { url, token } = await open("single", { uid: "api::home.home" });
      expect(url).to.equal(`${ORIGIN}/en#${token}`);
      await as("super", "PUT", "/working-copies/api::home.home/single", {
        ...{ base: null, changes: { heading: { mine: "Typed", base: "Home" } }, device: "laptop" },
      });
      const { documentId } = (await as("super", "GET", "/content/api::home.home/single")).body.data;
      expect((await read(token, `/api/preview/api::home.home/${documentId}`)).body.data.heading).to.equal("Typed");
    });

    const refused = async (token: string) => {
      const { status, body } = await read(token, pathOf(article));
      return [status, body.error.code];
    };
    const ENDED = [401, "PLINTH_ADMIN_PREVIEW_ENDED"];

    it("ends after 15 minutes", async () => {
      const { token } = await open(article);
      clock.shift = 14 * MINUTE;
      expect((await read(token, pathOf(article))).status).to.equal(200);
      clock.shift = 15 * MINUTE + 1000;
      expect(await refused(token)).to.deep.equal(ENDED);
      clock.shift = 0;
    });

    it("ends with the session of its administrator: by signing out, deactivation, another role, and a factor to set up", async () => {
      const { app } = served().plinth;
      const by = await signIn(app, "editor");
      const openBy = async (headers: Readonly<Record<string, string>>) =>
        (await served().ask("POST", `/admin/api/preview/${ARTICLE}/${article}`, headers)).body.token as string;
      const token = await openBy(by);
      expect((await read(token, pathOf(article))).status).to.equal(200);
      await served().ask("DELETE", "/admin/api/session", by);
      expect(await refused(token)).to.deep.equal(ENDED);
      for (const change of [{ isActive: false }, { role: "author" }]) {
        const { documentId } = await administratorOf(app, "leaver");
        const administrator = app.documents("plugin::api-tokens.admin");
        await administrator.update({ documentId, data: { role: "editor", isActive: true } });
        const next = await openBy(await signIn(app, "leaver"));
        expect((await read(next, pathOf(article))).status).to.equal(200);
        await administrator.update({ documentId, data: change });
        expect(await refused(next)).to.deep.equal(ENDED);
      }
      const grant = ["find", "findDrafts", "update"].map((action) => `${ARTICLE}.${action}`);
      const { documentId } = await app.documents("plugin::admin.role").create({ data: { name: "guarded", grant } });
      const guarded = await openBy(await signIn(app, "guarded"));
      expect((await read(guarded, pathOf(article))).status).to.equal(200);
      await app.documents("plugin::admin.role").update({ documentId, data: { requiresSecondFactor: true } });
      expect(await refused(guarded), "before a second factor is made").to.deep.equal(ENDED);
    });

    it("ends when its session has been idle for too long, and keeps none awake", async () => {
      const { token } = await open(article);
      clock.shift = 0;
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      expect(claims).to.include({ uid: ARTICLE, documentId: article, locale: "en" });
      await served().plinth.app.db.query({
        text: "update admin_sessions set last_used_at = now() - interval '9 hours'",
        values: [],
      });
      await served().plinth.app.db.messages.publish("admin-sessions", "*");
      await new Promise((done) => setTimeout(done, 200));
      expect(await refused(token)).to.deep.equal(ENDED);
    });

    it("has a token that nobody can change, and that no log has", async () => {
      const { token } = await open(article);
      const [mark, claims = "", signature] = token.split(".");
      const other = JSON.parse(Buffer.from(claims, "base64url").toString());
      const changed = Buffer.from(JSON.stringify({ ...other, documentId: "other" })).toString("base64url");
      for (const forged of [`${mark}.${changed}.${signature}`, `${mark}.${claims}.x`, `${mark}.`, `${mark}.${claims}`])
        expect((await read(forged, pathOf("other"))).status, forged).to.equal(401);
      await read(token, pathOf(article));
      expect(served().logged.join("\n")).not.to.include(signature);
    });

    it("may be framed by the page, and no other origin", async () => {
      const { headers } = await served().ask("GET", "/admin", { accept: "text/html" });
      expect(headers.get("content-security-policy")).to.include(`frame-src 'self' blob: ${ORIGIN};`);
      const model = (await as("super", "GET", "/model")).body;
      const previewed = model.types.filter(({ hasPreview }: { hasPreview: boolean }) => hasPreview);
      expect(previewed.map(({ uid }: { uid: string }) => uid)).to.have.members([ARTICLE, "api::home.home"]);
    });

    it("whose address is of an unknown origin, or names what is no short public attribute, stops the start", async () => {
      const preview = "https://{text}.example/{gone}/{diary}/{body}";
      const attributes = {
        ...{ text: { type: "string" }, diary: { type: "string", private: true }, body: { type: "richtext" } },
      };
      const odd = {
        kind: "collectionType" as const,
        info: { singularName: "odd", pluralName: "odds", displayName: "Odd" },
        pluginOptions: { admin: { preview } },
        attributes,
      };
      const failure = await startAdminApp({ config: () => ({ client: "pglite", directory: ":memory:" }) } as never, {
        app: { contentTypes: { "api::odd.odd": odd } } as never,
      }).catch((error: Error) => error);
      const problems = (failure as Error).message + String((failure as { cause?: Error }).cause?.message);
      for (const part of ["preview.origins", '"gone"', '"diary"', '"body"']) expect(problems).to.include(part);
    });
  });
});
