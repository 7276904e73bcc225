import { expect } from "chai";
import fc from "fast-check";
import { type CorpusRequest, serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";
import { PROTOTYPE_NAMES, SQL_TEXTS } from "./hostile-requests.js";

const RUNS = 250;
const ATTRIBUTES = [
  ...[
    "title",
    "slug",
    "body",
    "views",
    "bigviews",
    "rating",
    "featured",
    "kind",
    "extra",
    "content",
    "contact",
    "secret",
  ],
  ...[
    "pubDate",
    "startsAt",
    "eventAt",
    "stamp",
    "privateNote",
    "author",
    "categories",
    "related",
    "cover",
    "seo",
    "links",
  ],
  ...["sections", "localizations", "id", "documentId", "createdAt", "createdBy", "locale", "name", "articles", "meta"],
];
const WORDS = [
  ...[
    "$and",
    "$or",
    "$not",
    "$eq",
    "$in",
    "$between",
    "$null",
    "$contains",
    "$none",
    "$every",
    "$gt",
    "on",
    "populate",
    "fields",
    "filters",
  ],
  ...[
    "sort",
    "count",
    "connect",
    "disconnect",
    "set",
    "position",
    "before",
    "start",
    "options",
    "strict",
    "__component",
  ],
  ...["sections.hero", "metaTitle", "label", "page", "pageSize", "limit", "withCount", "0", "1", "", "*", "where"],
];
const TEXTS = [
  ...[
    "true",
    "asc",
    "author.name:desc",
    "title,views",
    "2024-01-01",
    "10:00:00",
    "9".repeat(30),
    "-1",
    "1e300",
    "draft",
  ],
  ...["\u0000", "a\u0000", "\ud800", "é", "%", "[", "]", "]]]", "&", "=", ...SQL_TEXTS],
];

const name = fc.constantFrom(...ATTRIBUTES, ...WORDS, ...PROTOTYPE_NAMES);
const text = fc.oneof(name, fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 12 }));
const number = fc.oneof(fc.integer(), fc.double({ noDefaultInfinity: true, noNaN: true }), fc.maxSafeInteger());
const json = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, text, number, fc.constantFrom(null, true, false), tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: text }), tie("any"), {
    maxKeys: 4,
  }),
}));

/** `filters[author][$in][0]=x&...`: names in brackets that are percent-encoded, or, seldom, are not. */
const parameter = fc
  .tuple(
    fc.constantFrom(
      "filters",
      "sort",
      "fields",
      "populate",
      "pagination",
      "_q",
      "status",
      "locale",
      "publicationFilter",
      "x",
    ),
    fc.array(text, { maxLength: 5 }),
    text,
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([root, path, value, dice]) => {
    const encode = dice === 0 ? (raw: string) => raw.replace(/[\s#\p{Cc}\p{Surrogate}]/gu, "%00") : encodeLoosely;
    return `${root}${path.map((part) => `[${encode(part)}]`).join("")}=${encode(value)}`;
  });
const query = fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join("&"));

/** encodeURIComponent, which refuses lone surrogates, would never send one. */
function encodeLoosely(raw: string): string {
  return encodeURIComponent(raw.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%EF%BF%BD", "%ED%A0%80");
}

const OPERATORS = [
  ...["$eq", "$ne", "$eqi", "$nei", "$lt", "$lte", "$gt", "$gte", "$in", "$notIn", "$contains", "$notContains"],
  ...["$containsi", "$notContainsi", "$startsWith", "$startsWithi", "$endsWith", "$endsWithi", "$null", "$notNull"],
];
const PATHS = [
  "",
  "[author]",
  "[categories]",
  "[related]",
  "[categories][articles]",
  "[categories][$none]",
  "[related][$every]",
  "[links][$some]",
  "[seo]",
  "[links]",
  "[$not]",
  "[$or][0]",
];

/** Conditions that the grammar has, on attributes that may not have them, with values that may not fit. */
const condition = fc
  .tuple(fc.constantFrom(...PATHS), fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...OPERATORS), text)
  .map(([path, attribute, operator, value]) => `${path}[${attribute}][${operator}]=${encodeLoosely(value)}`);
const wellFormedQuery = fc
  .tuple(fc.array(condition, { minLength: 1, maxLength: 2 }), fc.constantFrom("author", "*", "related.author"), text)
  .map(([conditions, populate, search]) =>
    [...conditions.map((one) => `filters${one}`), `populate=${populate}`, `_q=${encodeLoosely(search)}`].join("&"),
  );

const WRITES = [
  ["POST", "/api/articles", { title: "x" }],
  ["PUT", "/api/articles/:id", {}],
  ["POST", "/api/categories", { name: "xy" }],
  ["PUT", "/api/global", { siteName: "x" }],
  ["PUT", "/api/homepage", {}],
] as const;

describe("Random requests", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const expectAnswer = async (method: string, path: string, options: CorpusRequest = {}) => {
      const { status, body } = await app().request(method, path, options);
      expect(status, JSON.stringify(body)).to.be.lessThan(500);
      if (status >= 400) expect(body.error).to.include.keys("status", "name", "message");
    };
    const pathOf = (path: string) => path.replace(":id", content().articles[0]?.documentId ?? "");

    it("with any query string are answered, never with a failure of the server", async () => {
      const paths = ["/api/articles", "/api/articles/:id", "/api/categories", "/api/authors", "/api/global"];
      const property = fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(query, wellFormedQuery),
        async (path, asked) => {
          await expectAnswer("GET", `${pathOf(path)}?${asked}`);
        },
      );
      await fc.assert(property, { numRuns: RUNS });
    });

    it("with any data are answered, never with a failure of the server", async () => {
      const data = fc.dictionary(fc.constantFrom(...ATTRIBUTES), json.any, { minKeys: 1, maxKeys: 3 });
      const property = fc.asyncProperty(fc.constantFrom(...WRITES), data, async ([method, path, own], values) => {
        await expectAnswer(method, pathOf(path), { body: { data: { ...own, ...values } } });
      });
      await fc.assert(property, { numRuns: RUNS });
    });

    it("with one attribute of its own and any value are answered, never with a failure of the server", async () => {
      const own = ATTRIBUTES.slice(0, ATTRIBUTES.indexOf("localizations"));
      const property = fc.asyncProperty(
        fc.constantFrom(...own),
        json.any,
        fc.boolean(),
        async (key, value, isDraft) => {
          const path = `/api/articles${isDraft ? "?status=draft" : ""}`;
          await expectAnswer("POST", path, { body: { data: { title: "x", [key]: value } } });
        },
      );
      await fc.assert(property, { numRuns: RUNS });
    });

    it("with any bytes for a body are answered, never with a failure of the server", async () => {
      const bytes = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        json.any.map((value) => JSON.stringify({ data: value })),
      );
      const property = fc.asyncProperty(fc.constantFrom(...WRITES), bytes, async ([method, path], text) => {
        await expectAnswer(method, pathOf(path), { text });
      });
      await fc.assert(property, { numRuns: 100 });
    });
  });
});
