import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type CorpusAnswer, serveCorpusTypes } from "../../corpus-app.js";

const article = (action: string) => `api::article.article.${action}`;
const OWN = { author: { id: "{{user.id}}" } };
const SEEN = ["title", "summary", "author", "categories", "related", "localizations"];

const users = {
  /** Sees own articles, and some of their attributes. */
  author: [
    { action: article("find"), where: OWN, fields: SEEN },
    { action: article("findOne"), where: OWN, fields: SEEN },
    { action: "api::author.author.find", fields: ["name", "articles"] },
    "api::category.*",
  ],
  /** Sees all articles, and every author but Bob. */
  outsider: [
    article("find"),
    { action: "api::author.author.find", where: { name: { $ne: "Bob" } }, fields: ["name", "articles"] },
    "api::category.category.find",
  ],
};

describe("Reading by rules on rows and fields", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { users });
    let ada: { id: number; documentId: string };
    let bob: typeof ada;
    let ids: Record<string, string>;

    before("write the content", async () => {
      const create = async (plural: string, data: object) =>
        (await app().request("POST", `/api/${plural}`, { body: { data } })).body.data as typeof ada;
      ada = await create("authors", { name: "Ada", email: "ada@example.com" });
      bob = await create("authors", { name: "Bob", email: "bob@example.com" });
      const category = await create("categories", { name: "Seas" });
      const categories = [category.documentId];
      const alpha = await create("articles", { title: "Alpha", body: "needle", author: ada.documentId, categories });
      const beta = await create("articles", { title: "Beta", views: 9, author: bob.documentId, categories });
      const gamma = await create("articles", { title: "Gamma", related: [alpha.documentId, beta.documentId] });
      ids = { alpha: alpha.documentId, beta: beta.documentId, gamma: gamma.documentId };
    });

    const asAuthor = () => `author/${ada.id}/${ada.documentId}`;
    const ask = (path: string, token: string): Promise<CorpusAnswer> => app().request("GET", path, { token });
    const titles = async (path: string, token: string) =>
      ((await ask(path, token)).body.data as { title: string }[]).map(({ title }) => title);

    it("a list, its total and a single document hold what the rule reaches, and nothing else", async () => {
      const { body } = await ask("/api/articles", asAuthor());
      expect(body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["Alpha"]);
      expect(body.meta.pagination.total).to.equal(1);
      expect((await ask(`/api/articles/${ids["alpha"]}`, asAuthor())).status).to.equal(200);
      expect((await ask(`/api/articles/${ids["beta"]}`, asAuthor())).status).to.equal(404);
    });

    it("a rule that asks for a user reaches nothing for somebody who is none", async () => {
      expect(await titles("/api/articles", "author")).to.deep.equal([]);
      expect((await ask(`/api/articles/${ids["alpha"]}`, "author")).status).to.equal(404);
    });

    it("answers show the attributes of the rule, besides ids, times and locale", async () => {
      const [first] = (await ask("/api/articles", asAuthor())).body.data;
      const always = ["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale"];
      expect(first).to.have.all.keys(...always, "title", "summary");
      const [all] = (await ask("/api/articles?fields=*&populate=*", asAuthor())).body.data;
      expect(all).to.have.all.keys(...always, "title", "summary", "author", "categories", "related", "localizations");
      expect(all.author).to.include({ name: "Ada" }).and.not.have.any.keys("email", "bio");
    });

    it("an attribute outside of the rule is refused like a private one, and populating it is left out", async () => {
      for (const [query, param, key] of [
        ["filters[views]=9", "filters", "views"],
        ["filters[$or][0][$not][views]=9", "filters", "views"],
        ["sort=views", "sort", "views"],
        ["fields=title,views", "fields", "views"],
        ["filters[seo][metaTitle]=a", "filters", "seo"],
      ]) {
        const { status, body } = await ask(`/api/articles?${query}`, asAuthor());
        expect(status, query).to.equal(400);
        expect(body.error.details).to.deep.equal({ key, path: key, source: "query", param });
      }
      const deep = await ask("/api/articles?filters[author][email]=ada@example.com", asAuthor());
      expect(deep.body.error.details.path).to.equal("author.email");
      const [left] = (await ask("/api/articles?populate[0]=seo&populate[1]=links", asAuthor())).body.data;
      expect(left).to.not.have.any.keys("seo", "links");
    });

    it("populated relations and their counts hold what the target's rule reaches", async () => {
      const populated = "/api/categories?populate[articles][fields]=title";
      const [category] = (await ask(populated, asAuthor())).body.data;
      expect(category.articles.map(({ title }: { title: string }) => title)).to.deep.equal(["Alpha"]);
      const [counted] = (await ask("/api/categories?populate[articles][count]=true", asAuthor())).body.data;
      expect(counted.articles).to.deep.equal({ count: 1 });
      const [, beta] = (await ask("/api/articles?populate=author&sort=title", "outsider")).body.data;
      expect(beta.author).to.equal(null);
    });

    it("a related document that the rule hides counts as none", async () => {
      const hidden = ["Beta", "Gamma"];
      const list = (query: string) => titles(`/api/articles?sort=title&${query}`, "outsider");
      expect(await list("filters[author][$null]=true")).to.deep.equal(hidden);
      expect(await list("filters[author][id][$null]=true")).to.deep.equal(hidden);
      expect(await list("filters[author][$notNull]=true")).to.deep.equal(["Alpha"]);
      expect(await list("filters[$not][author][$null]=true")).to.deep.equal(["Alpha"]);
      expect(await list("filters[author][name][$ne]=Zed")).to.deep.equal(["Alpha"]);
    });

    it("an order through a hidden document is the order without it", async () => {
      expect(await titles("/api/articles?sort[0]=author.name&sort[1]=title:desc", "outsider")).to.deep.equal([
        "Alpha",
        "Gamma",
        "Beta",
      ]);
    });

    it("a search does not look into attributes outside of the rule", async () => {
      expect(await titles("/api/articles?_q=needle", asAuthor())).to.deep.equal([]);
      expect(await titles("/api/articles?_q=alph", asAuthor())).to.deep.equal(["Alpha"]);
      expect((await ask("/api/articles?_q=needle", "outsider")).body.data).to.have.length(1);
    });

    it("no question tells a hidden value from one that does not exist", async () => {
      for (const [matching, other] of probes(bob)) {
        const [first, second] = [await ask(matching, "outsider"), await ask(other, "outsider")];
        expect(second.status, other).to.equal(first.status);
        expect(second.body, `${matching} against ${other}`).to.deep.equal(first.body);
      }
    });
  });
});

