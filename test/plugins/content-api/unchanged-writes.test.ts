// Writes of clients that change nothing: a small request cannot make the database write a large document again.
import { eventsPlugin } from "@plinth/plugin-events";
import { historyPlugin } from "@plinth/plugin-history";
import { uploadPlugin } from "@plinth/plugin-upload";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveGraphql } from "../graphql/serve-graphql.js";

describe("A write that changes nothing", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { plugins: [historyPlugin, eventsPlugin, uploadPlugin] });
    const text = "A long text. ".repeat(20_000);
    let path: string;
    before("write an article", async () => {
      const data = { title: "Long", body: text, seo: { metaTitle: "Long", metaDescription: "Very long" } };
      const made = await app().request("POST", "/api/articles", { body: { data } });
      expect(made.status).to.equal(201);
      path = `/api/articles/${made.body.data.documentId}`;
    });

    /** What is stored of the article, by the transactions that wrote it. */
    const stored = async () => {
      const tables = ["articles", "plinth_history", "plinth_events_newest"];
      const { db } = app().plinth.app;
      const each = tables.map((name) =>
        db.query({ text: `select xmin::text as written from ${name} order by ctid`, values: [] }),
      );
      return await Promise.all(each);
    };
    const put = (data: object, query = "", headers = {}) =>
      app().request("PUT", `${path}${query}`, { body: { data }, headers });

    it("leaves content, versions and events as they are, over REST and GraphQL", async () => {
      const [before, shown] = [await stored(), await app().request("GET", path)];
      const { documentId, body, ...rest } = shown.body.data;
      const { id, createdAt, updatedAt, publishedAt, locale, ...own } = rest;
      for (const data of [{}, { title: "Long", body: text }, own])
        for (const query of ["", "?status=draft", "?locale=en"]) {
          const { status, body: answer } = await put(data, query);
          expect(status, JSON.stringify(answer).slice(0, 500)).to.equal(200);
          if (query !== "?status=draft") expect(answer.data).to.deep.equal(shown.body.data);
        }
      const mutation =
        'mutation($id: ID!) { updateArticle(documentId: $id, data: { title: "Long" }) { title updatedAt } }';
      const { errors, data } = await app().send(mutation, { variables: { id: documentId } });
      expect([errors, data]).to.deep.equal([undefined, { updateArticle: { title: "Long", updatedAt } }]);
      expect(await stored()).to.deep.equal(before);
    });

    it("may say a value of every kind in its own words", async () => {
      const values: Readonly<Record<string, unknown>> = {
        ...{ slug: "long", content: [{ type: "paragraph", children: [{ type: "text", text: "a" }] }], rating: 4.5 },
        ...{ bigviews: "9007199254740993", score: 0.1, featured: true, kind: "news", contact: "ada@example.com" },
        ...{
          extra: { b: [1, null, { c: "d" }], a: "x" },
          pubDate: "2026-02-03",
          startsAt: "04:05:00.000",
          stamp: 1_700_000_000_000,
        },
        ...{ eventAt: "2026-02-03T05:05:06+01:00", views: 7, summary: null },
      };
      const written = await put(values);
      expect(written.status, JSON.stringify(written.body.error)).to.equal(200);
      const before = await stored();
      for (const [name, value] of Object.entries(values)) {
        expect((await put({ [name]: value })).status).to.equal(200);
        expect(await stored(), name).to.deep.equal(before);
      }
      const { body } = await app().request("GET", path);
      for (const name of Object.keys(values)) expect((await put({ [name]: body.data[name] })).status).to.equal(200);
      expect(await stored()).to.deep.equal(before);
      expect((await put({ extra: { b: [1, null, { c: "e" }], a: "x" } })).status).to.equal(200);
      expect(await stored()).to.not.deep.equal(before);
    });

    it("is one all the same where files that all languages share are not the same in each", async () => {
      const { db, documents } = app().plinth.app;
      const file = (name: string) => ({
        ...{ name, hash: name, ext: ".png", mime: "image/png", size: 1, url: `/${name}.png`, provider: "local" },
      });
      const gallery: number[] = [];
      for (const name of ["one", "two"])
        gallery.push(Number((await documents("plugin::upload.file").create({ data: file(name) })).id));
      expect((await put({ gallery })).status).to.equal(200);
      expect((await put({ title: "Longue" }, "?locale=fr")).status).to.equal(200);
      const french = async () =>
        (await app().request("GET", `${path}?locale=fr&populate=gallery`)).body.data.gallery.map(
          ({ id }: { id: number }) => id,
        );
      expect(await french()).to.deep.equal(gallery);
      expect((await put({ gallery })).status).to.equal(200);
      const before = await stored();
      expect((await put({ gallery })).status).to.equal(200);
      expect(await stored()).to.deep.equal(before);
      const links =
        "delete from articles_links where source in (select id from articles where locale = 'fr' and title = 'Longue')";
      await db.query({ text: links, values: [] });
      expect(await french()).to.deep.equal([]);
      expect((await put({ gallery })).status).to.equal(200);
      expect(await french()).to.deep.equal(gallery);
    });

    it("leaves the version that others know of the document", async () => {
      const tagOf = ({ headers }: { readonly headers: Headers }) => headers.get("etag") ?? "";
      const versionOf = (tag: string) => tag.split("-")[0];
      const tag = tagOf(await app().request("GET", path));
      expect(versionOf(tagOf(await put({}, "", { "If-Match": tag })))).to.equal(versionOf(tag));
      const changed = await put({ title: "Longer" }, "", { "If-Match": tag });
      expect(changed.status).to.equal(200);
      expect(versionOf(tagOf(changed))).to.not.equal(versionOf(tag));
      expect((await put({}, "", { "If-Match": tag })).status).to.equal(412);
    });

    it("is one change where the same request comes four times at once", async () => {
      const versions = (await stored())[1]?.length ?? 0;
      const answers = await Promise.all(["", "", "", ""].map(() => put({ summary: "Short" })));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.data.updatedAt)).size).to.equal(1);
      expect((await stored())[1]).to.have.length(versions + 1);
    });
  });
});
