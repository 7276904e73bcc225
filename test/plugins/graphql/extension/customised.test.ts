import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { EDITOR, serveCustomised } from "../customised-app.js";

eitherDatabase(import.meta.url, (database) => {
  describe("a customised schema", () => {
    const app = serveCustomised(database);

    before("write content", async () => {
      const { documents } = app().plinth.app;
      const author = await documents("api::author.author").create({ data: { name: "Ada Lovelace" } });
      const article = documents("api::article.article");
      await article.create({ data: { title: "Notes", text: "two words", author: author.documentId, rating: 3 } });
      await article.create({ data: { title: "Longer notes", text: null } });
    });

    const fieldsOf = async (type: string): Promise<readonly string[] | undefined> => {
      const { body } = await app().send(`{ __type(name: "${type}") { fields { name } inputFields { name } } }`);
      const found = body.data.__type;
      return (found?.fields ?? found?.inputFields)?.map(({ name }: { name: string }) => name);
    };

    it("has nothing of a content-type that is disabled, introspection included", async () => {
      expect(await fieldsOf("Audit")).to.equal(undefined);
      expect(await fieldsOf("AuditInput")).to.equal(undefined);
      expect(await fieldsOf("Query")).to.not.include.members(["audit", "audits", "audits_connection"]);
      expect((await app().send("{ audits { name } }", { token: EDITOR })).status).to.equal(400);
    });

    it("leaves out the queries, mutations and actions that are disabled, and keeps the others", async () => {
      const queries = await fieldsOf("Query");
      const mutations = await fieldsOf("Mutation");
      expect(queries).to.include.members(["authors", "author", "drafts"]);
      expect(queries).to.not.include.members(["tags"]);
      expect(queries).to.not.include("tag");
      expect(queries).to.not.include("draft");
      expect(mutations).to.include.members(["createTag", "updateTag", "deleteTag", "createDraft"]);
      for (const gone of ["createAuthor", "updateAuthor", "deleteAuthor", "updateDraft", "deleteDraft"])
        expect(mutations).to.not.include(gone);
    });

    it("leaves out of a type what is disabled of its fields: output, input, filters or all", async () => {
      const [output, input, filters] = await Promise.all(
        ["Article", "ArticleInput", "ArticleFiltersInput"].map((type) => fieldsOf(type)),
      );
      expect(output).to.include.members(["title", "slug", "rating"]).and.not.include("text").and.not.include("note");
      expect(input).to.include.members(["title", "text", "rating"]).and.not.include("slug").and.not.include("note");
      expect(filters).to.include.members(["title", "slug", "text"]).and.not.include("rating").and.not.include("note");
    });

    it("answers new types written in SDL and with nexus", async () => {
      const { body } = await app().send(
        '{ shout(text: "hi") { text length } articleStatistics { count longestTitle } }',
      );
      expect(body).to.deep.equal({
        data: { shout: { text: "HI!", length: 3 }, articleStatistics: { count: 2, longestTitle: "Longer notes" } },
      });
    });

    it("answers a union of SDL, by the type that its resolver names", async () => {
      const { body } = await app().send(
        "{ everything { __typename ... on Author { name } ... on Article { title author { name } } } }",
      );
      expect(body.data.everything).to.deep.equal([
        { __typename: "Author", name: "Ada Lovelace" },
        { __typename: "Article", title: "Longer notes", author: null },
        { __typename: "Article", title: "Notes", author: { name: "A. Lovelace" } },
      ]);
    });

    it("reads what a new field of a type needs, although the client may not ask for it", async () => {
      const { body } = await app().send('{ articles(sort: "title") { words } }');
      expect(body.data).to.deep.equal({ articles: [{ words: 0 }, { words: 2 }] });
    });

    it("goes on below a document that a resolver of the app's own returned", async () => {
      const { body } = await app().send('{ articles(sort: "title") { title twin { title words } } }');
      expect(body.data.articles).to.deep.equal([
        { title: "Longer notes", twin: { title: "Notes", words: 2 } },
        { title: "Notes", twin: { title: "Longer notes", words: 0 } },
      ]);
    });

    it("asks for the scope of a new mutation", async () => {
      const { body } = await app().send('mutation { renameAll(title: "x") }');
      expect(body).to.deep.equal({
        data: null,
        errors: [
          {
            message: "Forbidden access",
            path: ["renameAll"],
            extensions: {
              code: "FORBIDDEN",
              error: { name: "ForbiddenError", message: "Forbidden access", details: {} },
            },
          },
        ],
      });
    });

    it("runs middlewares by name, with options and as functions, in their order", async () => {
      const { headers } = await app().send("{ articles { title } }");
      expect(headers.get("x-trace")).to.equal("named, with options, function");
    });

    it("lets a query pass by a policy with configuration, in place of the generated action the scope that was said", async () => {
      const { documentId } = (await app().plinth.app.documents("api::article.article").findFirst({ sort: "title" }))!;
      const query = `{ article(documentId: "${documentId}") { title } }`;
      const blocked = await app().send(query);
      expect(blocked.body.errors[0]).to.deep.include({
        message: "Policy Failed",
        extensions: { code: "FORBIDDEN", error: { name: "PolicyError", message: "Policy Failed", details: {} } },
      });
      const passed = await app().send(query, { headers: { "x-reader": "me" } });
      expect(passed.body).to.deep.equal({ data: { article: { title: "Longer notes" } } });
    });

    it("opens a query to everybody, and asks its policy by name", async () => {
      expect((await app().send("{ authors { name } }")).body.errors[0].message).to.equal("Policy Failed");
      const { body } = await app().send("{ authors { name } }", { headers: { "x-word": "please" } });
      expect(body.data.authors).to.deep.equal([{ name: "Ada Lovelace" }]);
    });

    it("keeps other queries of an opened content-type closed", async () => {
      const { body } = await app().send("{ authors_connection { nodes { name } } }", {
        headers: { "x-word": "please" },
      });
      expect(body.errors[0].extensions.code).to.equal("FORBIDDEN");
    });

    it("guards a field of a type: opened, with a policy, and a middleware around what was read", async () => {
      const { body } = await app().send('{ articles(sort: "title:desc") { title author { name } } }');
      expect(body).to.deep.equal({
        data: {
          articles: [
            { title: "Notes", author: { name: "A. Lovelace" } },
            { title: "Longer notes", author: null },
          ],
        },
      });
    });

    it("lets a middleware change the arguments of a mutation", async () => {
      const { body } = await app().send('mutation { createArticle(data: { title: "small" }) { title documentId } }', {
        token: EDITOR,
      });
      expect(body.data.createArticle.title).to.equal("Small");
      const { documentId } = body.data.createArticle;
      await app().plinth.app.documents("api::article.article").delete({ documentId });
    });

    it("still asks for the action of a mutation that has policies only", async () => {
      const { body } = await app().send('mutation { createArticle(data: { title: "x" }) { title } }');
      expect(body.errors[0].extensions.code).to.equal("FORBIDDEN");
    });
  });
});
