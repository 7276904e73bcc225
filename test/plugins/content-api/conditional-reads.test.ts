import { aroundOperation, definePlugin, implement, serviceRef, transformOutput } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { type Caller, createCoreService, type Params } from "@plinth/plugin-content-api";
import { expect } from "chai";
import { type AppExtras, type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase, type TestDatabase } from "../../databases.js";

const LIST = "/api/articles?populate=author,categories&sort=title";

/** The app sends statements of its own now and then: the answer counts that took the fewest of some. */
async function cheapest<Answer extends { readonly statements: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  let best = await ask();
  for (let time = 0; time < 3 && best.statements > 1; time += 1) best = await ask();
  return best;
}

/** Serves the corpus app, and counts the statements that an answer takes. */
function serveCounted(database: TestDatabase, extras: AppExtras = {}) {
  const app = serveCorpusTypes(database, extras);
  const ask = async (method: string, path: string, options?: CorpusRequest) => {
    const before = app().plinth.app.db.statementCount;
    const answer = await app().request(method, path, options);
    return {
      ...answer,
      tag: answer.headers.get("etag") ?? "",
      statements: app().plinth.app.db.statementCount - before,
    };
  };
  const get = (path: string, known?: string, options: CorpusRequest = {}) =>
    ask("GET", path, { ...options, headers: { ...options.headers, ...(known ? { "If-None-Match": known } : {}) } });
  const write = async (path: string, data: object, method = "POST") => {
    const { status, body } = await ask(method, path, { body: { data } });
    expect(status, JSON.stringify(body)).to.be.lessThan(300);
    return body.data as { readonly documentId: string };
  };
  return { app, ask, get, write };
}

