import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

/** A query string, and the key and path in the details of its refusal. */
type KeyRow = readonly [query: string, key: string, path: string | null];

/** A query string, and the message of its refusal, which has no details. */
type PlainRow = readonly [query: string, message: string];

/** The body of a draft, and its problems in their order. */
type BodyRow = readonly [data: object, ...problems: (readonly [path: string, message: string])[]];

const KEYS: Readonly<Record<string, readonly KeyRow[]>> = {
  filters: [
    ["filters[nope]=1", "nope", null],
    ["filters[author][nope]=1", "nope", "author"],
    ["filters[author][articles][nope]=1", "nope", "author.articles"],
    ["filters[seo][nope]=1", "nope", "seo"],
    ["filters[seo][meta][nope]=1", "nope", "seo.meta"],
    ["filters[cover][nope]=1", "nope", "cover"],
    ["filters[title][nope]=1", "nope", "title"],
    ["filters[title][$nope]=1", "$nope", "title"],
    ["filters[title][$not][nope]=1", "nope", "title"],
    ["filters[author][$nope]=1", "$nope", "author"],
    ["filters[author][name][$nope]=1", "$nope", "author.name"],
    ["filters[id][$nope]=1", "$nope", null],
    ["filters[author][id][nope]=1", "nope", "author"],
    ["filters[documentId][nope]=1", "nope", null],
    ["filters[$nope][title]=1", "$nope", null],
    ["filters[$or][0][author][nope]=1", "nope", "author"],
    ["filters[$and][0][$or][0][nope]=1", "nope", null],
    ["filters[$not][author][nope]=1", "nope", "author"],
    ["filters[$or][0][sections][title]=1", "sections", "sections"],
    ["filters[author][articles][secret]=1", "secret", "author.articles.secret"],
    ["filters[related][privateNote]=1", "privateNote", "related.privateNote"],
    ["filters[author][createdBy][id]=1", "createdBy", "author.createdBy"],
    ["filters[cover][folder]=1", "folder", "cover.folder"],
  ],
  sort: [
    ["sort=nope:desc", "nope", null],
    ["sort=title,nope", "nope", null],
    ["sort[0][nope]=asc", "nope", null],
    ["sort=author.nope", "nope", "author"],
    ["sort[author][articles][nope]=asc", "nope", "author.articles"],
    ["sort=author", "author", "author"],
    ["sort=author:asc", "asc", "author"],
    ["sort[author]=asc", "asc", "author"],
    ["sort[author]=nope", "nope", "author"],
    ["sort=seo:desc", "desc", "seo"],
    ["sort=sections.title", "sections", "sections"],
    ["sort=related.privateNote", "privateNote", "related.privateNote"],
  ],
  fields: [
    ["fields=title,nope", "nope", null],
    ["fields[0]=title&fields[1]=nope", "nope", null],
    ["fields=author.name", "author.name", null],
    ["fields=seo", "seo", "seo"],
    ["fields=privateNote", "privateNote", "privateNote"],
  ],
  populate: [
    ["populate=nope", "nope", "nope"],
    ["populate=title", "title", "title"],
    ["populate=nope.a", "nope", "nope"],
    ["populate[0]=author&populate[1]=nope", "nope", "nope"],
    ["populate=author.articles.nope", "nope", "author.articles.nope"],
    ["populate=seo.meta.nope", "nope", "seo.meta.nope"],
    ["populate=author.createdBy", "createdBy", "author.createdBy"],
    ["populate[nope]=true", "nope", null],
    ["populate[nope]=x", "nope", null],
    ["populate[nope]=false", "nope", null],
    ["populate[nope][fields]=title", "nope", null],
    ["populate[title]=true", "title", "title"],
    ["populate[title]=false", "title", "title"],
    ["populate[privateNote]=true", "privateNote", "privateNote"],
    ["populate[createdBy]=true", "createdBy", "createdBy"],
    ["populate[author]=x", "x", "author"],
    ["populate[author]=x.y", "x", "author"],
    ["populate[author]=articles", "articles", "author.articles"],
    ["populate[author][]=x", "x", "author"],
    ["populate[author][nope]=1", "nope", "author"],
    ["populate[author][name]=1", "name", "author.name"],
    ["populate[author][articles][nope]=1", "articles", "author.articles"],
    ["populate[author][createdBy]=1", "createdBy", "author.createdBy"],
    ["populate[cover][name]=1", "name", "cover.name"],
    ["populate[author][status]=draft", "status", "author"],
    ["populate[author][count]=maybe", "count", "author"],
    ["populate[author][filters][articles][nope]=1", "nope", "articles"],
    ["populate[author][filters][name][$nope]=1", "$nope", "name"],
    ["populate[author][sort]=articles.nope", "nope", "articles"],
    ["populate[author][fields]=articles", "articles", "articles"],
    ["populate[author][populate]=nope", "nope", "nope"],
    ["populate[author][populate]=articles.nope", "nope", "articles.nope"],
    ["populate[author][populate]=createdBy", "createdBy", "author.createdBy"],
    ["populate[author][populate]=true", "true", "true"],
    ["populate[author][populate][nope]=true", "nope", "author"],
    ["populate[author][populate][name]=true", "name", "author.populate.name"],
    ["populate[author][populate][articles]=x", "x", "author.articles"],
    ["populate[author][populate][articles][nope]=true", "nope", "author.articles"],
    ["populate[author][populate][articles][populate][nope]=true", "nope", "author.articles"],
    ["populate[author][populate][articles][populate]=privateNote", "privateNote", "privateNote"],
    ["populate[related][populate][privateNote]=true", "privateNote", "related.populate.privateNote"],
    ["populate[cover][populate]=folder", "folder", "cover.folder"],
    ["populate[author][on]=x", "on", "author.on"],
    ["populate[author][on][nope]=true", "nope", "author.on.nope"],
    ["populate[sections][on]=x", "on", "sections.on"],
    ["populate[sections][on][]=sections.hero", "0", "sections.on.0"],
    ["populate[sections][on][sections.nope]=true", "sections.nope", "sections.on.sections.nope"],
    ["populate[sections][on][sections.hero]=x", "x", "sections"],
    ["populate[sections][on][sections.hero][nope]=1", "nope", "sections"],
    ["populate[sections][on][sections.hero][title]=1", "title", "sections.title"],
    ["populate[sections][on][sections.hero][fields]=nope", "nope", null],
    ["populate[sections][on][sections.hero][populate]=nope", "nope", "nope"],
    ["populate[sections][on][sections.hero][populate][nope]=true", "nope", "sections"],
    [
      "populate[sections][on][sections.hero][populate][title]=true",
      "title",
      "sections.on[sections.hero].populate.title",
    ],
    ["populate[sections][on][sections.hero][populate][cta][nope]=true", "nope", "sections.cta"],
    ["populate[sections][populate]=image", "populate", "sections"],
    ["populate[sections][populate][nope]=true", "populate", "sections"],
  ],
};

