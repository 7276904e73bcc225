import { defineApp, transformOutput } from "@plinth/core";
import { expect } from "chai";
import { graphqlExtension } from "@plinth/plugin-graphql";
import { eitherDatabase, type TestDatabase } from "../../../databases.js";
import { type ServedGraphql, serveGraphql } from "../serve-graphql.js";

const hiding = defineApp({
  register({ extension }) {
    extension(graphqlExtension).shadowCRUD("api::article.article").field("views").disableFilters();
  },
});

const loud = defineApp({
  register({ on }) {
    on(transformOutput("api::article.article"), (article) => ({ ...article, title: `${article["title"]}!` }));
  },
});

const QUERY = '{ articles(sort: "title") { name: title title: slug categories_connection { nodes { name } } } }';

/** Sends a query; tells the body, and what the database gave for it. */
async function watch(app: ServedGraphql, query: string) {
  const { db } = app.plinth.app;
  const written: string[] = [];
  const inner = db.query.bind(db);
  db.query = async (statement) => {
    const rows = await inner<Record<string, unknown>>(statement);
    if (!statement.isUpkeep) written.push(String(rows[0]?.["data"]));
    // The rows of a statement have the form that its sender expects.
    return rows as never[];
  };
  const { body } = await app.request("POST", "/graphql", { body: { query } });
  db.query = inner;
  return { data: body.data, errors: body.errors, written };
}

function defineSuite(title: string, define: (database: TestDatabase) => void) {
  describe(title, () => eitherDatabase(import.meta.url, define));
}

async function writeArticles(app: ServedGraphql) {
  for (const title of ["Aa", "Bb"]) {
    const { errors } = await app.send(
      `mutation { createArticle(data: { title: "${title}", slug: "s-${title}" }) { title } }`,
    );
    expect(errors).to.equal(undefined);
  }
}

defineSuite("A query of generated fields", (database) => {
  const app = serveGraphql(database, { app: hiding });
  before("write the content", () => writeArticles(app()));

  it("is answered with what PostgreSQL wrote, also where an extension hides something", async () => {
    const { data, written } = await watch(app(), QUERY);
    expect(written.map((text) => JSON.parse(text))).to.deep.equal([data.articles]);
    expect(data.articles[0]).to.deep.equal({ name: "Aa", title: "s-Aa", categories_connection: { nodes: [] } });
  });

  it("whose statement fails is answered with the error at its place, and not asked a second time", async () => {
    const { db } = app().plinth.app;
    const rename = (from: string, to: string) =>
      db.query({ text: `alter table categories rename column ${from} to ${to}`, values: [] });
    await rename("name", "gone");
    const failed = await app()
      .send("{ categories { name } articles { title } }")
      .finally(() => rename("gone", "name"));
    expect(failed.statements).to.be.at.most(3);
    expect(failed.data).to.equal(null);
    expect(failed.errors?.map(({ path }) => path)).to.deep.equal([["categories"]]);
  });

  it("cannot be sorted by what is hidden", async () => {
    const { data, errors } = await app().send('{ articles(sort: "views") { title } }');
    expect(data).to.equal(null);
    expect(errors?.[0]?.extensions.code).to.equal("BAD_USER_INPUT");
    const nested = await app().send('{ categories { articles(sort: "views") { title } } }');
    expect(nested.errors).to.have.length(1);
  });
});

defineSuite("A query of what a hook on the output looks at", (database) => {
  const app = serveGraphql(database, { app: loud });
  before("write the content", () => writeArticles(app()));

  it("hands the hook documents by the names of the schema, whatever the aliases, and answers what it returns", async () => {
    const { data } = await watch(app(), QUERY);
    expect(data.articles.map(({ name, title }: Record<string, string>) => [name, title])).to.deep.equal([
      ["Aa!", "s-Aa"],
      ["Bb!", "s-Bb"],
    ]);
  });
});