describe("Reads of those who have the answer already", () => {
  eitherDatabase(import.meta.url, (database) => {
    const { get, write, ask } = serveCounted(database, {
      rest: { listTags: true },
      users: {
        writer: ["api::article.article.find", { action: "api::author.author.find", where: { name: "Ada" } }],
        other: ["api::article.article.find", "api::author.author.find"],
        own: [{ action: "api::article.article.find", where: { title: { $ne: "{{user.documentId}}" } } }],
        today: [{ action: "api::article.article.find", where: { createdAt: { $lt: "{{now}}" } } }],
      },
    });
    let author: string;
    let article: string;
    before("write some", async () => {
      author = (await write("/api/authors", { name: "Ada" })).documentId;
      article = (await write("/api/articles", { title: "One", author })).documentId;
      await write("/api/articles", { title: "Two" });
    });

    it("a list has an ETag of its text, and it is the same in every way that it is answered", async () => {
      const { tag, body } = await get(LIST);
      expect(tag).to.match(/^W\/"[0-9a-f]{32}"$/);
      expect(body.data).to.have.length(2);
      expect((await get(LIST)).tag).to.equal(tag);
      expect((await ask("HEAD", LIST)).tag).to.equal(tag);
      expect((await get(`${LIST}&pagination[pageSize]=1`)).tag).to.not.equal(tag);
    });

    it("the second time it costs one small statement", async () => {
      for (const path of [LIST, `/api/articles/${article}?populate=author`, "/api/articles?filters[title]=One"]) {
        const { tag, status } = await get(path);
        expect(status, path).to.equal(200);
        expect((await get(path, tag)).status, path).to.equal(304);
        for (const known of [tag, `"other", ${tag}`, "*"]) {
          const again = await cheapest(() => get(path, known));
          expect([again.status, again.body, again.tag, again.statements], path).to.deep.equal([304, "", tag, 1]);
        }
        const head = await cheapest(() => ask("HEAD", path, { headers: { "If-None-Match": tag } }));
        expect([head.status, head.statements]).to.deep.equal([304, 1]);
      }
    });

    it("every write that the answer shows ends that, of populated documents and links as well", async () => {
      let { tag } = await get(LIST);
      const writes: (() => Promise<unknown>)[] = [
        () => write(`/api/articles/${article}`, { title: "Uno" }, "PUT"),
        () => write(`/api/authors/${author}`, { name: "Ada L." }, "PUT"),
        async () => write(`/api/articles/${article}`, { categories: [await category()] }, "PUT"),
        () => write(`/api/articles/${article}`, { categories: [] }, "PUT"),
        () => write("/api/articles", { title: "Zero" }),
        () => write(`/api/authors/${author}`, { name: "Ada" }, "PUT"),
      ];
      const category = async () => (await write("/api/categories", { name: "Sums" })).documentId;
      const shown = new Set([tag]);
      for (const change of writes) {
        expect((await get(LIST, tag)).status).to.equal(304);
        await change();
        const answer = await get(LIST, tag);
        const isSame = answer.status === 304;
        expect(answer.tag === tag).to.equal(isSame);
        tag = answer.tag;
        shown.add(tag);
        expect((await get(LIST)).tag).to.equal(tag);
        expect((await cheapest(() => get(LIST, tag))).statements).to.equal(1);
      }
      expect(shown.size).to.equal(writes.length + 1);
    });

    it("a write that the answer does not show leaves the tag as it is, and says nothing", async () => {
      const { tag } = await get("/api/articles?fields=title&populate=author");
      await get("/api/articles?fields=title&populate=author", tag);
      await ask("PUT", `/api/articles/${article}?status=draft`, { body: { data: { views: 41 } } });
      const after = await get("/api/articles?fields=title&populate=author", tag);
      expect([after.status, after.tag, after.body]).to.deep.equal([304, tag, ""]);
      const again = await cheapest(() => get("/api/articles?fields=title&populate=author", tag));
      expect(again.statements).to.equal(1);
    });

    it("callers who see different things never share an answer, and those who see the same share its tag", async () => {
      await write("/api/articles", {
        title: "By another",
        author: (await write("/api/authors", { name: "Bob" })).documentId,
      });
      const [writer, other] = [{ token: "writer" }, { token: "other" }];
      const seen = await Promise.all([get(LIST, undefined, writer), get(LIST, undefined, other)]);
      expect(seen[0]?.tag).to.not.equal(seen[1]?.tag);
      for (const [mine, theirs] of [seen, [...seen].reverse()]) {
        const token = mine === seen[0] ? writer : other;
        for (let time = 0; time < 3; time += 1) {
          expect((await get(LIST, mine?.tag, token)).status).to.equal(304);
          const wrong = await get(LIST, theirs?.tag, token);
          expect([wrong.status, wrong.body]).to.deep.equal([200, mine?.body]);
        }
      }
      const owners = [1, 2].map((id) => ({ token: `own/${id}/One` }));
      const own = await Promise.all(owners.map((token) => get("/api/articles", undefined, token)));
      expect(own[0]?.tag).to.equal(own[1]?.tag);
    });

    it("a rule whose rows change with time is asked again each time", async () => {
      const caller = { token: "today" };
      const { tag } = await get("/api/articles", undefined, caller);
      for (let time = 0; time < 3; time += 1) {
        const { status, statements } = await cheapest(() => get("/api/articles", tag, caller));
        expect([status, statements]).to.deep.equal([304, 1]);
      }
    });

    it("an error is one, whatever is known", async () => {
      const { tag } = await get("/api/articles");
      expect((await get("/api/articles?filters[nothing]=1", tag)).status).to.equal(400);
      expect((await get("/api/articles/none", "*")).status).to.equal(404);
      expect((await get(LIST, tag, { token: "nobody" })).status).to.equal(401);
    });

    it("the older format has an answer of its own", async () => {
      const old = { headers: { "Strapi-Response-Format": "v4" } };
      const { tag } = await get(LIST);
      const wrapped = await get(LIST, tag, old);
      expect(wrapped.status).to.equal(200);
      expect((await get(LIST, wrapped.tag, old)).status).to.equal(304);
      expect((await cheapest(() => get(LIST, wrapped.tag, old))).statements).to.equal(1);
      expect((await get(LIST, wrapped.tag)).status).to.equal(200);
    });
  });
});