const ORDER = "Invalid order. order can only be one of asc|desc|ASC|DESC";
const FILTERS = "The filters parameter must be an object or an array";
const FIELDS = "Invalid fields parameter. Expected a string or an array of strings";
const POPULATE = "Invalid populate parameter. Expected a string, an array of strings, a populate object";
const SORT =
  "Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects";
const DATE = "Invalid format, expected yyyy-MM-dd";
const TIME = "Invalid time format, expected HH:mm:ss.SSS";
const INSTANT = "Invalid format, expected a timestamp or an ISO date";

const PLAIN: readonly PlainRow[] = [
  ["filters=x", FILTERS],
  ["populate[author][filters]=x", FILTERS],
  ["fields[a]=title", FIELDS],
  ["fields[0][a]=title", FIELDS],
  ["populate[author][fields][a]=name", FIELDS],
  ["populate[0][author]=true", POPULATE],
  ["sort[0][0]=title", SORT],
  ["sort=title:up", ORDER],
  ["sort[title]=up", ORDER],
  ["populate[author][sort]=name:up", ORDER],
  [
    "populate[seo][on][shared.seo]=true",
    'Using fragments is not permitted to populate "seo" in "api::article.article"',
  ],
  ["filters[pubDate][$eq]=2024-13-45", DATE],
  ["filters[pubDate][$in][0]=2024-00-10", DATE],
  ["filters[pubDate]=2024-01-32", DATE],
  ["filters[pubDate]=2024-02-31", "Invalid date"],
  ["filters[startsAt]=25:00:00", TIME],
  ["filters[startsAt]=10:60:00", TIME],
  ["filters[eventAt]=2024-02-31T10:00:00.000Z", INSTANT],
  ["filters[eventAt]=2024-13-01T10:00:00.000Z", INSTANT],
  ["filters[stamp]=2024-02-31", INSTANT],
];

