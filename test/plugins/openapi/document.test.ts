import { type OpenApiDocument, openApi } from "@plinth/plugin-openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import openapiTs, { astToString } from "openapi-typescript";
import { serveCorpusApp, tokens } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";
import { typeCheck } from "../../docs/type-check.js";
import { copyTemplate } from "../../projects.js";
import { operationsOf } from "./requests.js";

const DOCUMENT = "/api/openapi.json";

/** What a client does with the generated types; what is wrong in it has to be an error of the compiler. */
const CLIENT = `import type { components, paths } from "./api.js";

type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;
type Answer = paths["/api/articles"]["get"]["responses"][200]["content"]["application/json"];
type Body = paths["/api/articles"]["post"]["requestBody"]["content"]["application/json"];

export const query: Query<"/api/articles"> = { filters: { title: { $startsWith: "A" } }, sort: ["title:asc"], locale: "fr" };
export const titleOf = ({ data }: Answer): string | null | undefined => data[0]?.title;
export const authorOf = ({ data }: Answer): components["schemas"]["Author"] | null | undefined => data[0]?.author;
export const body: Body = { data: { title: "Hello", kind: "news", author: { connect: ["abc"] } } };

// @ts-expect-error: there is no such operator
export const wrongOperator: Query<"/api/articles"> = { filters: { title: { $begins: "A" } } };
// @ts-expect-error: there is no such attribute
export const wrongAttribute: Query<"/api/articles"> = { filters: { titel: "A" } };
// @ts-expect-error: no attribute of that name is answered
export const wrongMember = ({ data }: Answer) => data[0]?.titel;
// @ts-expect-error: a value that is none of the enumeration's
export const wrongValue: Body = { data: { title: "Hello", kind: "gossip" } };
`;

eitherDatabase(import.meta.url, (database) => {
  describe("The OpenAPI document", () => {
    const corpus = serveCorpusApp(database);
    const read = async (query = "", token: string = tokens.full): Promise<OpenApiDocument> =>
      (await corpus().request("GET", `${DOCUMENT}${query}`, { token })).body;
    const namesOf = (document: OpenApiDocument) => operationsOf(document).map(({ operation }) => operation.operationId);

    it("takes no object in place of operators in a filter on JSON, as the server does", async () => {
      const { components } = await read();
      const [plain, operators] = (components.schemas["JsonFilter"] as { anyOf: readonly object[] }).anyOf;
      expect(plain).to.deep.equal({ type: ["number", "boolean"] });
      expect(operators).to.deep.include({ type: "object", additionalProperties: false });
      const { status } = await corpus().request("GET", "/api/upload/files?filters[focalPoint][any]=1", {
        token: tokens.full,
      });
      expect(status).to.equal(400);
    });

    it("is OpenAPI 3.1 by a validator, and every reference leads somewhere", async () => {
      const validator = new Validator();
      const { valid, errors } = await validator.validate((await read()) as never);
      expect(errors ?? []).to.deep.equal([]);
      expect([valid, validator.version]).to.deep.equal([true, "3.1"]);
      expect(() => validator.resolveRefs()).not.to.throw();
    });

    it("tells of every route that has words in OpenAPI, under unique names", async () => {
      const { plinth } = corpus();
      const served = plinth.app.http.routes.filter(({ isPattern, description }) => !isPattern && description !== false);
      const document = plinth.app.service(openApi).document();
      const told = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
      for (const { method, path } of served) expect(told).to.include(`${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
      expect(new Set(namesOf(document)).size).to.equal(namesOf(document).length);
    });

    it("has types made of it by a code generator, which let no mistake through", async () => {
      const types = astToString(await openapiTs((await read()) as never));
      const root = copyTemplate({ "src/client/api.ts": types, "src/client/use.ts": CLIENT });
      await typeCheck(root, ["src/client/use.ts"]);
    });

    it("tells whoever asks what they may call, and nothing else", async () => {
      const all = namesOf(await read());
      expect(all).to.include.members(["findArticles", "createArticle", "createUser", "register"]);
      const reading = namesOf(await read("", tokens.readonly));
      expect(reading).to.include.members(["findArticles", "findArticle", "getHealth"]);
      expect(reading).not.to.include.members(["createArticle"]);
      expect(reading.length).to.be.below(all.length);
      const { status, body } = await corpus().request("GET", DOCUMENT, { token: tokens.custom });
      expect([status, body.error.name]).to.deep.equal([403, "ForbiddenError"]);
    });

    it("has the rules of the content model: what is required, how long, which values, what is secret", async () => {
      const { schemas } = (await read()).components as { schemas: Record<string, Keywords> };
      const { ArticleCreate: create, Article: article, ArticleUpdate: update } = schemas;
      expect(create?.required).to.deep.equal(["title"]);
      expect(create?.properties?.["kind"]).to.deep.include({ enum: ["news", "opinion", "tutorial", null] });
      expect(article?.properties).to.include.keys("title", "author", "documentId").and.not.include.keys("secret");
      expect(update).not.to.have.property("required");
    });
  });
});

interface Keywords {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}
