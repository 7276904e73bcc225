import { type Handler, type HttpContext, type RawContentType, transformOutput } from "@plinth/core";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin, createCoreController, createCoreRouter } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { historyPlugin } from "@plinth/plugin-history";
import { httpCachePlugin } from "@plinth/plugin-http-cache";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { uploadPlugin } from "@plinth/plugin-upload";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

const CATEGORY = "api::category.category";
const TYPES = {
  "*": { sMaxAge: 600, staleWhileRevalidate: 60 },
  "api::category.category": { maxAge: 5, sMaxAge: 60 },
};

describe("What caches are told of public reads", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, {
      plugins: [httpCachePlugin],
      pluginConfig: { "http-cache": { types: TYPES } },
      app: {
        policies: { "api::category.door": (ctx) => ctx.get("X-Door") === "open" },
        routes: { [CATEGORY]: createCoreRouter(CATEGORY, { config: { find: { policies: ["door"] } } }) },
      },
    });
    const get = async (path: string, options: CorpusRequest = {}) => {
      const { status, headers } = await app().request("GET", path, { token: "", ...options });
      return {
        status,
        control: headers.get("cache-control"),
        vary: headers.get("vary") ?? "",
        tags: headers.get("cache-tag"),
        tag: headers.get("etag"),
      };
    };
    let article: string;
    before("write some", async () => {
      const { body } = await app().request("POST", "/api/articles", { body: { data: { title: "One" } } });
      article = body.data.documentId;
    });

    it("how long they hold, and the types and the document that they show", async () => {
      const list = await get("/api/articles");
      expect(list.control).to.equal("public, max-age=0, s-maxage=600, stale-while-revalidate=60");
      expect(list.tags).to.equal("t:articles");
      for (const name of ["Authorization", "Accept"]) expect(list.vary).to.include(name);
      const one = await get(`/api/articles/${article}?populate=categories`);
      expect(one.control).to.equal("public, max-age=0, s-maxage=60, stale-while-revalidate=0");
      expect(one.tags?.split(",").sort()).to.deep.equal([`d:${article}`, "t:articles", "t:categories"]);
      const again = await get("/api/articles", { headers: { "If-None-Match": list.tag ?? "" } });
      expect([again.status, again.control, again.tags]).to.deep.equal([304, list.control, list.tags]);
    });

    it("that they depend on what middlewares say as well", async () => {
      const headers = { Origin: "https://site.example", "X-Door": "open" };
      for (const path of ["/api/articles", "/api/categories"]) {
        const { vary } = await get(path, { headers });
        for (const name of ["Origin", "Authorization", "Accept"]) expect(vary, path).to.include(name);
      }
    });

    it("to keep nothing of routes where a policy decides who is answered", async () => {
      expect((await get("/api/categories")).status).to.equal(403);
      const { status, control, tags } = await get("/api/categories", { headers: { "X-Door": "open" } });
      expect([status, control, tags]).to.deep.equal([200, "private, no-cache", null]);
    });

    it("to keep nothing of callers who signed in, and of errors", async () => {
      for (const token of ["full-access"]) {
        const own = await get("/api/articles", { token });
        expect([own.control, own.tags]).to.deep.equal(["private, no-cache", null]);
      }
      expect((await get("/api/articles?filters[nothing]=1")).control).to.equal(null);
    });
  });
});

describe("Types that are not named", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, {
      plugins: [httpCachePlugin],
      pluginConfig: { "http-cache": { types: { "api::article.article": { sMaxAge: 60 } }, tags: "surrogate-key" } },
    });
    it("are kept by no cache, alone or populated", async () => {
      const controlOf = async (path: string) => (await app().request("GET", path, { token: "" })).headers;
      const articles = await controlOf("/api/articles");
      expect(articles.get("cache-control")).to.include("s-maxage=60");
      expect(articles.get("surrogate-key")).to.equal("t:articles");
      for (const path of ["/api/categories", "/api/articles?populate=categories"])
        expect((await controlOf(path)).get("cache-control")).to.equal("private, no-cache");
    });
  });
});

const POST = "api::post.post";
const PLUGINS = [graphqlPlugin, i18nPlugin, uploadPlugin, eventsPlugin, historyPlugin, auditPlugin];