/** Bodies whose one malformed date or time ends the request. */
const PLAIN_BODIES: readonly (readonly [data: object, message: string])[] = [
  [{ pubDate: "2024-13-45" }, DATE],
  [{ pubDate: "2024-02-31" }, "Invalid date"],
  [{ pubDate: 5 }, DATE],
  [{ startsAt: "24:00:00" }, TIME],
  [{ startsAt: 5 }, "Expected a string, got a number"],
  [{ startsAt: {} }, "Expected a string, got a object"],
  [{ eventAt: "2024-02-31T00:00:00.000Z" }, INSTANT],
  [{ stamp: "2024-13-01" }, INSTANT],
];

const text = { type: "text", text: "a" };
const paragraph = (...children: unknown[]) => ({ content: [{ type: "paragraph", children }] });
const content = (block: object) => ({ content: [block] });
const link = (url: unknown) => paragraph({ type: "link", url, children: [text] });
const image = { name: "a", url: "/a", width: 1, height: null, hash: "h", ext: ".svg", mime: "image/svg+xml", size: 1 };

const BLOCK = "Block node is of invalid type";
const INLINE = "Inline node must be Text or Link";
const LIST_CHILD = "Inline node must be list-item or list";
const LINK = "Please specify a valid link.";
const TEXT = "Text must be defined with at least an empty string";
const least = (name: string) => `${name} node children must have at least one Text or Link node`;
const required = (path: string) => `${path} is a required field`;
const among = (path: string, values: string) => `${path} must be one of the following values: ${values}`;
const noText = (path: string, value: string) =>
  `${path} must be a \`string\` type, but the final value was: \`${value}\`.`;
const cast = (path: string, type: string, from: string, final = "null") =>
  `${path} must be a \`${type}\` type, but the final value was: \`${final}\` (cast from the value \`${from}\`).`;

