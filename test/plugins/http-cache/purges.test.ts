import type { Plugin, RawContentType } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { httpCachePlugin } from "@plinth/plugin-http-cache";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { catchWebhooks, createTestApp, type TestApp, type WebhookCatcher } from "@plinth/test-kit";
import { expect } from "chai";
import { parseConfig, type PurgeConfig } from "#plugins/http-cache/src/config.js";
import { PublicRights } from "#plugins/http-cache/src/purge/public-rights.js";
import { sendPurge } from "#plugins/http-cache/src/purge/send-purge.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { readCorpusSchemas } from "../../core/schema/corpus-model.js";
import { eitherDatabase, serverDatabase, type TestDatabase } from "../../databases.js";

const ARTICLE = "api::article.article";
const CATEGORY = "api::category.category";
/** The type, with one of its attributes private. */
function withPrivate(type: RawContentType, name: string): RawContentType {
  const attributes = Object.entries(type.attributes ?? {}).map(([key, attribute]) => [
    key,
    key === name ? { ...attribute, private: true } : attribute,
  ]);
  return { ...type, attributes: Object.fromEntries(attributes) };
}

/** Milliseconds for a statement: what is told again when reads have ended comes when tests of something else are over. */
const LONG = 30_000;

describe("A cache that is told what to forget", () => {
  let cache: WebhookCatcher;
  before("listen", async () => {
    cache = await catchWebhooks();
  });
  after("stop listening", () => cache?.stop());
  beforeEach(() => cache.clear());

  describe("by each driver", () => {
    const purge = async (config: object, tags: readonly string[]) => {
      const parsed = parseConfig({ purge: config }).purge as PurgeConfig;
      await sendPurge(parsed, tags);
      return cache.all;
    };

    it("is Fastly: softly, so that what is old may be shown while it asks", async () => {
      const config = { driver: "fastly", serviceId: "SU1Z", token: "a-token", endpoint: cache.url };
      const [asked] = await purge(config, ["t:categories", "d:abc"]);
      expect([asked?.method, asked?.path]).to.deep.equal(["POST", "/service/SU1Z/purge"]);
      expect(asked?.headers).to.include({ "fastly-key": "a-token", "fastly-soft-purge": "1" });
      expect(asked?.headers["surrogate-key"]).to.equal("t:categories d:abc");
    });

    it("is Cloudflare, which takes thirty tags at once", async () => {
      const config = { driver: "cloudflare", zoneId: "023e", token: "a-token", endpoint: cache.url };
      const tags = Array.from({ length: 70 }, (_, n) => `d:${n}`);
      const asked = await purge(config, tags);
      expect(asked.map(({ method, path }) => [method, path])).to.deep.equal(
        Array.from({ length: 3 }, () => ["POST", "/zones/023e/purge_cache"]),
      );
      expect(asked[0]?.headers["authorization"]).to.equal("Bearer a-token");
      expect(asked.map(({ body }) => body.tags.length)).to.deep.equal([30, 30, 10]);
      expect(asked.flatMap(({ body }) => body.tags)).to.deep.equal(tags);
    });

    it("is Varnish, each one of them", async () => {
      const asked = await purge({ driver: "varnish", urls: [`${cache.url}/one`, `${cache.url}/two`] }, ["t:a", "d:b"]);
      expect(asked.map(({ method, path, headers }) => [method, path, headers["xkey-purge"]])).to.deep.equal(
        ["/one", "/two"].map((path) => ["PURGE", path, "t:a d:b"]),
      );
    });

    it("is a webhook of one's own", async () => {
      const [asked] = await purge({ driver: "webhook", url: cache.url, token: "a-token" }, ["t:a"]);
      expect([asked?.method, asked?.headers["authorization"], asked?.body]).to.deep.equal([
        ...["POST", "Bearer a-token", { tags: ["t:a"] }],
      ]);
    });

    it("fails where it refuses, or is not there, without a word of the token", async () => {
      cache.failTimes(1, { status: 403 });
      const config = { driver: "webhook", url: cache.url, token: "a-token" };
      const codes = [];
      for (const each of [config, { ...config, url: "http://127.0.0.1:1/" }]) {
        const failure = await purge(each, ["t:a"]).then(
          () => expect.fail("it did not fail"),
          (error: Error & { readonly code: string }) => error,
        );
        codes.push(failure.code);
        expect(failure.message).to.not.include("a-token");
      }
      expect(codes).to.deep.equal(["PLINTH_HTTP_CACHE_PURGE_FAILED", "PLINTH_HTTP_CACHE_PURGE_FAILED"]);
    });

    it("is not followed elsewhere, where the token would go with it", async () => {
      cache.failTimes(1, { status: 307, headers: { location: `${cache.url}/elsewhere` } });
      const failure = await purge({ driver: "webhook", url: cache.url, token: "a-token" }, ["t:a"]).catch(String);
      expect(failure).to.include("did not forget");
      expect(cache.all).to.have.length(1);
    });

    it("has a driver that there is, with all that it takes", () => {
      for (const config of [{ driver: "akamai" }, { driver: "fastly", token: "x" }, { driver: "varnish", urls: [] }])
        expect(() => parseConfig({ purge: config }))
          .to.throw()
          .with.property("code", "PLINTH_HTTP_CACHE_CONFIG_INVALID");
    });
  });

  const start = (
    database: TestDatabase,
    plugins: readonly Plugin[],
    { openDrafts = false, statementTimeout = LONG, hidden = "" } = {},
  ) => {
    const { contentTypes: given, components } = readCorpusSchemas();
    const contentTypes = given.map((type) => (type.uid === CATEGORY ? withPrivate(type, hidden) : type));
    return createTestApp({
      plugins: [contentApiPlugin, ...plugins, httpCachePlugin],
      database: { ...database.config(), statementTimeout },
      app: {
        contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, type])),
        components: Object.fromEntries(components.map((component) => [component.uid, component])),
      },
      config: {
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
        access: { public: "read" },
        api: { rest: { openDrafts } },
      },
      pluginConfigs: {
        "http-cache": { purge: { driver: "webhook", url: cache.url } },
        ...(plugins.includes(usersPermissionsPlugin) ? { "users-permissions": { jwtSecret: "s".repeat(40) } } : {}),
      },
    });
  };
  const told = (): readonly string[] => cache.all.flatMap(({ body }) => body.tags);
  const untilTold = (...tags: readonly string[]) =>
    eventually(async () => expect(told()).to.include.members([...tags]), 30_000);

  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await start(database, [eventsPlugin]);
    });
    after("stop it", () => test?.stop());
    const write = (uid: string, data: object, status: "draft" | "published" = "published") =>
      test.app.documents(uid).create({ data, status } as never);

    it("hears of many changes at once, by their types and documents", async () => {
      const ids: string[] = [];
      for (const name of ["Aa", "Bb", "Cc"]) ids.push((await write(CATEGORY, { name })).documentId);
      await untilTold("t:categories", ...ids.map((id) => `d:${id}`));
      expect(cache.all.length).to.be.lessThan(3);
    });

    it("hears of very many by their types alone", async () => {
      await test.app.db.transaction(async () => {
        const service = test.app.service(events);
        for (let n = 0; n < 150; n += 1) await service.publish("import.ended", { uid: CATEGORY, documentId: `n${n}` });
      });
      await untilTold("t:categories");
      expect(told()).to.deep.equal(["t:categories"]);
    });

    it("hears nothing of drafts that the public does not read, nor of what is no document", async () => {
      const { documentId } = await write(ARTICLE, { title: "A draft" }, "draft");
      await test.app.service(events).publish("shop.opened");
      await write(CATEGORY, { name: "Dd" });
      await untilTold("t:categories");
      expect(told()).to.not.include.members(["t:articles"]);
      await test.app.documents(ARTICLE).publish({ documentId });
      await untilTold("t:articles", `d:${documentId}`);
      cache.clear();
      await test.app.documents(ARTICLE).delete({ documentId });
      await untilTold("t:articles", `d:${documentId}`);
    });

    it("hears of an update that changes what is published, although nobody published it", async () => {
      const { documentId } = await write(ARTICLE, { title: "Public" });
      await untilTold("t:articles", `d:${documentId}`);
      cache.clear();
      await test.app.documents(ARTICLE as string).update({ documentId, data: { title: "New" }, alsoPublished: true });
      await untilTold("t:articles", `d:${documentId}`);
    });

    it("is told again until it takes it", async () => {
      cache.failTimes(1);
      await write(CATEGORY, { name: "Ee" });
      await eventually(async () => expect(cache.all.length).to.be.at.least(2), 30_000);
      expect(cache.all[1]?.body).to.deep.equal(cache.all[0]?.body);
    });
  });

  eitherDatabase(import.meta.url, (database) => {
    it("is told again when reads have ended that saw what was before: their answers may have come after the purge", async () => {
      const test = await start(database, [eventsPlugin], { statementTimeout: 2_000 });
      try {
        const { documentId } = await test.app.documents(CATEGORY as string).create({ data: { name: "Aa" } });
        const written = performance.now();
        await untilTold("t:categories", `d:${documentId}`);
        cache.clear();
        await untilTold("t:categories", `d:${documentId}`);
        expect(performance.now() - written).to.be.greaterThan(2_000);
      } finally {
        await test.stop();
      }
    });
  });

  const server = serverDatabase();
  if (server)
    it("is told again by another process where the first one has ended meanwhile", async () => {
      const first = await start(server, [eventsPlugin]);
      let second: TestApp | undefined;
      try {
        const { documentId } = await first.app.documents(CATEGORY as string).create({ data: { name: "Aa" } });
        await untilTold("t:categories", `d:${documentId}`);
        await first.stop();
        cache.clear();
        second = await start(server, [eventsPlugin], { statementTimeout: 2_000 });
        await untilTold("t:categories", `d:${documentId}`);
      } finally {
        await first.stop();
        await second?.stop();
      }
    });

  if (server)
    it("forgets everything where an attribute has become private by a deploy, and nothing by a deploy without a change", async () => {
      const deploy = async (hidden: string, look: () => Promise<unknown>) => {
        const test = await start(server, [eventsPlugin], { hidden });
        try {
          await new PublicRights(test.app).look();
          await test.app.documents(CATEGORY as string).create({ data: { name: "Aa" } });
          await look();
        } finally {
          await test.stop();
        }
      };
      await deploy("", () => untilTold("t:categories"));
      cache.clear();
      await deploy("", async () => {
        await untilTold("t:categories");
        expect(told()).to.not.include("t:articles");
      });
      cache.clear();
      await deploy("name", () => untilTold("t:articles", "t:categories"));
    });

  eitherDatabase(import.meta.url, (database) => {
    it("forgets everything where the public may read something else, and nothing while that stays as it is", async () => {
      const test = await start(database, [usersPermissionsPlugin, eventsPlugin]);
      try {
        await new PublicRights(test.app).look();
        const role = await test.app
          .documents("plugin::users-permissions.role")
          .findFirst({ filters: { type: "public" } });
        const permissions = test.app.documents("plugin::users-permissions.permission");
        await permissions.create({ data: { action: `${CATEGORY}.delete`, role: role?.id } } as never);
        await new PublicRights(test.app).look();
        await untilTold("t:articles", "t:categories");
        cache.clear();
        await new PublicRights(test.app).look();
        await test.app.documents(CATEGORY as string).create({ data: { name: "Aa" } });
        await untilTold("t:categories");
        expect(told()).to.not.include("t:articles");
      } finally {
        await test.stop();
      }
    });
  });

  eitherDatabase(import.meta.url, (database) => {
    it("hears of drafts where everybody may read them", async () => {
      const open = await start(database, [eventsPlugin], { openDrafts: true });
      await open.app.documents(ARTICLE).create({ data: { title: "A draft" }, status: "draft" } as never);
      await untilTold("t:articles");
      await open.stop();
    });

    it("needs the plugin events", async () => {
      const failure = await start(database, []).catch((error: unknown) => error);
      expect((failure as Error).cause).to.include({ code: "PLINTH_HTTP_CACHE_CONFIG_INVALID" });
    });
  });
});
