import { createHash } from "node:crypto";
import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

const QUERY = '{ categories(sort: "name") { name } categories_connection { pageInfo { total } } }';
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

eitherDatabase(import.meta.url, (database) => {
  describe("Persisted queries by GET", () => {
    const app = serveGraphql(database);
    const get = async (
      query: string,
      { known = "", token = "", text }: { known?: string; token?: string; text?: string } = {},
    ) => {
      const persisted = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(query) } });
      const search = new URLSearchParams({ extensions: persisted, ...(text ? { query: text } : {}) });
      const headers = {
        "apollo-require-preflight": "true",
        ...(known ? { "if-none-match": known } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      };
      const { db } = app().plinth.app;
      const before = db.statementCount;
      const answer = await fetch(`${app().url}/graphql?${search}`, { headers });
      const body = await answer.text();
      const { status, headers: received } = answer;
      const control = received.get("cache-control");
      return { status, body, control, tag: received.get("etag") ?? "", statements: db.statementCount - before };
    };
    const write = (name: string) => app().request("POST", "/api/categories", { body: { data: { name } } });
    before("write content, and send the query", async () => {
      await write("Aa");
      expect((await get(QUERY, { text: QUERY })).status).to.equal(200);
    });

    it("have a tag, and cost one statement a field for those who have the answer", async () => {
      const { status, body, tag, control } = await get(QUERY);
      expect([status, control]).to.deep.equal([200, "private, no-cache"]);
      expect(JSON.parse(body).data.categories).to.deep.equal([{ name: "Aa" }]);
      expect((await get(QUERY, { known: tag })).status).to.equal(304);
      const again = await get(QUERY, { known: tag });
      expect([again.status, again.body, again.tag, again.control]).to.deep.equal([304, "", tag, control]);
      // One for each field; the app may send one of its own meanwhile.
      expect(again.statements).to.be.at.most(3);
    });

    it("are answered again when something was written", async () => {
      const { tag } = await get(QUERY);
      await get(QUERY, { known: tag });
      await write("Bb");
      const after = await get(QUERY, { known: tag });
      expect(after.status).to.equal(200);
      expect(JSON.parse(after.body).data.categories_connection.pageInfo.total).to.equal(2);
    });

    it("have no tag where they fail, and answer each caller alone", async () => {
      const failing = '{ categories(sort: "nothing") { name } }';
      const { body, tag } = await get(failing, { text: failing });
      expect(JSON.parse(body).errors).to.have.length(1);
      expect(tag).to.equal("");
      const known = (await get(QUERY)).tag;
      await get(QUERY, { known });
      const other = await get(QUERY, { known, token: "nobody" });
      expect(other.status).to.equal(401);
    });
  });
});