const BODIES: Readonly<Record<string, readonly BodyRow[]>> = {
  blocks: [
    [{ content: ["x"] }, ["content[0]", BLOCK]],
    [{ content: [null] }, ["content[0]", BLOCK]],
    [content({}), ["content[0]", BLOCK]],
    [content({ type: "table", children: [] }), ["content[0]", BLOCK]],
    [content({ type: "constructor" }), ["content[0]", BLOCK]],
    [content(text), ["content[0]", BLOCK]],
    [content({ type: "paragraph" }), ["content[0].children", required("content[0].children")]],
    [
      content({ type: "paragraph", children: "x" }),
      ["content[0].children", cast("content[0].children", "array", '"x"')],
    ],
    [paragraph(), ["content[0].children", least("Paragraph")]],
    [paragraph("x"), ["content[0].children[0]", INLINE]],
    [paragraph({ type: "paragraph", children: [text] }), ["content[0].children[0]", INLINE]],
    [paragraph({ type: "text" }), ["content[0].children[0].text", TEXT]],
    [
      content({ type: "heading", children: [] }),
      ["content[0].level", required("content[0].level")],
      ["content[0].children", least("Heading")],
    ],
    [
      content({ type: "heading", level: "x", children: [text] }),
      ["content[0].level", cast("content[0].level", "number", '"x"', "NaN")],
      ["content[0].level", among("content[0].level", "1, 2, 3, 4, 5, 6")],
    ],
    [content({ type: "quote", children: [] }), ["content[0].children", least("Quote")]],
    [
      content({ type: "code", children: [{ type: "link" }] }),
      ["content[0].children[0].type", among("content[0].children[0].type", "text")],
      ["content[0].children[0].text", TEXT],
    ],
    [
      content({ type: "code", language: {}, children: [text] }),
      ["content[0].language", noText("content[0].language", "{}")],
    ],
    [
      content({ type: "list", children: [] }),
      ["content[0].format", required("content[0].format")],
      ["content[0].children", "List node children must have at least one ListItem or ListNode"],
    ],
    [content({ type: "list", format: "ordered", children: [text] }), ["content[0].children[0]", LIST_CHILD]],
    [
      content({ type: "list", format: null, children: [{ type: "list-item", children: [text] }] }),
      ["content[0].format", noText("content[0].format", "null")],
      ["content[0].format", among("content[0].format", "ordered, unordered")],
    ],
    [
      content({ type: "image", image: "x", children: [text] }),
      ["content[0].image", cast("content[0].image", "object", '"x"')],
    ],
    [content({ type: "image", children: [text] }), ["content[0].image.url", required("content[0].image.url")]],
    [
      content({ type: "image", image: { ...image, url: "", hash: null, size: "x" } }),
      ["content[0].image.url", required("content[0].image.url")],
      ["content[0].image.hash", noText("content[0].image.hash", "null")],
      ["content[0].image.size", cast("content[0].image.size", "number", '"x"', "NaN")],
      ["content[0].children", required("content[0].children")],
    ],
    ...["x", "", "javascript:alert(1)", "data:text/html,x", undefined].map(
      (url): BodyRow => [link(url), ["content[0].children[0].url", LINK]],
    ),
    [link(null), ["content[0].children[0].url", noText("content[0].children[0].url", "null")]],
    [
      paragraph({ type: "link", url: "/a", children: ["x"] }),
      ["content[0].children[0].children[0]", cast("content[0].children[0].children[0]", "object", '"x"')],
    ],
  ],
  components: [
    [{ seo: "x" }, ["seo", 'seo must be a `object` type, but the final value was: `"x"`.']],
    [{ seo: [] }, ["seo", "seo must be a `object` type, but the final value was: `[]`."]],
    [{ links: null }, ["links", "links must be a `array` type, but the final value was: `null`."]],
    [
      { links: { label: "a" } },
      ["links", 'links must be a `array` type, but the final value was: `{\n  "label": "\\"a\\""\n}`.'],
    ],
    [
      { links: [5, "x", [], null] },
      ["links[0]", cast("links[0]", "object", "5")],
      ["links[1]", cast("links[1]", "object", '"x"')],
      ["links[2]", cast("links[2]", "object", "[]")],
      ["links[3]", "links[3] must be a `object` type, but the final value was: `null`."],
    ],
    [{ seo: { metaTitle: "a", meta: ["x"] } }, ["seo.meta[0]", cast("seo.meta[0]", "object", '"x"')]],
    [{ sections: ["x"] }, ["sections[0]", cast("sections[0]", "object", '"x"')]],
    [{ links: [{ label: 5 }] }, ["links[0].label", noText("links[0].label", "5")]],
  ],
  enumerations: [[{ kind: {} }, ["kind", noText("kind", "{}")], ["kind", among("kind", "news, opinion, tutorial, ")]]],
};

/** Bodies with a key that no schema has. */
const BODY_KEYS: readonly (readonly [data: object, key: string, path: string | null])[] = [
  [{ nope: 1 }, "nope", null],
  [{ seo: { metaTitle: "a", nope: 1 } }, "nope", "seo"],
  [{ seo: { metaTitle: "a", meta: [{ property: "a", nope: 1 }] } }, "nope", "seo.meta"],
  [{ links: [{ label: "a" }, { nope: 1 }] }, "nope", "links"],
  [{ links: [{ label: "a", __component: "x" }] }, "__component", "links"],
  [{ sections: [{ __component: "sections.hero", cta: { nope: 1 } }] }, "nope", "sections.cta"],
];

