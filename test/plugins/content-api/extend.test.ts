import type { HttpContext } from "@plinth/core";
import { createPlinth } from "@plinth/core";
import { expect } from "chai";
import {
  contentApiPlugin,
  createCoreController,
  createCoreRouter,
  createCoreService,
  foundPage,
} from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";

const categoryController = createCoreController("api::category.category", ({ app }) => ({
  async find(ctx: HttpContext) {
    const answer = await super.find(ctx);
    answer.meta.servedBy = "us";
    return answer;
  },
  async findOne(ctx: HttpContext) {
    const { data } = await super.findOne(ctx);
    return { data: { ...data, name: data.name.toUpperCase() } };
  },
  async count() {
    return { data: await app.documents("api::category.category").count() };
  },
}));

const authorService = createCoreService("api::author.author", () => ({
  async find(params: object, reader: object) {
    const page = await super.find({ ...params, sort: "name:desc" }, reader);
    return foundPage(
      page.rows().map((row: object) => ({ ...row, isWriter: true })),
      page.pagination,
    );
  },
}));

describe("An app extends the generated endpoints", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveCorpusTypes(database, {
      rest: { prefix: "/v1", defaultLimit: 2, maxLimit: 3, withCount: false, strictParams: true },
      app: {
        controllers: { "api::category.category": categoryController },
        services: [
          { kind: "service", uid: "api::author.author", deps: {}, create: (_deps, { app }) => authorService({ app }) },
        ],
        policies: { "api::article.is-friday": () => false },
        routes: {
          "api::article.article": createCoreRouter("api::article.article", {
            prefix: "/blog",
            only: ["find", "findOne", "create"],
            except: ["create"],
            config: { find: { auth: false }, findOne: { policies: ["is-friday"] } },
          }),
          "api::category.more": { method: "GET", path: "/categories/count", handler: "category.count" },
        },
      },
    });
    const ask = (...request: Parameters<ReturnType<typeof served>["request"]>) => served().request(...request);

    before("write content", async () => {
      for (const name of ["Ada", "Emmy", "Carl"]) await ask("POST", "/v1/authors", { body: { data: { name } } });
      await ask("POST", "/v1/categories", { body: { data: { name: "Science" } } });
    });

    it("by a controller whose super is the core's", async () => {
      const { body } = await ask("GET", "/v1/categories?fields=name");
      expect(body.data[0].name).to.equal("Science");
      expect(body.meta.servedBy).to.equal("us");
      const one = await ask("GET", `/v1/categories/${body.data[0].documentId}`);
      expect(one.body.data.name).to.equal("SCIENCE");
    });

    it("by routes of its own beside the generated ones", async () => {
      expect((await ask("GET", "/v1/categories/count")).body).to.deep.equal({ data: 1 });
    });

    it("by a service whose changed rows are the answer", async () => {
      const { body } = await ask("GET", "/v1/authors?fields=name");
      const rows = body.data.map(({ name, isWriter }: { name: string; isWriter: boolean }) => [name, isWriter]);
      expect(rows).to.deep.equal([
        ["Emmy", true],
        ["Carl", true],
      ]);
    });

    it("by a core router that says which routes there are, where, and what they ask for", async () => {
      expect((await ask("GET", "/v1/blog/articles", { token: "" })).status).to.equal(200);
      expect((await ask("GET", "/v1/articles")).status).to.equal(404);
      expect((await ask("POST", "/v1/blog/articles", { body: { data: {} } })).status).to.equal(405);
      const blocked = await ask("GET", "/v1/blog/articles/x");
      expect([blocked.status, blocked.body.error.message]).to.deep.equal([403, "Policy Failed"]);
    });

    it("by api.rest: prefix, limits, counting, strict parameters", async () => {
      const { body } = await ask("GET", "/v1/authors?pagination[pageSize]=50");
      expect(body.meta.pagination).to.deep.equal({ page: 1, pageSize: 3 });
      const unknown = await ask("GET", "/v1/authors?filter[name]=x");
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, "PLINTH_REST_UNKNOWN_PARAMETER"]);
    });
  });
});

describe("Mistakes of an app stop its start", () => {
  const start = async (app: object, rest: object = {}) => {
    const plinth = createPlinth({
      root: import.meta.dirname,
      plugins: [contentApiPlugin],
      app,
      config: {
        log: { level: "silent" },
        server: { port: 0 },
        database: { client: "pglite", directory: ":memory:" },
        api: { rest },
      },
    });
    try {
      await plinth.start();
    } catch (error) {
      return String((error as Error).message);
    } finally {
      await plinth.stop();
    }
    return "started";
  };
  const note = {
    kind: "collectionType",
    collectionName: "notes",
    info: { singularName: "note", pluralName: "notes", displayName: "Note" },
    attributes: { text: { type: "string" } },
  };
  const contentTypes = { "api::note.note": note };

  it("a core router of an unknown content-type", async () => {
    const routes = { "api::note.note": createCoreRouter("api::note.notes") };
    expect(await start({ contentTypes, routes })).to.match(/no content-type "api::note\.notes".*api::note\.note/);
  });

  it("a core router that names an action which a collection does not have", async () => {
    const routes = { "api::note.note": createCoreRouter("api::note.note", { only: ["findMany" as "find"] }) };
    expect(await start({ contentTypes, routes })).to.match(/names the action "findMany".*find/);
  });

  it("a wrong api.rest", async () => {
    expect(await start({ contentTypes }, { maxLimits: 5 })).to.match(/api\.rest\.maxLimits is not known/);
  });
});
