import { setTimeout as sleep } from "node:timers/promises";
import { withResolvers } from "#core/base/with-resolvers.js";
import { definePlugin, writeHooks } from "@plinth/core";
import openapiPlugin, { openApi } from "@plinth/plugin-openapi";
import { expect } from "chai";
import { type CorpusAnswer, type CorpusRequest, serveCorpusTypes, tokens } from "../../corpus-app.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";

describe("Idempotency-Key", () => {
  eitherDatabase("postgres", (database) => {
    let pause = 0;
    const app = serveCorpusTypes(database, {
      rest: { idempotency: true },
      users: { ada: "all" },
      plugins: [
        openapiPlugin,
        definePlugin({
          name: "slow",
          register: ({ on }) => on(writeHooks.create.before, () => sleep(pause)),
        }),
      ],
    });
    const ask = (method: string, url: string, options?: CorpusRequest) => app().request(method, url, options);
    const create = (key: string | undefined, title: string, options: CorpusRequest = {}): Promise<CorpusAnswer> =>
      ask("POST", "/api/articles", {
        body: { data: { title } },
        ...options,
        headers: { ...(key === undefined ? {} : { "Idempotency-Key": key }), ...options.headers },
      });
    const count = async (title: string): Promise<number> =>
      (await ask("GET", `/api/articles?filters[title]=${title}&status=draft`)).body.meta.pagination.total;

    it("has a write done once, with the same answer to the byte", async () => {
      const first = await create("k1", "once");
      const second = await create("k1", "once");
      expect(first.status).to.equal(201);
      expect(first.headers.get("idempotency-replayed")).to.equal(null);
      expect(second.status).to.equal(201);
      expect(second.body).to.deep.equal(first.body);
      expect(second.headers.get("etag")).to.equal(first.headers.get("etag"));
      expect(second.headers.get("idempotency-replayed")).to.equal("true");
      expect(await count("once")).to.equal(1);
    });

    it("is told of by the OpenAPI document, for writes alone", () => {
      const { paths } = app().plinth.app.service(openApi).document();
      const keyOf = (method: string, path: string) =>
        JSON.stringify(paths[path]?.[method]?.parameters ?? []).includes("Idempotency-Key");
      expect([keyOf("post", "/api/articles"), keyOf("get", "/api/articles")]).to.deep.equal([true, false]);
    });

    it("holds for updates, draft actions and deletions, and in the older format too", async () => {
      const { documentId } = (await create(undefined, "all")).body.data;
      const path = `/api/articles/${documentId}`;
      const put = { body: { data: { title: "put" } }, headers: { "Idempotency-Key": "k2" } };
      const [one, two] = [await ask("PUT", path, put), await ask("PUT", path, put)];
      expect(two.body).to.deep.equal(one.body);
      const wrapped = { headers: { "Idempotency-Key": "k3", "Strapi-Response-Format": "v4" } };
      const [three, four] = [await create("k3", "v4", wrapped), await create("k3", "v4", wrapped)];
      expect(four.body).to.deep.equal(three.body);
      expect(four.body.data.attributes.title).to.equal("v4");
      const publish = { headers: { "Idempotency-Key": "k4" } };
      const published = await ask("POST", `${path}/actions/publish`, publish);
      expect((await ask("POST", `${path}/actions/publish`, publish)).body).to.deep.equal(published.body);
      const gone = { headers: { "Idempotency-Key": "k5" } };
      expect([(await ask("DELETE", path, gone)).status, (await ask("DELETE", path, gone)).status]).to.deep.equal([
        204, 204,
      ]);
    });

    it("with another request is a 422, and with another caller a key of its own", async () => {
      await create("k7", "mine");
      const other = await create("k7", "other");
      expect(other.status).to.equal(422);
      expect(other.body.error.message).to.include("with another method, URL or body");
      expect((await create("k7", "mine", { token: "ada/1/x" })).status).to.equal(201);
      expect(await count("mine")).to.equal(2);
    });

    it("of a request that failed is free, and a wrong one a 400", async () => {
      expect(
        (await ask("POST", "/api/articles", { body: { data: { views: "x" } }, headers: { "Idempotency-Key": "k8" } }))
          .status,
      ).to.equal(400);
      expect((await create("k8", "again")).status).to.equal(201);
      expect((await create("with space", "x")).status).to.equal(400);
      expect((await create("x".repeat(256), "x")).status).to.equal(400);
    });

    it("sent by many at once has one of them write, and the others wait for its answer", async () => {
      pause = 50;
      const answers = await Promise.all(Array.from({ length: 6 }, () => create("k9", "many")));
      pause = 0;
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(201));
      expect(new Set(answers.map(({ body }) => body.data.documentId)).size).to.equal(1);
      expect(await count("many")).to.equal(1);
    });

    it("is forgotten after 24 hours", async () => {
      await create("k10", "day");
      const { db } = app().plinth.app;
      await db.query({
        text: "update plinth_idempotency set at = at - interval '25 hours' where key = 'k10'",
        values: [],
      });
      expect((await create("k10", "day")).headers.get("idempotency-replayed")).to.equal(null);
      expect(await count("day")).to.equal(2);
    });

    it("is nothing where no header is sent, and the token is another's", async () => {
      expect((await create(undefined, "plain", { token: tokens.full })).status).to.equal(201);
    });
  });

  eitherDatabase("postgres", (database) => {
    if (database.kind !== "postgres") return;
    const small = { ...database, config: () => ({ ...database.config(), pool: { max: 2, acquireTimeout: 500 } }) };
    const gate = withResolvers<void>();
    const begun = withResolvers<void>();
    const slow = definePlugin({
      name: "slow",
      register: ({ on }) =>
        on(writeHooks.create.before, () => {
          begun.resolve();
          return gate.promise;
        }),
    });
    const app = serveCorpusTypes(small, { rest: { idempotency: true }, plugins: [slow] });
    const other = serveCorpusTypes(database, { rest: { idempotency: true } });
    const create = (to = app) => {
      const headers = { "Idempotency-Key": "k" };
      return to().request("POST", "/api/articles", { body: { data: { title: "slow" } }, headers });
    };

    it("of a request that is being answered has ten others wait without a connection, so that readers have one", async () => {
      const posts = Array.from({ length: 40 }, () => create());
      const refused: CorpusAnswer[] = [];
      for (const post of posts) void post.then((answer) => answer.status === 409 && refused.push(answer));
      await begun.promise;
      const reads = Array.from({ length: 20 }, (_, n) =>
        app().request("GET", `/api/articles?pagination[page]=${n + 1}`),
      );
      expect((await Promise.all(reads)).map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
      await eventually(async () => expect(refused).to.have.length(29));

      const elsewhere = await create(other);
      for (const { status, headers, body } of [...refused, elsewhere]) {
        expect([status, headers.get("retry-after")]).to.deep.equal([409, "1"]);
        expect(body.error.code).to.equal("PLINTH_REST_KEY_IN_USE");
      }

      gate.resolve();
      const answers = (await Promise.all(posts)).filter(({ status }) => status !== 409);
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(11).fill(201));
      expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).to.have.length(10);
      const again = [await create(), await create(other)];
      expect(new Set([...answers, ...again].map(({ body }) => body.data.documentId)).size).to.equal(1);
      const { body } = await app().request("GET", "/api/articles?status=draft");
      expect(body.meta.pagination.total).to.equal(1);
    });
  });

  eitherDatabase("postgres", (database) => {
    const app = serveCorpusTypes(database);

    it("is ignored where it is not turned on, and there is no table", async () => {
      const twice = { body: { data: { title: "off" } }, headers: { "Idempotency-Key": "k" } };
      const [one, two] = [
        await app().request("POST", "/api/articles", twice),
        await app().request("POST", "/api/articles", twice),
      ];
      expect(one.body.data.documentId).not.to.equal(two.body.data.documentId);
      const [row] = await app().plinth.app.db.query<{ name: string | null }>({
        text: "select to_regclass('plinth_idempotency')::text as name",
        values: [],
      });
      expect(row?.name).to.equal(null);
    });
  });
});
