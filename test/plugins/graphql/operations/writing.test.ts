import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

const article = (action: string) => `api::article.article.${action}`;

const users = {
  /** Changes drafts of articles called Mine, and sees them only. */
  editor: [
    article("find"),
    article("create"),
    ...(["findOne", "update", "delete"] as const).map((action) => ({
      action: article(action),
      where: { title: { $startsWith: "Mine" } },
    })),
  ],
  /** Deletes what it cannot read. */
  cleaner: [article("delete"), { action: article("findOne"), where: { title: "Other" } }],
};

describe("Writing by GraphQL", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { users });
    const create = async (data: object, token?: string) => {
      const { data: made } = await app().send(
        "mutation ($data: ArticleInput!) { createArticle(data: $data) { documentId } }",
        { variables: { data }, ...(token === undefined ? {} : { token }) },
      );
      return made.createArticle.documentId as string;
    };
    const titleOf = async (documentId: string, args = "") =>
      (await app().send(`{ article(documentId: "${documentId}" ${args}) { title } }`)).data.article?.title;

    it("what is created is answered as it was asked for, aliases and nested lists included", async () => {
      const { data, errors } = await app().send(
        `mutation { a: createCategory(data: { name: "Aa" }) { documentId } made: createArticle(
          data: { title: "New", startsAt: "10:00:00", seo: { metaTitle: "M" }, sections: [{ __typename: "ComponentSectionsQuote", text: "Q" }] }
        ) { t: title startsAt locale seo { metaTitle } sections { __typename ... on ComponentSectionsQuote { text } } categories_connection { nodes { name } } } }`,
      );
      expect(errors).to.equal(undefined);
      expect(data.made).to.deep.equal({
        t: "New",
        startsAt: "10:00:00.000",
        locale: "en",
        seo: { metaTitle: "M" },
        sections: [{ __typename: "ComponentSectionsQuote", text: "Q" }],
        categories_connection: { nodes: [] },
      });
    });

    it("a draft is not published, and a locale is written beside the others", async () => {
      const { data } = await app().send(
        'mutation { createArticle(data: { title: "Draft" }, status: DRAFT) { documentId publishedAt } }',
      );
      const { documentId, publishedAt } = data.createArticle;
      expect(publishedAt).to.equal(null);
      expect(await titleOf(documentId)).to.equal(undefined);
      await app().send(
        `mutation { updateArticle(documentId: "${documentId}", data: { title: "Brouillon" }, locale: "fr") { title } }`,
      );
      expect(await titleOf(documentId, 'locale: "fr"')).to.equal("Brouillon");
      expect(await titleOf(documentId, "status: DRAFT")).to.equal("Draft");
    });

    it("deleting answers with the document that was there, and takes the locale that is named", async () => {
      const documentId = await create({ title: "Both" });
      await app().send(
        `mutation { updateArticle(documentId: "${documentId}", data: { title: "Deux" }, locale: "fr") { title } }`,
      );
      const { data } = await app().send(
        `mutation { deleteArticle(documentId: "${documentId}", locale: "fr") { documentId title } }`,
      );
      expect(data.deleteArticle).to.deep.equal({ documentId, title: "Deux" });
      expect(await titleOf(documentId, 'locale: "fr"')).to.equal(undefined);
      expect(await titleOf(documentId)).to.equal("Both");
    });

    it("changing or deleting a document that does not exist is an error", async () => {
      for (const mutation of [
        'updateArticle(documentId: "nope", data: { title: "x" })',
        'deleteArticle(documentId: "nope")',
      ]) {
        const { data, errors } = await app().send(`mutation { made: ${mutation} { documentId } }`);
        expect(data.made, mutation).to.equal(null);
        expect(errors?.[0]?.extensions.code, mutation).to.equal("STRAPI_NOT_FOUND_ERROR");
      }
      expect((await app().send("mutation { deleteHomepage { documentId } }")).errors).to.have.length(1);
    });

    it("a wrong question about the answer changes nothing", async () => {
      const { errors } = await app().send(
        'mutation { createArticle(data: { title: "Unwritten" }) { categories(sort: "nope") { name } } }',
      );
      expect(errors?.[0]?.extensions.code).to.equal("BAD_USER_INPUT");
      const { data } = await app().send(
        '{ articles(status: DRAFT, filters: { title: { eq: "Unwritten" } }) { title } }',
      );
      expect(data.articles).to.deep.equal([]);
    });

    it("a single type is made by its first change, by whichever of two comes first", async () => {
      const change = (name: string) =>
        app().send(`mutation { updateGlobal(data: { siteName: "${name}" }) { documentId siteName } }`);
      const [first, second] = await Promise.all([change("One"), change("Two")]);
      expect(first.errors ?? second.errors).to.equal(undefined);
      expect(first.data.updateGlobal.documentId).to.equal(second.data.updateGlobal.documentId);
      expect((await app().send("mutation { deleteGlobal { siteName } }")).data.deleteGlobal.siteName).to.be.oneOf([
        "One",
        "Two",
      ]);
    });

    it("rules on rows hold for what is changed and deleted", async () => {
      const [mine, theirs] = [await create({ title: "Mine" }), await create({ title: "Theirs" })];
      const send = (mutation: string) =>
        app().send(`mutation { done: ${mutation} { documentId } }`, { token: "editor" });
      const update = (id: string, title: string) =>
        send(`updateArticle(documentId: "${id}", data: { title: "${title}" })`);
      expect((await update(mine, "Mine still")).data.done.documentId).to.equal(mine);
      expect((await update(theirs, "Mine now")).errors?.[0]?.extensions.code).to.equal("STRAPI_NOT_FOUND_ERROR");
      expect((await update(mine, "Not any more")).errors?.[0]?.extensions.code).to.equal("FORBIDDEN");
      expect((await send(`deleteArticle(documentId: "${theirs}")`)).errors).to.have.length(1);
      expect(await titleOf(theirs)).to.equal("Theirs");
      expect(await titleOf(mine)).to.equal("Mine still");
    });

    it("who may delete and not read learns the id", async () => {
      const documentId = await create({ title: "Unread" });
      const remove = (selection: string) =>
        app().send(`mutation { deleteArticle(documentId: "${documentId}") { ${selection} } }`, { token: "cleaner" });
      expect((await remove("documentId")).data.deleteArticle).to.deep.equal({ documentId });
      expect(await titleOf(documentId)).to.equal(undefined);
    });
  });
});