/** `links[0].label` as details have it. */
const stepsOf = (path: string) => path.replaceAll("]", "").split(/[.[]/);

describe("A request that is refused has the name, message and details of the reference", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);

    /** The error of a refused request, without the code that is ours. */
    const refusal = async (method: string, path: string, body?: unknown) => {
      const answer = await app().request(method, path, body === undefined ? {} : { body });
      expect([answer.status, answer.body.data], path + JSON.stringify(body ?? "")).to.deep.equal([400, null]);
      const { code: _code, ...error } = answer.body.error;
      return error;
    };
    const refusedQuery = (query: string) => refusal("GET", `/api/articles?${query}`);
    const refusedBody = (data: object) =>
      refusal("POST", "/api/articles?status=draft", { data: { title: "a", ...data } });

    for (const [param, rows] of Object.entries(KEYS)) {
      it(`names the key below ${param}`, async () => {
        for (const [query, key, path] of rows) {
          const message = `Invalid key ${key}${path === null || path === key ? "" : ` at ${path}`}`;
          const details = { key, path, source: "query", param };
          expect(await refusedQuery(query), query).to.deep.equal({
            status: 400,
            name: "ValidationError",
            message,
            details,
          });
        }
      });
    }

    it("says of a parameter of another form, and of a date that does not exist, no more than that", async () => {
      const expected = (message: string) => ({ status: 400, name: "ValidationError", message, details: {} });
      for (const [query, message] of PLAIN) expect(await refusedQuery(query), query).to.deep.equal(expected(message));
      for (const [data, message] of PLAIN_BODIES)
        expect(await refusedBody(data), JSON.stringify(data)).to.deep.equal(expected(message));
    });

    for (const [kind, rows] of Object.entries(BODIES)) {
      it(`lists the problems of ${kind}`, async () => {
        for (const [data, ...problems] of rows) {
          const { name, message, details } = await refusedBody(data);
          const errors = details.errors.map((error: { path: string[]; message: string }) => [
            error.path,
            error.message,
          ]);
          const expected = problems.map(([path, problem]) => [stepsOf(path), problem]);
          expect(errors, JSON.stringify(data)).to.deep.equal(expected);
          const whole = problems.length === 1 ? problems[0]?.[1] : `${problems.length} errors occurred`;
          expect([name, message]).to.deep.equal(["ValidationError", whole]);
        }
      });
    }

    it("names the key of a body that no schema has", async () => {
      for (const [data, key, path] of BODY_KEYS) {
        const { message, details } = await refusedBody(data);
        expect(details).to.deep.equal({ key, path, source: "body" });
        expect(message).to.equal(`Invalid key ${key}${path === null ? "" : ` at ${path}`}`);
      }
    });

    it("shows what a value became: null for an item that is no object, the whole node for a type that is unknown", async () => {
      const value = async (data: object) => (await refusedBody(data)).details.errors[0].value;
      expect(await value({ links: ["x"] })).to.equal(null);
      expect(await value(content({ type: "table" }))).to.deep.equal({ type: "table" });
      expect(await value(paragraph({ type: "table" }))).to.deep.equal({ type: "table" });
    });

    it("takes links to the web, to mail and phones, to the site and into the page, and pictures without a size", async () => {
      const urls = ["https://a.b", "ftp://a.b", "mailto:a@b.c", "tel:+1", "/a", "#a"];
      const links = urls.flatMap((url) => link(url).content);
      const picture = { type: "image", image: { ...image, caption: null }, children: [text] };
      const data = { title: "a", content: [...links, picture] };
      const { status, body } = await app().request("POST", "/api/articles?status=draft", { body: { data } });
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body.data.content).to.deep.equal(data.content);
    });
  });
});
