import { expect } from "chai";
import fc from "fast-check";
import { isPlinthError } from "#core/base/error.js";
import { read } from "./read-query.js";

const NAMES = [
  ...["title", "views", "extra", "content", "secret", "privateNote", "author", "categories", "cover", "seo", "links"],
  ...[
    "sections",
    "localizations",
    "id",
    "documentId",
    "locale",
    "createdAt",
    "createdBy",
    "name",
    "parent",
    "articles",
  ],
  ...[
    "$and",
    "$or",
    "$not",
    "$eq",
    "$in",
    "$between",
    "$null",
    "$contains",
    "$some",
    "$none",
    "$every",
    "$nope",
    "on",
    "populate",
    "fields",
    "count",
  ],
  ...["filters", "sort", "sections.hero", "page", "limit", "0", "1", "", "*", "__proto__", "constructor", "toString"],
];
const name = fc.constantFrom(...NAMES);
const text = fc.oneof(
  name,
  fc.constantFrom("true", "asc", "author.name:desc", "a,b", "\u0000", "2024-01-01", "9".repeat(30), "draft"),
  fc.string(),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 6 }, text, fc.constantFrom(null, true, 0, -1, 1.5, Number.NaN), tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 4 }),
  object: fc.dictionary(name, tie("any"), { maxKeys: 4, noNullPrototype: false }),
})).any;
const KEYS = ["filters", "sort", "fields", "populate", "pagination", "_q", "status", "locale", "publicationFilter"];
const params = fc.dictionary(fc.constantFrom(...KEYS), value, { minKeys: 1, maxKeys: 3 });

describe("Any parameters at all", () => {
  it("are a Query or a 400, never another failure", () => {
    fc.assert(
      fc.property(params, fc.constantFrom("list" as const, "one" as const), (input, kind) => {
        try {
          expect(read(input, { kind }).query.type).to.equal("api::article.article");
        } catch (error) {
          if (!isPlinthError(error)) throw error;
          expect(error.status).to.equal(400);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
