import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { signIn } from "./sign-in.js";
import { type ContentApp, NEW, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";
const AUTHORS = "/content/api::author.author";

eitherDatabase("postgres", (database) => {
  describe("the list of the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const titlesOf = (data: readonly { title: string }[]) => data.map(({ title }) => title);
    let ada = "";

    before("write seven articles", async () => {
      ada = await served().create(AUTHORS, { name: "Ada", email: "ada@example.com" });
      for (const rank of [1, 2, 3, 4, 5, 6]) await served().create(ARTICLES, { title: `Article ${rank}`, rank });
      const steps = [{ text: "one" }, { text: "two" }];
      const seo = { metaTitle: "Found" };
      await served().create(ARTICLES, { title: "Last", rank: 7, author: ada, body: "long", diary: "mine", steps, seo });
    });

    it("shows the newest first, a page at a time, and counts nothing", async () => {
      const first = await ask("super", "GET", `${ARTICLES}?pagination[pageSize]=3`);
      expect(first.status, first.text).to.equal(200);
      expect(titlesOf(first.body.data)).to.deep.equal(["Last", "Article 6", "Article 5"]);
      expect(first.body.meta.pagination).to.have.all.keys("pageSize", "nextCursor");
      const { nextCursor } = first.body.meta.pagination;
      const second = await ask("super", "GET", `${ARTICLES}?pagination[pageSize]=3&pagination[cursor]=${nextCursor}`);
      expect(titlesOf(second.body.data)).to.deep.equal(["Article 4", "Article 3", "Article 2"]);
      const next = second.body.meta.pagination.nextCursor;
      const last = await ask("super", "GET", `${ARTICLES}?pagination[pageSize]=3&pagination[cursor]=${next}`);
      expect([titlesOf(last.body.data), last.body.meta.pagination.nextCursor]).to.deep.equal([["Article 1"], null]);
    });

    it("has documents once that are missing in its language, where others stand in, and none in locales that are hidden", async () => {
      const { app } = served().plinth;
      const french = await app
        .documents("api::article.article")
        .create({ locale: "fr", data: { title: "En français" } });
      const both = await served().create(ARTICLES, { title: "In both" });
      await app
        .documents("api::article.article")
        .update({ documentId: both, locale: "fr", data: { title: "Dans les deux" } });
      const listed = async (role: string, query: string) =>
        titlesOf((await ask(role, "GET", `${ARTICLES}?${query}`)).body.data);
      expect((await listed("super", "pagination[pageSize]=2")).slice(0, 1)).to.deep.equal(["In both"]);
      const fallback = "locale=en&fallbackLocale=fr";
      expect((await listed("super", fallback)).slice(0, 3)).to.have.members(["In both", "En français", "Last"]);
      expect((await ask("super", "GET", `${ARTICLES}/count?${fallback}`)).body.total).to.equal(9);
      expect(await listed("translator", fallback)).to.have.members(["En français", "Dans les deux"]);
      for (const id of [french.documentId, both]) await ask("super", "DELETE", `${ARTICLES}/${id}?locale=*`);
    });

    if (database.kind === "postgres")
      it("ends a search that the database does not answer in time, and says what to do", async () => {
        const { db } = served().plinth.app;
        // Before the transaction, or else it would be part of it.
        const headers = await signIn(served().plinth.app, "super");
        const search = () => served().ask("GET", `/admin/api${ARTICLES}?_q=article`, headers);
        await db.transaction(async () => {
          await db.query({ text: "lock table articles in access exclusive mode", values: [] });
          const { status, body } = await search();
          expect([status, body.error.code]).to.deep.equal([503, "PLINTH_ADMIN_LIST_TOO_SLOW"]);
          expect(body.error.message).to.include("Narrow it by a filter");
        });
        expect((await search()).status).to.equal(200);
      });

    it("takes numbered pages and a count where a request asks for them", async () => {
      const { body } = await ask("super", "GET", `${ARTICLES}?pagination[page]=2&pagination[pageSize]=5&sort=rank:asc`);
      expect(titlesOf(body.data)).to.deep.equal(["Article 6", "Last"]);
      expect(body.meta.pagination).to.deep.equal({ page: 2, pageSize: 5, nextCursor: null });
      const counted = await ask("super", "GET", `${ARTICLES}?pagination[withCount]=true&pagination[pageSize]=1`);
      expect(counted.body.meta.pagination.total).to.equal(7);
    });

    it("reads a page with its facts and relations in one statement", async () => {
      const { db } = served().plinth.app;
      const headers = await signIn(served().plinth.app, "super");
      const path = `/admin/api${ARTICLES}?fields=title,author,tags,cover`;
      await served().ask("GET", path, headers);
      const query = db.query.bind(db);
      const texts: string[] = [];
      db.query = (statement) => {
        texts.push(statement.text);
        return query(statement);
      };
      await served().ask("GET", path, headers);
      db.query = query;
      expect(texts).to.have.length(1);
    });

    it("filters and searches, and counts the same apart", async () => {
      const filtered = await ask("super", "GET", `${ARTICLES}?filters[rank][$gt]=4&sort=rank`);
      expect(titlesOf(filtered.body.data)).to.deep.equal(["Article 5", "Article 6", "Last"]);
      expect((await ask("super", "GET", `${ARTICLES}/count?filters[rank][$gt]=4`)).body).to.deep.equal({ total: 3 });
      expect(titlesOf((await ask("super", "GET", `${ARTICLES}?_q=last`)).body.data)).to.deep.equal(["Last"]);
      expect((await ask("super", "GET", `${ARTICLES}/count?_q=last`)).body).to.deep.equal({ total: 1 });
    });

    it("shows columns as cells do: a relation's first title, the number of components, one component's title", async () => {
      const { body } = await ask("super", "GET", `${ARTICLES}?fields=title,author,steps,seo,cover&_q=last`);
      const { author, steps, seo, cover, ...values } = body.data[0];
      expect(author.total).to.equal(1);
      expect(author.items[0]).to.include({ uid: "api::author.author", documentId: ada, title: "Ada" });
      expect(author.items[0]).to.include({ subtitle: "ada@example.com", picture: null, state: "published" });
      expect({ steps, seo, cover }).to.deep.equal({ steps: 2, seo: "Found", cover: null });
      expect(values).to.not.have.property("body");
      const short = (await ask("super", "GET", `${ARTICLES}?_q=last`)).body.data[0];
      expect(short).to.include({ title: "Last", rank: 7, diary: "mine" });
      expect(short).to.not.have.any.keys("body", "pin", "author");
    });

    it("says the state, the authors and the locales of each row", async () => {
      const id = await served().create(ARTICLES, { title: "Known", rank: 8 });
      await ask("super", "POST", `${ARTICLES}/${id}/actions/publish`);
      const french = { data: { title: "Connu" } };
      await ask("super", "PUT", `${ARTICLES}/${id}?locale=fr`, { body: french, headers: NEW });
      const { body } = await ask("super", "GET", `${ARTICLES}?_q=known`);
      const { _facts } = body.data[0];
      expect(_facts.state).to.equal("published");
      expect(_facts.locales).to.deep.equal([
        { locale: "en", state: "published" },
        { locale: "fr", state: "draft" },
      ]);
      expect(Object.keys(_facts.createdBy)).to.deep.equal(["id", "name"]);
      expect(_facts.createdBy.name).to.equal("super");
      await ask("super", "DELETE", `${ARTICLES}/${id}?locale=*`);
    });

    it("is filtered by the state that it shows, by each role as that role sees it", async () => {
      const ids = new Map<string, string>();
      for (const title of ["Never out", "Out", "Changed"]) {
        ids.set(title, await served().create(ARTICLES, { title: `State: ${title}`, rank: 50 }));
        if (title !== "Never out") await ask("super", "POST", `${ARTICLES}/${ids.get(title)}/actions/publish`);
      }
      await ask("super", "PUT", `${ARTICLES}/${ids.get("Changed")}`, {
        body: { data: { rank: 51 } },
        headers: { "if-match": "*" },
      });
      const listed = async (role: string, query: string) => {
        const filters = `filters[title][$startsWith]=State&${query}`;
        const [{ body, text }, count] = [
          await ask(role, "GET", `${ARTICLES}?sort=title&${filters}`),
          await ask(role, "GET", `${ARTICLES}/count?${filters}`),
        ];
        expect(body.data, text).to.have.length(count.body.total);
        return body.data.map((row: { title: string; _facts: { state: string } }) => [
          row.title.slice("State: ".length),
          row._facts.state,
        ]);
      };
      const [draft, modified, out] = [
        ["Never out", "draft"],
        ["Changed", "modified"],
        ["Out", "published"],
      ];
      for (const role of ["super", "clerk"]) {
        const of = (query: string) => listed(role, query);
        expect(await of("filters[_state]=draft")).to.deep.equal([draft]);
        expect(await of("filters[_state][$eq]=modified")).to.deep.equal([modified]);
        expect(await of("filters[_state][$in][0]=published")).to.deep.equal([out]);
        expect(await of("filters[_state][$in][0]=draft&filters[_state][$in][1]=modified")).to.deep.equal([
          modified,
          draft,
        ]);
        expect(await of("filters[_state][$ne]=draft")).to.deep.equal([modified, out]);
        expect(await of("filters[$not][_state]=draft")).to.deep.equal([modified, out]);
        expect(await of("filters[$or][0][_state]=draft&filters[$or][1][rank]=51")).to.deep.equal([modified, draft]);
        expect(await of("status=published&filters[_state]=modified")).to.deep.equal([modified]);
        expect(await of("filters[_state][$notIn][0]=draft&_q=out")).to.deep.equal([out]);
      }
      const { text } = await ask("super", "GET", `${ARTICLES}/export?fields=title&filters[_state]=modified`);
      expect(text.split("\r\n").filter((line) => line.includes("State:"))).to.have.length(1);
      for (const id of ids.values()) await ask("super", "DELETE", `${ARTICLES}/${id}`);
    });

    it("has the state of types without drafts, none of related documents, and none outside of the lists of the page", async () => {
      const authors = async (query: string) => (await ask("super", "GET", `${AUTHORS}?${query}`)).body.data;
      expect(await authors("filters[_state]=published")).to.have.length.greaterThan(0);
      expect(await authors("filters[_state]=draft")).to.deep.equal([]);
      for (const query of ["_state][$known]=a", "author][_state]=published", "seo][_state]=draft"]) {
        const { status, body } = await ask("super", "GET", `${ARTICLES}?filters[${query}`);
        expect(status, query).to.equal(400);
        expect(body.error.code, query).to.match(/^PLINTH_QUERY_/);
      }
      const code = served().plinth.app.documents("api::article.article");
      const error = await code.findMany({ filters: { _state: "draft" } as object }).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: "PLINTH_QUERY_INVALID_KEY" });
    });

    it("answers 400 for what it does not know, and 404 for types that the page does not show", async () => {
      for (const query of [
        "fields=absent",
        "filters[absent]=1",
        "sort=absent",
        "pagination[cursor]=x",
        "pagination[cursor]=",
        "pagination=3",
      ])
        expect((await ask("super", "GET", `${ARTICLES}?${query}`)).status, query).to.equal(400);
      for (const uid of [
        "api::vault.vault",
        "api::absent.absent",
        "plugin::api-tokens.admin",
        "plugin::admin.working-copy",
      ])
        for (const path of ["", "/count", "/some-id"])
          expect((await ask("super", "GET", `/content/${uid}${path}`)).status, uid).to.equal(404);
    });
  });

  describe("a document on the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    let ada = "";
    let article = "";

    before("write an article", async () => {
      ada = await served().create(AUTHORS, { name: "Ada", email: "ada@example.com" });
      article = await served().create(ARTICLES, {
        ...{ title: "Whole", diary: "mine", pin: "12345678", author: ada },
        about: [{ __type: "api::author.author", documentId: ada }],
        steps: [{ text: "one", by: ada }, { text: "two" }],
        sections: [
          { __component: "shared.quote", words: "well said", from: [ada] },
          { __component: "shared.step", text: "three" },
        ],
      });
    });

    it("comes as it is stored: components whole, of relations the first titles and the number, no password", async () => {
      const { status, body, headers } = await ask("super", "GET", `${ARTICLES}/${article}`);
      expect(status).to.equal(200);
      expect(headers.get("etag")).to.match(/^"[0-9a-f]+-[0-9a-f]+"$/);
      const { data } = body;
      expect(data).to.include({ documentId: article, title: "Whole", diary: "mine", body: null, locale: "en" });
      expect(data).to.not.have.property("pin");
      for (const relation of [data.author, data.about, data.steps[0].by, data.sections[0].from])
        expect([relation.total, relation.items[0].title]).to.deep.equal([1, "Ada"]);
      expect(data.tags).to.deep.equal({ total: 0, items: [] });
      expect(data.steps.map(({ text }: { text: string }) => text)).to.deep.equal(["one", "two"]);
      expect(data.sections[0]).to.include({ __component: "shared.quote", words: "well said" });
      expect([data.cover, data.gallery]).to.deep.equal([null, []]);
      expect(data._facts.state).to.equal("draft");
    });

    it("passes output hooks by, so that a form sends back what is stored", async () => {
      const shown = await served()
        .plinth.app.documents("api::tag.tag")
        .create({ data: { label: "plain" } });
      expect(shown["label"]).to.equal("PLAIN");
      const { body } = await ask("super", "GET", `/content/api::tag.tag/${shown.documentId}`);
      expect(body.data.label).to.equal("plain");
      expect((await ask("super", "GET", "/content/api::tag.tag")).body.data[0].label).to.equal("plain");
    });

    it("shows the first ten of a relation, and pages the rest", async () => {
      for (let rank = 1; rank <= 25; rank++)
        await served().create(ARTICLES, { title: `By ${rank}`, rank, author: ada });
      const { body } = await ask("super", "GET", `${AUTHORS}/${ada}`);
      expect([body.data.articles.total, body.data.articles.items.length]).to.deep.equal([26, 10]);
      const first = await ask("super", "GET", `${AUTHORS}/${ada}/relations/articles`);
      expect([first.body.data.length, first.body.meta.nextCursor]).to.deep.equal([20, "20"]);
      const rest = await ask("super", "GET", `${AUTHORS}/${ada}/relations/articles?cursor=20`);
      expect([rest.body.data.length, rest.body.meta.nextCursor]).to.deep.equal([6, null]);
      const all = [...first.body.data, ...rest.body.data].map(({ title }: { title: string }) => title);
      expect(new Set(all).size).to.equal(26);
    });

    it("comes with what tiles of its files show, and what links to it with a small picture", async () => {
      const file = await served()
        .plinth.app.documents("plugin::upload.file")
        .create({
          data: {
            ...{ name: "sea.jpg", hash: "sea", ext: ".jpg", mime: "image/jpeg", size: 12.5, width: 800, height: 600 },
            ...{ url: "/uploads/sea.jpg", provider: "local", alternativeText: "The sea" },
            formats: { thumbnail: { url: "/uploads/thumbnail_sea.jpg", width: 100, height: 75 } },
          },
        });
      const grace = await served().create(AUTHORS, { name: "Grace", avatar: file.documentId });
      const data = { title: "Pictures", cover: file.documentId, gallery: [file.documentId], author: grace };
      const id = await served().create(ARTICLES, data);
      const { cover, gallery, author } = (await ask("super", "GET", `${ARTICLES}/${id}`)).body.data;
      expect(cover).to.include({ name: "sea.jpg", alternativeText: "The sea", url: "/uploads/sea.jpg", width: 800 });
      expect(cover).to.include({ thumbnail: "/uploads/thumbnail_sea.jpg", size: 12_500 });
      expect(gallery).to.deep.equal([cover]);
      expect(author.items[0].picture).to.equal("/uploads/thumbnail_sea.jpg");
      const row = (await ask("super", "GET", `${ARTICLES}?fields=cover,gallery&_q=pictures`)).body.data[0];
      expect([row.cover.name, row.gallery.length]).to.deep.equal(["sea.jpg", 1]);
    });

    it("is unchanged for a browser that has it, and gone in a locale that it has not", async () => {
      const { headers } = await ask("super", "GET", `${ARTICLES}/${article}`);
      const tag = headers.get("etag") ?? "";
      expect(
        (await ask("super", "GET", `${ARTICLES}/${article}`, { headers: { "if-none-match": tag } })).status,
      ).to.equal(304);
      expect((await ask("super", "GET", `${ARTICLES}/${article}?locale=fr`)).status).to.equal(404);
      expect((await ask("super", "GET", `${ARTICLES}/single`)).status).to.equal(404);
    });

    it("is called single where there is one of its type", async () => {
      expect((await ask("super", "GET", "/content/api::home.home/single")).status).to.equal(404);
      const data = { heading: "Welcome" };
      const made = await ask("super", "PUT", "/content/api::home.home/single", { body: { data }, headers: NEW });
      expect([made.status, made.body.data.heading], made.text).to.deep.equal([200, "Welcome"]);
      const tag = made.headers.get("etag") ?? "";
      const again = await ask("super", "PUT", "/content/api::home.home/single", { body: { data }, headers: NEW });
      expect([again.status, again.body.error.details.version?.split("-")[0]]).to.deep.equal([412, tag.split("-")[0]]);
      expect((await ask("super", "POST", "/content/api::home.home/single/actions/publish")).status).to.equal(200);
      expect((await ask("super", "GET", "/content/api::home.home/single")).body.data._facts.state).to.equal(
        "published",
      );
      expect((await ask("super", "DELETE", "/content/api::home.home/single")).status).to.equal(204);
      expect((await ask("super", "DELETE", "/content/api::home.home/single")).status).to.equal(404);
    });
  });
});