describe("What is read where the plugins of content take part", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, httpCachePlugin, ...PLUGINS],
        database: database.config(),
        app: {
          contentTypes: {
            [POST]: {
              kind: "collectionType",
              info: { singularName: "post", pluralName: "posts", displayName: "Post" },
              attributes: { title: { type: "string" }, cover: { type: "media", multiple: false } },
            },
          },
        },
        config: { access: { public: "read" } },
        pluginConfigs: { "http-cache": { types: { "*": { sMaxAge: 600 } } } },
      });
    });
    after("stop it", () => test?.stop());

    it("is kept by caches, with its files, over REST and over GraphQL", async () => {
      await test.app.documents(POST as string).create({ data: { title: "One" } });
      const query = encodeURIComponent("{ posts { title cover { url } } }");
      for (const path of ["/api/posts?populate=cover", `/graphql?query=${query}`]) {
        const answer = await fetch(`${test.url}${path}`, { headers: { "apollo-require-preflight": "true" } });
        expect(await answer.text(), path).to.include("One");
        expect(answer.headers.get("cache-control"), path).to.include("public, max-age=0, s-maxage=600");
        expect(answer.headers.get("cache-tag")?.split(",").sort(), path).to.deep.equal(["t:files", "t:posts"]);
      }
    });
  });
});

const OFFER = "api::offer.offer";
const SIGNED = "api::signed.signed";
const ROOM = "api::room.room";
const TEASER = "api::teaser.teaser";

describe("What changes without a change of content, or is answered by code of the app", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    const typeOf = (name: string, attributes: RawContentType["attributes"]): Omit<RawContentType, "uid"> => ({
      kind: "collectionType",
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes: { title: { type: "string" }, ...attributes },
    });
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, graphqlPlugin, httpCachePlugin],
        database: database.config(),
        app: {
          contentTypes: {
            [TEASER]: { ...typeOf("teaser", { until: { type: "datetime" } }), options: { draftAndPublish: true } },
            [OFFER]: typeOf("offer", { until: { type: "datetime" } }),
            [SIGNED]: typeOf("signed", {}),
            [ROOM]: typeOf("room", { tenant: { type: "string" } }),
          },
          controllers: {
            [ROOM]: createCoreController(ROOM, () => ({
              async find(this: { find: Handler }, ctx: HttpContext) {
                ctx.query = { filters: { tenant: ctx.get("X-Tenant") } } as never;
                const body = await Object.getPrototypeOf(this).find.call(this, ctx);
                if (ctx.get("X-Tenant") === "everybody") ctx.set("Cache-Control", "public, max-age=9");
                return body;
              },
            })),
          },
          register({ on }) {
            on(transformOutput(SIGNED), (row) => ({ ...row, title: `https://files.example/?until=${Date.now()}` }));
          },
        },
        config: {
          access: {
            public: [
              { action: `${OFFER}.find`, where: { until: { $gt: "{{now}}" } } },
              `${SIGNED}.find`,
              `${ROOM}.find`,
              `${ROOM}.findOne`,
              `${TEASER}.find`,
              { action: `${TEASER}.findDrafts`, where: { until: { $lt: "{{now}}" } } },
            ],
          },
        },
        pluginConfigs: { "http-cache": { types: { "*": { sMaxAge: 600 } } } },
      });
    });
    after("stop it", () => test?.stop());
    const controlOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${test.url}${path}`, { headers })).headers.get("cache-control");

    it("is kept by no cache where a rule of the public names the time", async () => {
      await test.app
        .documents(OFFER as string)
        .create({ data: { title: "Soon over", until: "2999-01-01T00:00:00.000Z" } });
      expect(await controlOf("/api/offers")).to.equal("private, no-cache");
    });

    it("is kept by no cache where a rule of the public for drafts names the time", async () => {
      await test.app.documents(TEASER as string).create({ data: { title: "Soon", until: "2001-01-01T00:00:00.000Z" } });
      const query = encodeURIComponent("{ teasers(status: DRAFT) { title } }");
      for (const path of ["/api/teasers?status=draft", `/graphql?query=${query}`])
        expect(await controlOf(path, { "apollo-require-preflight": "true" }), path).to.equal("private, no-cache");
    });

    it("is kept by no cache where hooks make a part of it", async () => {
      await test.app.documents(SIGNED as string).create({ data: { title: "a" } });
      expect(await controlOf("/api/signeds")).to.equal("private, no-cache");
    });

    it("is kept by no cache where an action of the app answers, unless that says so itself", async () => {
      const { documentId } = await test.app.documents(ROOM as string).create({ data: { title: "a", tenant: "north" } });
      expect(await controlOf("/api/rooms", { "X-Tenant": "north" })).to.equal("private, no-cache");
      expect(await controlOf("/api/rooms", { "X-Tenant": "everybody" })).to.equal("public, max-age=9");
      expect(await controlOf(`/api/rooms/${documentId}`)).to.include("public, max-age=0, s-maxage=600");
    });
  });
});
