import { codegen } from "@graphql-codegen/core";
import * as typescript from "@graphql-codegen/typescript";
import * as operations from "@graphql-codegen/typescript-operations";
import { expect } from "chai";
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from "graphql";
import { eitherDatabase } from "../../databases.js";
import { serveGraphql } from "./serve-graphql.js";

const DOCUMENT = `
  query Latest($filters: ArticleFiltersInput) {
    articles(filters: $filters, sort: "publishedAt:desc") { documentId title kind ...Sections }
  }
  fragment Sections on Article {
    sections { __typename ... on ComponentSectionsHero { title } ... on ComponentSectionsQuote { text author { name } } }
  }
  mutation Write($data: ArticleInput!, $status: PublicationStatus) {
    createArticle(data: $data, status: $status) { documentId }
  }
`;

eitherDatabase(import.meta.url, (database) => {
  describe("A code generator for clients", () => {
    const app = serveGraphql(database);

    it("makes types of what the server tells of its schema", async () => {
      const { data } = await app().send(getIntrospectionQuery());
      const schema = parse(printSchema(buildClientSchema(data)));
      const documents = [{ location: "client.graphql", document: parse(DOCUMENT) }];
      const code = await codegen({
        filename: "client.ts",
        schema,
        documents,
        config: {},
        plugins: [{ typescript: {} }, { operations: {} }],
        pluginMap: { typescript, operations },
      });
      expect(code).to.include("export type ArticleInput = {");
      expect(code).to.match(/export type LatestQuery = /);
      expect(code).to.include("'ComponentSectionsHero'");
    });
  });
});
