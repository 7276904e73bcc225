import { expect } from "chai";
import { serveCorpusApp, tokens } from "../../corpus-app.js";
import { seedCorpusApp, writeDocument } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

/** Reads whose form alone is beyond the budget: comparisons of long texts through lists, and lists in lists. */
const COSTLY = [
  "authors?filters[articles][body][$containsi]=engine",
  "authors?filters[articles][body][$startsWithi]=ENGINE",
  "articles?filters[gallery][caption][$containsi]=engine",
  "articles?filters[categories][articles][related][title]=engine",
];

// Reads that a comparison with the reference showed to be answered differently.
describe("Reads that are answered as by the reference", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const get = (path: string, token?: string) => app().request("GET", path, token === undefined ? {} : { token });
    const read = async (path: string) => {
      const { status, body } = await get(path);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.data;
    };
    const slugsOf = async (query: string): Promise<string[]> =>
      (await read(`/api/articles?fields=slug&sort=slug&${query}`)).map(({ slug }: { slug: string }) => slug);

    describe("a component that is not there", () => {
      before(() =>
        writeDocument(app(), "/api/articles", {
          title: "Bare",
          slug: "bare",
          related: content().articles.map(({ documentId }) => documentId),
        }),
      );

      for (const query of [
        "filters[seo][$null]=true",
        "filters[seo][$notNull]=false",
        "filters[$not][seo][$notNull]=true",
        "filters[$not][seo][$null]=false",
      ]) {
        it(`is found by ${query}`, async () => {
          expect(await slugsOf(query)).to.deep.equal(["bare"]);
        });
      }

      it("is not found by the opposite", async () => {
        const filled = ["article-01", "article-02", "article-03", "article-04"];
        for (const query of [
          "filters[seo][$null]=false",
          "filters[seo][$notNull]=true",
          "filters[$not][seo][$null]=true",
        ])
          expect(await slugsOf(query), query).to.deep.equal(filled);
      });

      it("is found by filters inside a populate and through a relation", async () => {
        const populated = "fields=slug&filters[slug]=bare&populate[related][filters][seo]";
        const [withSeo] = await read(`/api/articles?${populated}[$notNull]=true`);
        const [without] = await read(`/api/articles?${populated}[$null]=true`);
        expect([withSeo.related.length, without.related.length]).to.deep.equal([4, 0]);
        expect(await slugsOf("filters[related][seo][$null]=false")).to.deep.equal(["bare"]);
        expect(await slugsOf("filters[related][seo][$null]=true&filters[slug]=bare")).to.deep.equal([]);
      });
    });

    describe("filters through lists, in little content", () => {
      it("cost what there is to compare, and are not refused", async () => {
        for (const path of COSTLY) expect((await get(`/api/${path}`)).status, path).to.equal(200);
        expect(await read("/api/authors?filters[articles][title][$containsi]=ARTICLE%201&fields=name")).to.have.length(
          1,
        );
      });

      it("are the same over GraphQL", async () => {
        const query = '{ authors(filters: { articles: { body: { containsi: "engine" } } }) { name } }';
        const { body } = await app().request("POST", "/graphql", { body: { query } });
        expect(body).to.deep.equal({ data: { authors: [] } });
      });

      it("are counted for where their form alone costs too much, and for no other read", async () => {
        const { db } = app().plinth.app;
        const statements = async (path: string) => {
          const before = db.statementCount;
          await get(path);
          return db.statementCount - before;
        };
        const [ordinary = "", costly = ""] = ["title", "articles][body"].map((name) => `filters[${name}][$containsi]=`);
        await get(`/api/articles?${ordinary}a`);
        const least = await statements(`/api/articles?${ordinary}b`);
        await get(`/api/authors?${costly}a`);
        // What was counted is known for a minute.
        expect(await statements(`/api/authors?${costly}b`)).to.equal(least);
      });

      it("do not make up for what the answer holds, which is refused in any content", async () => {
        const populate = "populate[articles][populate][categories][populate][articles][populate][categories]=true";
        const { status, body } = await get(`/api/authors?${populate}&pagination[pageSize]=100`);
        expect([status, body.error?.code]).to.deep.equal([400, "PLINTH_QUERY_TOO_COSTLY"]);
      });
    });

    describe("one user and one file", () => {
      it("are found where they fulfil the filters", async () => {
        const made = await app().request("POST", "/api/users", {
          body: { username: "filtered", email: "filtered@example.com", password: "filtered-password", role: 1 },
        });
        const user = `/api/users/${made.body.id}`;
        const file = `/api/upload/files/${await addFile()}`;
        const found = async (path: string) => (await get(path)).status;
        expect(await found(`${user}?filters[username]=filtered`)).to.equal(200);
        expect(await found(`${file}?filters[name]=filtered.txt`)).to.equal(200);
        // No user is no content, as there.
        expect(await found(`${user}?filters[username]=another`)).to.equal(204);
        expect(await found(`${user}?_q=zz-zz`)).to.equal(204);
        expect(await found(`${file}?filters[name]=another.txt`)).to.equal(404);
        expect(await found(`${file}?filters[nope]=1`)).to.equal(400);
      });

      const addFile = async (): Promise<number> => {
        const form = new FormData();
        form.append("files", new Blob(["text"], { type: "text/plain" }), "filtered.txt");
        const headers = { authorization: `Bearer ${tokens.full}` };
        const sent = await fetch(`${app().url}/api/upload`, { method: "POST", body: form, headers });
        const [file] = (await sent.json()) as { id: number }[];
        return file?.id ?? 0;
      };
    });

    describe("filters", () => {
      const all = ["article-01", "article-02", "article-03", "article-04"];
      const among = (query: string) => slugsOf(`filters[slug][$startsWith]=article&${query}`);
      const without = (...slugs: string[]) => all.filter((slug) => !slugs.includes(slug));
      before("write json of every form", async () => {
        const extras = [{ a: 1, b: ["x"] }, 42, '"text"', null];
        for (const [index, extra] of extras.entries()) {
          const path = `/api/articles/${content().articles[index]?.documentId}`;
          expect((await app().request("PUT", path, { body: { data: { extra } } })).status).to.equal(200);
        }
      });

      it("take a list inside of $or, $and and $not as a group that has to hold as a whole", async () => {
        const one = "[0][0][title][$contains]=Article&filters[$or][0][1][views]=10";
        expect(await among(`filters[$or]${one}`)).to.deep.equal(["article-01"]);
        expect(await among(`filters[$or]${one}&filters[$or][1][slug]=article-03`)).to.deep.equal([
          "article-01",
          "article-03",
        ]);
        const both = "[0][title][$contains]=Article&filters[$not][1][views]=10";
        expect(await among(`filters[$not]${both}`)).to.deep.equal(without("article-01"));
        expect(await among("filters[$and][0][0][views][$gt]=10&filters[$and][0][1][views][$lt]=40")).to.deep.equal([
          "article-02",
          "article-03",
        ]);
        const inRelation = "filters[author][$or][0][0][name]=Ada&filters[author][$or][0][1][email][$notNull]=true";
        expect(await among(inRelation)).to.deep.equal(without("article-04"));
      });

      it("take a value below $not, and a list of them", async () => {
        expect(await among("filters[slug][$not]=article-02")).to.deep.equal(without("article-02"));
        expect(await among("filters[views][$not][0]=10&filters[views][$not][1]=40")).to.deep.equal([
          "article-02",
          "article-03",
        ]);
        const { ada, grace } = content();
        for (const target of [grace.id, grace.documentId])
          expect(await among(`filters[author][$not]=${target}`)).to.deep.equal(without("article-04"));
        expect(
          await among(`filters[author][$not][0]=${ada.id}&filters[author][$not][1]=${grace.documentId}`),
        ).to.deep.equal([]);
        expect((await get("/api/articles?filters[views][$not]=many")).status).to.equal(400);
        expect((await get("/api/articles?filters[seo][$not]=1")).status).to.equal(400);
      });

      it("compare json with json, in whatever order its keys are", async () => {
        const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
        expect(await among(`filters[extra]=${json({ b: ["x"], a: 1 })}`)).to.deep.equal(["article-01"]);
        expect(await among("filters[extra][$eq]=42")).to.deep.equal(["article-02"]);
        expect(await among(`filters[extra][$eq]=${json("text")}`)).to.deep.equal(["article-03"]);
        expect(await among("filters[extra][$ne]=42")).to.deep.equal(["article-01", "article-03"]);
        expect(await among("filters[extra][$not]=42")).to.deep.equal(["article-01", "article-03"]);
        expect(await among("filters[extra][$eq]=null")).to.deep.equal(["article-04"]);
        expect(await among("filters[extra][$ne]=null")).to.deep.equal(without("article-04"));
        const found = await app()
          .plinth.app.documents("api::article.article")
          .findMany({ filters: { extra: { $eq: { a: 1, b: ["x"] } } }, status: "published" });
        expect(found.map(({ slug }) => slug)).to.deep.equal(["article-01"]);
      });

      it("refuse what is no json, and lists of it", async () => {
        for (const query of ["filters[extra]=nothing", "filters[extra][$eq][0]=1", "filters[extra][$in][0]=1"]) {
          const { status, body } = await get(`/api/articles?${query}`);
          expect([status, body.error?.name], query).to.deep.equal([400, "ValidationError"]);
        }
      });
    });

    describe("a search for a number", () => {
      before(() =>
        writeDocument(app(), "/api/articles", {
          title: "Big",
          slug: "big",
          bigviews: "-49004",
          rating: 7.25,
          score: 81.5,
        }),
      );

      it("finds it among the digits of numbers", async () => {
        for (const phrase of ["490", "-4900", "49004", "7.2", ".25", "81.5"])
          expect(await slugsOf(`_q=${phrase}`), phrase).to.include("big");
      });

      it("is one only if the whole phrase is", async () => {
        for (const phrase of ["-", "49004 ", "49 004", "4.9004", "4_004", "49%"])
          expect(await slugsOf(`_q=${encodeURIComponent(phrase)}`), phrase).to.not.include("big");
      });
    });

    describe("what links to a type without locales", () => {
      let category: string;
      const linked = async (query: string) => {
        const { articles } = await read(`/api/categories/${category}?${query}`);
        return articles.map(({ slug, locale }: { slug: string; locale: string }) => `${slug} ${locale}`);
      };
      before("write two languages of an article, and one that is French alone", async () => {
        const write = async (method: string, path: string, data: object) =>
          (await app().request(method, path, { body: { data } })).body.data.documentId as string;
        category = await write("POST", "/api/categories", { name: "Languages" });
        const categories = [category];
        const both = await write("POST", "/api/articles", { title: "Both", slug: "both", categories });
        await write("PUT", `/api/articles/${both}?locale=fr`, { title: "Deux", slug: "deux", categories });
        await write("POST", "/api/articles?locale=fr", { title: "Seul", slug: "seul", categories });
      });

      it("is shown in every locale, and counted", async () => {
        expect(await linked("populate=articles")).to.deep.equal(["both en", "deux fr", "seul fr"]);
        expect(await linked("populate=articles&locale=*")).to.have.length(3);
        const [found] = await read("/api/categories?filters[articles][slug]=seul&populate[articles][count]=true");
        expect(found.articles).to.deep.equal({ count: 3 });
      });

      it("is filtered by its locale, and not by one for the type itself", async () => {
        expect(await linked("populate=articles&locale=fr")).to.have.length(3);
        expect(await linked("populate[articles][filters][locale]=fr")).to.deep.equal(["deux fr", "seul fr"]);
        const child = await writeDocument(app(), "/api/categories", { name: "Child", parent: category });
        const nested = `/api/categories/${child.documentId}?populate[parent][populate]=articles`;
        expect((await read(nested)).parent.articles).to.have.length(3);
      });

      it("leads on in the locale of each", async () => {
        const { articles } = await read(
          `/api/categories/${category}?populate[articles][populate][localizations][fields]=locale`,
        );
        const others = articles.map((article: { localizations: { locale: string }[] }) =>
          article.localizations.map(({ locale }) => locale),
        );
        expect(others).to.deep.equal([["fr"], ["en"], []]);
      });

      it("is the same over GraphQL", async () => {
        const query = `{ category(documentId: "${category}") { articles { slug } articles_connection { nodes { locale } } } }`;
        const { body } = await app().request("POST", "/graphql", { body: { query } });
        expect(body.data.category.articles).to.deep.equal([{ slug: "both" }, { slug: "deux" }, { slug: "seul" }]);
        expect(body.data.category.articles_connection.nodes).to.have.length(3);
      });
    });

    describe("components of a zone", () => {
      const sections = [
        { __component: "sections.hero", title: "Hero B", cta: { label: "Go" } },
        { __component: "sections.quote", text: "Quote" },
        { __component: "sections.hero", title: "Hero A" },
        { __component: "sections.hero", title: "Other" },
      ];
      const zone = async (query: string) => {
        const [article] = await read(`/api/articles?filters[slug]=zoned&${query}`);
        return article.sections?.map((item: { title?: string; text?: string }) => item.title ?? item.text);
      };
      before(() => writeDocument(app(), "/api/articles", { title: "Zoned", slug: "zoned", sections }));

      it("are filtered each by its own filters", async () => {
        const hero = "populate[sections][on][sections.hero]";
        const quote = "populate[sections][on][sections.quote]";
        expect(await zone(`${hero}[filters][title][$startsWith]=Hero`)).to.deep.equal(["Hero B", "Hero A"]);
        expect(await zone(`${hero}[filters][title]=Other&${quote}=true`)).to.deep.equal(["Quote", "Other"]);
        expect(await zone(`${hero}[filters][cta][label]=Go&${quote}[filters][text]=No`)).to.deep.equal(["Hero B"]);
        expect(await zone(`${hero}[filters][cta][$null]=true`)).to.deep.equal(["Hero A", "Other"]);
        expect(await zone(`${hero}[filters][title]=None`)).to.deep.equal([]);
      });

      it("keep the order of the zone, whatever one of them is sorted by", async () => {
        const sorted =
          "populate[sections][on][sections.hero][sort]=title:desc&populate[sections][on][sections.quote]=true";
        expect(await zone(sorted)).to.deep.equal(["Hero B", "Quote", "Hero A", "Other"]);
      });

      it("are not filtered or sorted by names that they do not have", async () => {
        for (const wrong of ["[filters][nope]=1", "[filters][title][$nope]=1", "[sort]=nope", "[sort]=title:up"]) {
          const { status, body } = await get(`/api/articles?populate[sections][on][sections.hero]${wrong}`);
          expect([status, body.error?.name], wrong).to.deep.equal([400, "ValidationError"]);
        }
        const { body } = await get("/api/articles?populate[sections][filters][title]=Hero");
        expect(body.error.message).to.equal("Invalid key filters at sections");
      });
    });

    describe("what is below a relation that the reader may not find", () => {
      const wrong = [
        "populate[author][populate]=nope",
        "populate[author][fields]=nope",
        "populate[author][filters][nope]=1",
        "populate[author][sort]=nope",
        "populate[author][on][sections.hero]=true",
        "populate[author][populate][articles][populate]=nope",
        "populate[related][populate]=author.avatar,sections,seo",
        "populate[sections][on][sections.quote][populate][author][fields]=nope",
        "populate=author.nope",
      ];

      it("is refused for everybody in the same words", async () => {
        for (const query of wrong) {
          const [full, nobody] = [await get(`/api/articles?${query}`), await get(`/api/articles?${query}`, "")];
          expect([nobody.status, nobody.body.error?.name], query).to.deep.equal([400, "ValidationError"]);
          expect(nobody.body, query).to.deep.equal(full.body);
        }
      });

      it("is left out with it where it is right", async () => {
        const { status, body } = await get(
          "/api/articles?fields=slug&populate[author][populate][articles][fields]=slug",
          "",
        );
        expect(status).to.equal(200);
        for (const article of body.data) expect(article).to.not.have.property("author");
      });
    });
  });
});