/** Pairs of questions that would be answered differently if Bob, whom nobody may see, had a say in it. */
function probes(bob: { id: number; documentId: string }): [matching: string, other: string][] {
  const name = (form: string): [string, string] => [
    form.replaceAll("?", "Bob").replace("/api/articles", "/api/articles?sort=title&"),
    form.replaceAll("?", "Zed").replace("/api/articles", "/api/articles?sort=title&"),
  ];
  const id = (form: string, value: unknown): [string, string] => [
    `/api/articles?sort=title&${form}=${value}`,
    `/api/articles?sort=title&${form}=${typeof value === "number" ? 987654 : "zzzzzzzzzzzzzzzzzzzzzzzz"}`,
  ];
  return [
    name("/api/articlesfilters[author][name][$eq]=?"),
    name("/api/articlesfilters[author][name][$startsWithi]=?"),
    name("/api/articlesfilters[author][name][$notContains]=?"),
    name("/api/articlesfilters[$or][0][author][name]=?&filters[$or][1][title]=Alpha"),
    name("/api/articlesfilters[$and][0][$not][author][name]=?"),
    name("/api/articlesfilters[author][$not][name]=?"),
    name("/api/articlesfilters[categories][articles][author][name]=?"),
    name("/api/articlespopulate[author][filters][name]=?"),
    name("/api/articlespopulate[categories][populate][articles][filters][author][name]=?"),
    id("filters[author]", bob.documentId),
    id("filters[author][$ne]", bob.documentId),
    id("filters[author][id]", bob.id),
    id("filters[author][documentId][$notIn][0]", bob.documentId),
    ["/api/authors?_q=Bob", "/api/authors?_q=Zed"],
    ["/api/authors?_q=bob@example.com", "/api/authors?_q=zed@example.com"],
    ["/api/authors?filters[articles][title]=Beta", "/api/authors?filters[articles][title]=Zeta"],
    ["/api/authors?filters[articles][author][name]=Bob", "/api/authors?filters[articles][author][name]=Zed"],
    ["/api/articles?filters[author][email]=bob@example.com", "/api/articles?filters[author][email]=zed@example.com"],
    [
      `/api/articles?sort=author.articles.title&filters[author]=${bob.documentId}`,
      "/api/articles?sort=author.articles.title&filters[author]=zzzzzzzzzzzzzzzzzzzzzzzz",
    ],
  ];
}
