import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";

const COUNT = 23;

describe("Pages by cursor", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveCorpusTypes(database);
    const get = async (query: string) => (await served().request("GET", `/api/articles?${query}`)).body;

    before("write articles, some without views, authors or ratings", async () => {
      const create = async (path: string, data: object) =>
        (await served().request("POST", path, { body: { data } })).body.data.documentId as string;
      const authors = [await create("/api/authors", { name: "Ada" }), await create("/api/authors", { name: "Zoe" })];
      for (let index = 0; index < COUNT; index += 1) {
        const numbers = { ...(index % 4 ? { views: index % 5 } : { views: null }), rating: (index % 3) + 0.5 };
        const author = index % 3 === 0 ? null : authors[index % 2];
        await create("/api/articles", { title: `Title ${index % 7}`, slug: `article-${index}`, ...numbers, author });
      }
    });

    const orders = [
      "",
      "sort=id:desc",
      "sort=views:asc",
      "sort=views:desc",
      "sort=views:asc,title:desc",
      "sort=title:desc,views:asc,rating:desc",
      "sort=createdAt:desc",
      "sort=publishedAt:asc",
      "sort=documentId:asc",
      "sort=author.name:asc",
      "sort=author.name:desc,views:desc",
      "sort=rating:asc&filters[views][$notNull]=true",
    ];
    for (const order of orders) {
      it(`give every entry once and in order, to the last: ${order || "without a sort"}`, async () => {
        const whole = (await get(`${order}&fields=title&pagination[pageSize]=100`)).data;
        const found: unknown[] = [];
        let cursor: string | null = "*";
        while (cursor !== null) {
          const page = await get(`${order}&fields=title&pagination[cursor]=${cursor}&pagination[pageSize]=4`);
          found.push(...page.data);
          cursor = page.meta.pagination.nextCursor;
        }
        expect(found).to.deep.equal(whole);
      });
    }

    it("say where the next page begins, and count only when asked to", async () => {
      const first = (await get("pagination[cursor]=*&pagination[limit]=20")).meta.pagination;
      expect(Object.keys(first)).to.deep.equal(["pageSize", "nextCursor"]);
      const counted = `pagination[cursor]=${first.nextCursor}&pagination[limit]=20&pagination[withCount]=true`;
      expect((await get(counted)).meta.pagination).to.deep.equal({
        pageSize: 20,
        nextCursor: null,
        pageCount: 2,
        total: COUNT,
      });
    });

    it("go on where they were when entries before that place come and go", async () => {
      const first = await get("sort=slug:asc&pagination[cursor]=*&pagination[pageSize]=5");
      const path = `/api/articles/${first.data[0].documentId}`;
      const slug = first.data[0].slug as string;
      await served().request("PUT", path, { body: { data: { slug: "zzz" } } });
      const next = `sort=slug:asc&pagination[cursor]=${first.meta.pagination.nextCursor}&pagination[pageSize]=1`;
      const [after] = (await get(next)).data;
      await served().request("PUT", path, { body: { data: { slug } } });
      expect(after).to.deep.include((await get("sort=slug:asc&pagination[start]=5&pagination[limit]=1")).data[0]);
    });

    it("stay good for other filters, and begin behind the same place in what those choose", async () => {
      const first = (await get("sort=slug:asc&pagination[cursor]=*&pagination[pageSize]=5")).meta.pagination;
      const chosen =
        "sort=slug:asc&filters[title][$in][0]=Title 1&filters[title][$in][1]=Title 2&pagination[pageSize]=100";
      const slugs = async (query: string) => (await get(query)).data.map(({ slug }: { slug: string }) => slug);
      const fifth = (await slugs("sort=slug:asc&pagination[pageSize]=5")).at(-1);
      const behind = (await slugs(chosen)).filter((slug: string) => slug > fifth);
      expect(await slugs(`${chosen}&pagination[cursor]=${first.nextCursor}`)).to.deep.equal(behind);
    });

    it("are of a content-type in an order, and their refusal says so", async () => {
      const { nextCursor } = (await get("sort=id:desc&pagination[cursor]=*&pagination[pageSize]=2")).meta.pagination;
      for (const path of ["articles?sort=id:asc", "categories?sort=id:desc"]) {
        const { status, body } = await served().request("GET", `/api/${path}&pagination[cursor]=${nextCursor}`);
        expect([status, body.error.message], path).to.deep.equal([
          400,
          "Invalid pagination cursor: it is not the nextCursor of a page of the same content-type in the same order. Begin again with pagination[cursor]=*",
        ]);
      }
    });

    const refused: readonly [what: string, query: (cursor: string) => string, code: string][] = [
      ["a text that is not a cursor", () => "pagination[cursor]=abc", "PLINTH_QUERY_INVALID_CURSOR"],
      ["an empty one", () => "pagination[cursor]=", "PLINTH_QUERY_INVALID_CURSOR"],
      ["an empty one with a size", () => "pagination[cursor]=&pagination[pageSize]=4", "PLINTH_QUERY_INVALID_CURSOR"],
      ["a list", () => "pagination[cursor][]=a", "PLINTH_QUERY_INVALID_SHAPE"],
      ["a cursor that was changed", (c) => `pagination[cursor]=${c}A&sort=views`, "PLINTH_QUERY_INVALID_CURSOR"],
      ["a cursor of another order", (c) => `pagination[cursor]=${c}&sort=views:desc`, "PLINTH_QUERY_INVALID_CURSOR"],
      ["a page beside it", () => "pagination[cursor]=*&pagination[page]=2", "PLINTH_QUERY_CURSOR_WITH_PAGE"],
      ["a start beside it", () => "pagination[cursor]=*&pagination[start]=2", "PLINTH_QUERY_CURSOR_WITH_PAGE"],
    ];
    for (const [what, query, code] of refused) {
      it(`refuse ${what}`, async () => {
        const { nextCursor } = (await get("sort=views&pagination[cursor]=*&pagination[pageSize]=2")).meta.pagination;
        const { status, body } = await served().request("GET", `/api/articles?${query(nextCursor)}`);
        expect([status, body.error.code]).to.deep.equal([400, code]);
      });
    }
  });
});
