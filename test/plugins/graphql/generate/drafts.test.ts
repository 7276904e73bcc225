import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

eitherDatabase(import.meta.url, (database) => {
  describe("A draft that is not complete", () => {
    const app = serveGraphql(database);

    it("is read over GraphQL with nulls for what it lacks, in its components too", async () => {
      const draft = '(data: { summary: "s", links: [{ url: "u" }] }, status: DRAFT)';
      const made = await app().send(`mutation { createArticle${draft} { title summary links { label url } } }`);
      const expected = { title: null, summary: "s", links: [{ label: null, url: "u" }] };
      expect([made.errors, made.data]).to.deep.equal([undefined, { createArticle: expected }]);
      const read = await app().send("{ articles(status: DRAFT) { title summary links { label url } } }");
      expect([read.errors, read.data]).to.deep.equal([undefined, { articles: [expected] }]);
    });
  });

  describe("A mutation that deletes", () => {
    const app = serveGraphql(database);

    it("answers with the document, which can be selected by the name of the reference's answer, too", async () => {
      const { data } = await app().send('mutation { createCategory(data: { name: "Seas" }) { documentId } }');
      const { documentId } = data.createCategory;
      const remove = `mutation { deleteCategory(documentId: "${documentId}") { name ... on DeleteMutationResponse { documentId } } }`;
      expect((await app().send(remove)).data).to.deep.equal({ deleteCategory: { name: "Seas", documentId } });
      expect((await app().send(remove)).errors).to.have.length(1);
    });
  });
});
