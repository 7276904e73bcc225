// Writes of clients that change nothing: a small request cannot make the database write a large document again.
import { eventsPlugin } from "@plinth/plugin-events";
import { historyPlugin } from "@plinth/plugin-history";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveGraphql } from "../graphql/serve-graphql.js";

describe("A write that changes nothing", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { plugins: [historyPlugin, eventsPlugin] });
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

    it("leaves the version that others know of the document", async () => {
      const tag = (await app().request("GET", path)).headers.get("etag") ?? "";
      expect((await put({}, "", { "If-Match": tag })).headers.get("etag")).to.equal(tag);
      const changed = await put({ title: "Longer" }, "", { "If-Match": tag });
      expect(changed.status).to.equal(200);
      expect(changed.headers.get("etag")).to.not.equal(tag);
      expect((await put({}, "", { "If-Match": tag })).status).to.equal(412);
    });

    it("is one change where one of two equal requests at the same time comes first", async () => {
      const versions = (await stored())[1]?.length ?? 0;
      const answers = await Promise.all(["", "", "", ""].map(() => put({ summary: "Short" })));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.data.updatedAt)).size).to.equal(1);
      expect((await stored())[1]).to.have.length(versions + 1);
    });
  });
});
