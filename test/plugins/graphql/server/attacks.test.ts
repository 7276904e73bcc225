import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { EDITOR, type Reply, serveCustomised } from "../customised-app.js";

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join(" ");

/** Milliseconds of processor that a refusal may take. */
const SOON = 3000;

eitherDatabase(import.meta.url, (database) => {
  describe("a document that is made to hurt", () => {
    const app = serveCustomised(database);

    const refused = async (query: string, message: string | RegExp, variables?: object): Promise<Reply> => {
      const before = process.cpuUsage();
      const reply = await app().send(query, { token: EDITOR, ...(variables ? { variables } : {}) });
      expect(reply.status).to.equal(400);
      expect(reply.body.data).to.equal(undefined);
      expect(reply.body.errors[0].message).to.match(new RegExp(message));
      expect(process.cpuUsage(before).user / 1000).to.be.below(SOON);
      return reply;
    };

    it("is refused for more aliases than the limit, in fragments too", async () => {
      await refused(`{ articles { ${repeat(51, (i) => `a${i}: title`)} } }`, "more than 50 aliases");
      const spread = `{ articles { ${repeat(6, () => "...F")} } } fragment F on Article { ${repeat(10, (i) => `a${i}: title`)} }`;
      await refused(spread, "more than 50 aliases");
    });

    it("is refused for more conditions in its variables than a read may have", async () => {
      const conditions = (length: number) => ({
        filters: { or: Array.from({ length }, (_, i) => ({ title: { eq: `t${i}` } })) },
      });
      const query = "query ($filters: ArticleFiltersInput) { articles(filters: $filters) { title } }";
      await refused(query, "more than 10000 keys and items", conditions(20_000));
      const { body } = await app().send(query, { token: EDITOR, variables: conditions(300) });
      expect(body.errors[0].message).to.match(/more than 250 conditions/);
    });

    it("is refused for more root fields than the limit", async () => {
      await refused(`{ ${repeat(21, (i) => `a${i}: articles { title }`)} }`, "more than 20 root fields");
      await refused(
        `{ ...R } fragment R on Query { ${repeat(21, (i) => `a${i}: articles { title }`)} }`,
        "root fields",
      );
    });

    it("is refused for the size of its fragments put in place of each other", async () => {
      const last = "fragment F30 on Article { title }";
      const bomb = `{ articles { ...F0 } } ${repeat(30, (i) => `fragment F${i} on Article { ...F${i + 1} ...F${i + 1} }`)} ${last}`;
      await refused(bomb, "costs more than 2000");
    });

    it("is refused before it is validated for fields that are named hundreds of times in one place", async () => {
      const { body } = await refused(
        `{ articles { ${repeat(300, () => "twin { nope { title } }")} } }`,
        "costs more than 200000",
      );
      expect(body.errors).to.have.length(1);
      expect(body.errors[0].extensions.code).to.equal("GRAPHQL_VALIDATION_FAILED");
      await refused(
        `{ articles { ${repeat(600, () => "twin { title }")} } }`,
        "200000 .mergeLimit.; name each field once",
      );
      await refused(`{ articles { title } } fragment F on Article { ${repeat(2000, () => "title")} }`, "mergeLimit");
      const often = await app().send(
        `{ articles { ${repeat(50, () => "title twin { title ...F }")} } } fragment F on Article { title }`,
      );
      expect(often.status).to.equal(200);
    });

    it("is refused for fragments that lead back to themselves", async () => {
      await refused("{ articles { ...A } } fragment A on Article { ...A }", "Cannot spread fragment");
      await refused(
        "{ articles { ...A } } fragment A on Article { twin { ...B } } fragment B on Article { twin { ...A } }",
        "Cannot spread fragment",
      );
    });

    it("is refused for its depth, in fragments too, with the limit in the message", async () => {
      const deep = (levels: number): string => (levels === 0 ? "title" : `twin { ${deep(levels - 1)} }`);
      const { body } = await refused(
        `query Deep { articles { ${deep(10)} } }`,
        "^'Deep' exceeds maximum operation depth of 10$",
      );
      expect(body.errors[0].extensions.code).to.equal("GRAPHQL_VALIDATION_FAILED");
      await refused(`{ articles { ...F } } fragment F on Article { ${deep(10)} }`, "operation depth of 10");
      const reply = await app().send(`{ articles { ${deep(9)} } }`);
      expect(reply.status).to.equal(200);
    });

    it("is refused for brackets in brackets", async () => {
      await refused(`{ ${"articles { ".repeat(50_000)}`, "More than 200 brackets");
      await refused(`{ articles(filters: ${"{ not: ".repeat(3000)}`, "More than 200 brackets");
      await refused(`{ articles(sort: ${"[".repeat(3000)}`, "More than 200 brackets");
    });

    it("is refused for more words than the limit", async () => {
      await refused(`{ articles { ${"title ".repeat(6000)} } }`, "more that 5000 tokens");
    });

    it("is refused for one field asked for thousands of times", async () => {
      await refused(`{ articles { ${"title ".repeat(4900)} } }`, "costs more than 2000");
    });

    it("is refused for more directives than the limit", async () => {
      await refused(`{ articles { title ${"@include(if: true) ".repeat(51)} } }`, "more than 50 directives");
    });

    it("is refused for more joins than the costs allow", async () => {
      const field = (i: number) =>
        `... on Article { twin { author { name } } } ... on Article { author { name } } #${i}\n`;
      await refused(`{ articles { ${repeat(80, field)} } }`, "costs");
    });

    it("is refused with variables that are too large, and the server goes on", async () => {
      const variables = { f: { title: { in: Array.from({ length: 200_000 }, () => "too long") } } };
      const reply = await app().send("query ($f: ArticleFiltersInput) { articles(filters: $f) { title } }", {
        variables,
      });
      expect(reply.status).to.equal(413);
      expect((await app().send("{ articles { title } }")).status).to.equal(200);
    });

    it("is refused with variables nested deeper than anything reads", async () => {
      const nested = `${'{"not":'.repeat(2000)}{}${"}".repeat(2000)}`;
      const response = await fetch(`${app().url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"query":"query ($f: ArticleFiltersInput) { articles(filters: $f) { title } }","variables":{"f":${nested}}}`,
      });
      expect(response.status).to.equal(400);
    });

    it("is refused as an operation that the schema does not have", async () => {
      await refused("subscription { articles { title } }", "no subscription operations");
    });

    it("is refused in a batch", async () => {
      const response = await fetch(`${app().url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([{ query: "{ articles { title } }" }]),
      });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.contain("batching disabled");
    });

    it("gets an error of its own for a limit or page that cannot be, and never a fault of the server", async () => {
      for (const pagination of [
        "{ limit: -5 }",
        "{ limit: 0 }",
        "{ start: -1 }",
        "{ page: 0 }",
        "{ pageSize: -1 }",
        "null",
        "{}",
      ]) {
        const { status, body } = await app().send(`{ articles(pagination: ${pagination}) { title } }`);
        expect(status).to.be.oneOf([200, 400]);
        expect(body.errors?.[0].extensions.code ?? "none").to.be.oneOf([
          "none",
          "BAD_USER_INPUT",
          "STRAPI_PAGINATION_ERROR",
        ]);
      }
    });

    it("does not reach what is hidden by a filter or a sort", async () => {
      for (const filter of [
        '{ note: { eq: "x" } }',
        "{ rating: { gt: 1 } }",
        "{ createdBy: { id: { eq: 1 } } }",
        "{ id: { eq: 1 } }",
      ])
        await refused(`{ articles(filters: ${filter}) { title } }`, "is not defined by type");
      const byAuthor = await app().send('{ articles(filters: { author: { name: { startsWith: "A" } } }) { title } }');
      expect(byAuthor.body.errors[0].extensions.code).to.equal("BAD_USER_INPUT");
      for (const sort of ["author.name", "createdBy.email", "author.password"]) {
        const { body } = await app().send(`{ articles(sort: "${sort}") { title } }`);
        expect(body.errors[0].extensions.code, sort).to.equal("BAD_USER_INPUT");
      }
    });

    it("does not reach a field through sort that is disabled altogether", async () => {
      const { body } = await app().send('{ articles(sort: "note") { title } }');
      expect(body.errors[0].extensions.code).to.equal("BAD_USER_INPUT");
    });
  });
});
