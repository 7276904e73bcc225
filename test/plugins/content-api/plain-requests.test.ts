import { type IncomingHttpHeaders, request } from "node:http";
import { expect } from "chai";
import fc from "fast-check";
import { type CorpusApp, serveCorpusApp, tokens } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

const RUNS = 150;

/** A request that announces a body, of no bytes, is answered with a koa context. */
const WITH_CONTEXT = { "content-length": "0" };

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function get(url: string, headers: Readonly<Record<string, string>>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { date: _date, ...rest } = response.headers;
        resolve({ status: response.statusCode, headers: rest, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Asks with and without a koa context, and expects one answer. */
async function compare({ url }: CorpusApp, path: string, headers: Readonly<Record<string, string>> = {}) {
  const named = { "x-request-id": "the-same", authorization: `Bearer ${tokens.full}`, ...headers };
  const plain = await get(`${url}${path}`, named);
  const koa = await get(`${url}${path}`, { ...named, ...WITH_CONTEXT });
  expect(plain, path).to.deep.equal(koa);
  return plain;
}

const PATHS = [
  "/api/articles",
  "/API/Articles/",
  "/api/articles?sort=title&populate=*&pagination[pageSize]=2",
  "/api/articles?filters[title][$contains]=%C3%A9&_q=x",
  "/api/articles?pagination[withCount]=false&fields[0]=title",
  "/api/articles?locale=fr",
  "/api/articles?status=draft",
  "/api/articles?status=nonsense",
  "/api/articles?page=2",
  "/api/articles?filters[nothing]=1",
  "/api/articles?__proto__[a]=1",
  `/api/articles?filters${"[$not]".repeat(30)}=1`,
  "/api/articles/no-such-document",
  "/api/articles/%E0%A4%A",
  "/api/homepage",
  "/api/homepage?populate=*",
  "/api/global",
  "/api/nothing",
  "/api//articles",
  "/_health",
];

eitherDatabase(import.meta.url, (database) => {
  describe(`Reads without a koa context, on ${database.kind}`, () => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);

    it("are answered as those with one, byte for byte", async () => {
      for (const path of PATHS) await compare(app(), path);
    });

    it("are answered so a second time, from the cache", async () => {
      for (const path of PATHS) expect(await compare(app(), path)).to.deep.equal(await compare(app(), path));
    });

    it("show one document, whichever it is, with its ETag, and answer 304 to a client that has it", async () => {
      for (const { documentId } of Object.values(content().articles)) {
        const path = `/api/articles/${documentId}?populate=author`;
        const { headers, body } = await compare(app(), path);
        expect(JSON.parse(body).data).to.include({ documentId });
        expect(headers.etag).to.match(/^"[0-9a-f]+-[0-9a-f]+"$/);
        expect((await compare(app(), path, { "if-none-match": headers.etag ?? "" })).status).to.equal(304);
      }
    });

    it("are answered so to everybody: the public, tokens, unknown bearers, older formats, other origins", async () => {
      const asked: Readonly<Record<string, string>>[] = [
        { authorization: "" },
        { authorization: "Basic abc" },
        { authorization: "Bearer nobody" },
        { authorization: `bearer ${tokens.readonly}` },
        { authorization: `Bearer ${tokens.custom}` },
        { "strapi-response-format": "v4" },
        { "strapi-response-format": "V4" },
        { origin: "https://app.example.com" },
        { "x-request-id": "with a space" },
        { accept: "text/html" },
      ];
      for (const headers of asked) {
        for (const path of PATHS) {
          if (headers["x-request-id"] === undefined) await compare(app(), path, headers);
        }
      }
      expect(
        (await get(`${app().url}/api/articles`, { "x-request-id": "with a space" })).headers["x-request-id"],
      ).to.match(/^[0-9a-f-]{36}$/);
    });

    it("are answered so with random parameters", async () => {
      const word = fc.constantFrom(
        "title",
        "author",
        "name",
        "views",
        "$eq",
        "$in",
        "*",
        "fr",
        "1",
        "-1",
        "seo",
        "$or",
      );
      const key = fc.constantFrom(
        "filters",
        "sort",
        "fields",
        "populate",
        "pagination",
        "status",
        "locale",
        "_q",
        "zzz",
      );
      const parameter = fc
        .tuple(key, fc.array(word, { maxLength: 3 }), fc.oneof(word, fc.string({ maxLength: 6 })))
        .map(
          ([name, inner, value]) => `${name}${inner.map((part) => `[${part}]`).join("")}=${encodeURIComponent(value)}`,
        );
      const queries = fc.array(parameter, { maxLength: 4 }).map((list) => list.join("&"));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom("/api/articles", "/api/authors", "/api/homepage"), queries, (path, query) =>
          compare(app(), `${path}?${query}`).then(() => undefined),
        ),
        { numRuns: RUNS },
      );
    });

    it("see at once what is written", async () => {
      const path = "/api/categories?filters[name]=Only%20just%20now";
      expect(JSON.parse((await compare(app(), path)).body).data).to.have.length(0);
      await app().request("POST", "/api/categories", { body: { data: { name: "Only just now" } } });
      expect(JSON.parse((await compare(app(), path)).body).data).to.have.length(1);
    });
  });
});
