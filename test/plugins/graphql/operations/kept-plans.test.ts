import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

const article = (action: string) => `api::article.article.${action}`;

const users = {
  author: [{ action: article("find"), where: { author: { id: "{{user.id}}" } } }],
  titles: [{ action: article("find"), fields: ["title"] }],
  morphs: ["api::box.box.*", "api::category.category.*"],
};

const box = {
  kind: "collectionType",
  info: { singularName: "box", pluralName: "boxes", displayName: "Box" },
  attributes: {
    label: { type: "string" },
    things: { type: "relation", relation: "morphToMany" },
    thing: { type: "relation", relation: "morphToOne" },
  },
} as const;

describe("The same query, asked again", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { users });
    const people: { id: number; documentId: string }[] = [];
    before("write the content", async () => {
      for (const name of ["Ada", "Bob"]) {
        const { data } = (await app().request("POST", "/api/authors", { body: { data: { name } } })).body;
        people.push(data);
        const body = { data: { title: `By ${name}`, summary: "s", author: data.documentId } };
        await app().request("POST", "/api/articles", { body });
      }
    });

    it("shows every actor what their own rule reaches, whoever asked before", async () => {
      const query = '{ articles(sort: "title") { title } }';
      const titles = async (token?: string) =>
        (await app().send(query, token === undefined ? {} : { token })).data.articles.map(
          ({ title }: { title: string }) => title,
        );
      for (let round = 0; round < 2; round += 1) {
        expect(await titles()).to.deep.equal(["By Ada", "By Bob"]);
        for (const [index, { id, documentId }] of people.entries())
          expect(await titles(`author/${id}/${documentId}`)).to.deep.equal([["By Ada", "By Bob"][index]]);
        expect(await titles("author")).to.deep.equal([]);
      }
    });

    it("refuses fields to those who may not see them, whoever asked before", async () => {
      const send = (token?: string) => app().send("{ articles { summary } }", token === undefined ? {} : { token });
      for (let round = 0; round < 2; round += 1) {
        expect((await send()).errors).to.equal(undefined);
        const { data, errors } = await send("titles");
        expect(data.articles[0]).to.deep.equal({ summary: null });
        expect(errors).to.have.length(2);
      }
    });

    it("takes other variables, other operations of one document, and shows what was written in between", async () => {
      const query = `query One($title: String) { articles(filters: { title: { eq: $title } }) { title } }
        query Two { articles(sort: "title") { title } }`;
      const ask = async (operationName: string, title?: string) =>
        (await app().request("POST", "/graphql", { body: { query, operationName, variables: { title } } })).body.data
          .articles;
      expect(await ask("One", "By Ada")).to.deep.equal([{ title: "By Ada" }]);
      expect(await ask("One", "By Bob")).to.deep.equal([{ title: "By Bob" }]);
      expect(await ask("Two")).to.have.length(2);
      await app().request("POST", "/api/articles", { body: { data: { title: "New" } } });
      expect(await ask("Two")).to.have.length(3);
      expect(await ask("One", "New")).to.deep.equal([{ title: "New" }]);
    });

    it("follows the default locale", async () => {
      const { model } = app().plinth.app;
      const { defaultLocale, locales } = model;
      const count = async () => (await app().send("{ articles { title } }")).data.articles.length;
      expect(await count()).to.equal(3);
      model.useLocales({ defaultLocale: "fr", locales });
      expect(await count()).to.equal(0);
      model.useLocales({ defaultLocale, locales });
      expect(await count()).to.equal(3);
    });
  });
});

describe("Relations to documents of any type, by GraphQL", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { users, app: { contentTypes: { "api::box.box": box } } });

    it("show each by its own fields, and leave out what the actor may not find", async () => {
      const make = async (plural: string, name: string) =>
        (await app().request("POST", `/api/${plural}`, { body: { data: { name } } })).body.data.documentId as string;
      const author = { __type: "api::author.author", documentId: await make("authors", "Ada") };
      const category = { __type: "api::category.category", documentId: await make("categories", "Seas") };
      const data = { label: "L", thing: author, things: [author, category] };
      await app().plinth.app.documents("api::box.box").create({ data });
      const query =
        "{ boxes { label thing { __typename } things { __typename ... on Author { name } ... on Category { title: name } } } }";
      const seen = await app().send(query);
      expect(seen.errors).to.equal(undefined);
      expect(seen.data.boxes).to.deep.equal([
        {
          label: "L",
          thing: { __typename: "Author" },
          things: [
            { __typename: "Author", name: "Ada" },
            { __typename: "Category", title: "Seas" },
          ],
        },
      ]);
      const limited = await app().send(query, { token: "morphs" });
      expect(limited.data.boxes[0]).to.deep.equal({
        label: "L",
        thing: null,
        things: [{ __typename: "Category", title: "Seas" }],
      });
    });
  });
});
