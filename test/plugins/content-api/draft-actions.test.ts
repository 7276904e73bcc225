import { expect } from "chai";
import { createCoreController, createCoreRouter } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";

const uid = "api::article.article";
const users = {
  reader: "read" as const,
  /** May change every article, and publish none. */
  writer: [`${uid}.find`, `${uid}.findOne`, `${uid}.update`],
  publisher: [`${uid}.findOne`, `${uid}.publish`],
  /** Whatever is done with articles. */
  editor: ["api::article.*"],
  /** Publishes what may be changed. */
  limited: [`${uid}.findOne`, `${uid}.publish`, { action: `${uid}.update`, where: { title: { $startsWith: "Mine" } } }],
};

describe("Publishing over HTTP", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { users });
    let path: string;

    const ask = (method: string, url: string, options?: CorpusRequest) => app().request(method, url, options);
    const act = (action: string, query = "", token?: string) =>
      ask("POST", `${path}/actions/${action}${query}`, token === undefined ? {} : { token });
    const write = (locale: string, data: object) =>
      ask("PUT", `${path}?status=draft&locale=${locale}`, { body: { data } });
    const shown = async (query: string) => (await ask("GET", `${path}?${query}`)).body.data?.title;
    beforeEach("write a draft", async () => {
      const { body } = await ask("POST", "/api/articles?status=draft", { body: { data: { title: "Draft" } } });
      path = `/api/articles/${body.data.documentId}`;
    });

    it("publishes the draft and answers with the published version", async () => {
      const { status, body, headers } = await act("publish", "?fields=title&populate=categories");
      expect(status).to.equal(200);
      expect(Object.keys(body.data)).to.have.members(["id", "documentId", "title", "categories"]);
      expect(headers.get("etag")).to.match(/^"[0-9a-f]{16}-[0-9a-f]{32}"$/);
      expect(await shown("status=published")).to.equal("Draft");
    });

    it("unpublishes, and answers with the draft", async () => {
      await act("publish");
      const { body } = await act("unpublish");
      expect(body.data).to.include({ title: "Draft", publishedAt: null });
      expect(await shown("status=published")).to.equal(undefined);
      expect((await act("unpublish")).body.data.title).to.equal("Draft");
    });

    it("discards what changed since publishing", async () => {
      await act("publish");
      await write("en", { title: "Changed" });
      expect((await act("discard-draft")).body.data).to.include({ title: "Draft", publishedAt: null });
      expect(await shown("status=draft")).to.equal("Draft");
    });

    it("works on one locale, a list of them or all", async () => {
      await write("fr", { title: "Brouillon" });
      const titles = ({ body }: { body: { data: { title: string }[] } }) => body.data.map(({ title }) => title);
      expect((await act("publish", "?locale=fr")).body.data).to.include({ title: "Brouillon", locale: "fr" });
      expect(await shown("locale=en")).to.equal(undefined);
      expect(titles(await act("publish", "?locale=en&locale=fr"))).to.deep.equal(["Draft", "Brouillon"]);
      const all = await act("unpublish", "?locale=*&fields=title");
      expect(titles(all)).to.deep.equal(["Draft", "Brouillon"]);
      expect(all.headers.get("etag")).to.equal(null);
      expect(await shown("locale=fr")).to.equal(undefined);
    });

    it("an unknown locale, a wrong field and a wrong relation are refused before anything happens", async () => {
      for (const query of ["?locale=xx", "?locale=en&locale=xx", "?fields=nothing", "?populate=nothing"])
        expect((await act("publish", query)).status, query).to.equal(400);
      expect(await shown("status=published")).to.equal(undefined);
    });

    it("an unknown document, and a locale that it does not have, are not found", async () => {
      expect((await act("publish", "?locale=fr")).status).to.equal(404);
      for (const action of ["publish", "unpublish", "discard-draft"])
        expect((await ask("POST", `/api/articles/${"a".repeat(24)}/actions/${action}`)).status).to.equal(404);
    });

    it("says all that keeps a draft from being published at once", async () => {
      await write("en", { title: null, links: [{}], seo: {} });
      const { status, body } = await act("publish");
      expect(status).to.equal(400);
      expect(body.error.details.errors.length).to.be.greaterThan(1);
      expect(await shown("status=published")).to.equal(undefined);
    });

    it("is open to those alone who were granted it", async () => {
      const asked = await Promise.all(
        ["reader", "writer", "publisher", "editor", ""].map(async (token) => (await act("publish", "", token)).status),
      );
      expect(asked).to.deep.equal([403, 403, 200, 200, 403]);
      expect((await act("unpublish", "", "publisher")).status).to.equal(403);
      expect((await act("discard-draft", "", "editor")).status).to.equal(200);
    });

    it("a rule on changing documents holds for publishing them", async () => {
      expect((await act("publish", "", "limited")).status).to.equal(404);
      expect(await shown("status=published")).to.equal(undefined);
      await write("en", { title: "Mine" });
      expect((await act("publish", "", "limited")).status).to.equal(200);
    });

    it("a single type has the same actions below its own path", async () => {
      expect((await ask("POST", "/api/homepage/actions/publish")).status).to.equal(404);
      await ask("PUT", "/api/homepage?status=draft", { body: { data: { heading: "Home" } } });
      const { status, body } = await ask("POST", "/api/homepage/actions/publish");
      expect({ status, heading: body.data.heading }).to.deep.equal({ status: 200, heading: "Home" });
      await ask("DELETE", "/api/homepage");
    });

    it("types without drafts have none, and the paths of before allow what they allowed", async () => {
      expect((await ask("POST", "/api/global/actions/publish")).status).to.equal(404);
      expect((await ask("POST", path)).headers.get("allow")).to.equal("HEAD, GET, PUT, DELETE");
    });
  });
});

describe("Core routers and controllers of types with drafts", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, {
      app: {
        routes: {
          article: createCoreRouter(uid, { except: ["unpublish"], config: { discardDraft: { auth: false } } }),
        },
        controllers: {
          [uid]: createCoreController(uid, () => ({
            async publish(ctx) {
              const answer = await super.publish(ctx);
              answer.meta.by = "us";
              return answer;
            },
          })),
        },
      } as never,
    });

    it("leave actions out, configure and extend them", async () => {
      const { body } = await app().request("POST", "/api/articles", { body: { data: { title: "One" } } });
      const path = `/api/articles/${body.data.documentId}/actions`;
      expect((await app().request("POST", `${path}/publish`)).body.meta).to.deep.equal({ by: "us" });
      expect((await app().request("POST", `${path}/unpublish`)).status).to.equal(404);
      expect((await app().request("POST", `${path}/discard-draft`, { token: "" })).status).to.not.equal(403);
    });
  });
});