describe("Answers of reads that are kept in memory", () => {
  eitherDatabase(import.meta.url, (database) => {
    const { app, get, write } = serveCounted(database, {
      rest: { cache: "100kb" },
      users: { some: [{ action: "api::article.article.find", where: { title: "One" } }] },
    });
    let article: string;
    before("write some", async () => {
      article = (await write("/api/articles", { title: "One" })).documentId;
      await write("/api/articles", { title: "Two é" });
    });

    it("are given again for one small statement, byte for byte", async () => {
      for (const path of ["/api/articles?sort=title", `/api/articles/${article}`]) {
        const first = await get(path);
        const second = await cheapest(() => get(path));
        expect(second.statements).to.equal(1);
        const named = ({ headers }: typeof first) =>
          ["etag", "content-type", "content-length"].map((name) => headers.get(name));
        expect([second.status, second.body, named(second)]).to.deep.equal([200, first.body, named(first)]);
        expect((await get(path, first.tag)).status).to.equal(304);
      }
    });

    it("are as new as the database, and each caller gets their own", async () => {
      await get("/api/articles");
      for (let round = 0; round < 5; round += 1) {
        await write(`/api/articles/${article}`, { views: round }, "PUT");
        const { body } = await get("/api/articles?filters[title]=One");
        expect(body.data[0].views).to.equal(round);
        const some = await get("/api/articles", undefined, { token: "some" });
        expect(some.body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["One"]);
        expect((await get("/api/articles")).body.data).to.have.length(2);
      }
    });

    it("share the statement that says whether they hold", async () => {
      const { db, documents, model } = app().plinth.app;
      const type = model.contentTypes.get("api::article.article") as ContentType;
      const options = { visibility: "code", ability: unlimited, kind: "list", defaultStatus: "draft" } as const;
      const { source } = await documents(type.uid).read(parseReadParams(model, type, {}, options));
      const before = db.statementCount;
      const stamps = await Promise.all(Array.from({ length: 60 }, () => source?.stampNow()));
      expect(new Set(stamps).size).to.equal(1);
      expect(db.statementCount - before).to.be.lessThan(5);
    });

    it("take no more memory than they may", async () => {
      const first = `/api/articles/${article}`;
      await get(first);
      expect((await cheapest(() => get(first))).statements).to.equal(1);
      // Each takes half a kilobyte and its key, at the least.
      for (let other = 0; other < 200; other += 1) await get(`${first}?fields=title&other=${other}`);
      expect((await get(first)).statements).to.be.at.least(2);
    });
  });
});

describe("Lists that nobody has asked for again", () => {
  eitherDatabase(import.meta.url, (database) => {
    const { get, write } = serveCounted(database);
    it("have no tag, and those who ask by one get it", async () => {
      await write("/api/articles", { title: "One" });
      expect((await get("/api/articles")).tag).to.equal("");
      expect((await get("/api/articles", undefined, { headers: { "content-length": "0" } })).tag).to.equal("");
      const { tag, status } = await get("/api/articles", '""');
      expect([tag.slice(0, 3), status]).to.deep.equal(['W/"', 200]);
      const inMiddlewares = { headers: { "content-length": "0" } };
      expect((await get("/api/articles", '""', inMiddlewares)).tag).to.equal(tag);
      expect((await get("/api/articles", tag)).status).to.equal(304);
      expect((await cheapest(() => get("/api/articles", tag))).statements).to.equal(1);
    });
  });
});

describe("Lists without tags", () => {
  eitherDatabase(import.meta.url, (database) => {
    const { get, write } = serveCounted(database, { rest: { listTags: false } });
    it("have none, and documents keep theirs", async () => {
      const { documentId } = await write("/api/articles", { title: "One" });
      expect((await get("/api/articles")).tag).to.equal("");
      expect((await get(`/api/articles/${documentId}`)).tag).to.match(/^"/);
    });
  });
});

describe("Reads whose answers code decides", () => {
  const hooked = definePlugin({
    name: "hooked",
    register({ on }) {
      on(transformOutput("api::category.category"), (row) => ({ ...row, name: `${row["name"]}!` }));
      on(aroundOperation, (_context, next) => next(), { about: ["api::homepage.homepage"] });
    },
  });
  let calls = 0;
  const articles = createCoreService("api::article.article", () => ({
    async find(params: Params, caller: Caller) {
      calls += 1;
      const page = await super.find(params, caller);
      return { ...page, text: JSON.stringify([{ calls }]) };
    },
  }));
  eitherDatabase(import.meta.url, (database) => {
    const { get, write } = serveCounted(database, {
      plugins: [hooked],
      rest: { cache: "1mb" },
      app: {
        services: [
          implement(serviceRef<object>("api::article.article"), { create: (_deps, tools) => articles(tools) }),
        ],
      } as never,
    });
    it("are made each time", async () => {
      await write("/api/categories", { name: "Sums" });
      const { body, tag } = await get("/api/categories");
      expect(body.data[0].name).to.equal("Sums!");
      expect(tag).to.equal("");
      await write("/api/homepage", { heading: "Home" }, "PUT");
      for (let time = 0; time < 3; time += 1) {
        const { status, statements } = await cheapest(() => get("/api/homepage", "*"));
        expect([status, statements]).to.deep.equal([304, 1]);
      }
      const first = await get("/api/articles");
      const second = await get("/api/articles", "*");
      expect(second.status).to.equal(200);
      expect(second.body.data).to.not.deep.equal(first.body.data);
    });
  });
});
