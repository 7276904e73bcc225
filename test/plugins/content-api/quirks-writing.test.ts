import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp, writeDocument } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

// Where the reference takes, refuses or deletes in a way that WIRE.md decides otherwise, or leaves open.
describe("Writes that the reference gets wrong", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    seedCorpusApp(app);
    const create = (data: unknown, query = "") => app().request("POST", `/api/articles${query}`, { body: { data } });
    const countArticles = async () =>
      (await app().request("GET", "/api/articles?status=draft")).body.meta.pagination.total;

    /** The error of a refused article, which must not have been written. */
    const refusal = async (data: unknown, query = "") => {
      const before = await countArticles();
      const { status, body } = await create(data, query);
      expect([status, body.data, body.error?.name], JSON.stringify(body)).to.deep.equal([400, null, "ValidationError"]);
      expect(await countArticles()).to.equal(before);
      return body.error;
    };

    /** The path and message of the one thing that is wrong with a refused article. */
    const problem = async (data: object) => {
      const { message, details } = await refusal(data);
      expect(details.errors.map((error: { message: string }) => error.message)).to.deep.equal([message]);
      return [details.errors[0].path.join("."), message];
    };

    it("publishedAt in a body is ignored, in drafts too", async () => {
      const data = { title: "pub at", publishedAt: "2020-01-01T00:00:00.000Z" };
      const draft = await create(data, "?fields=publishedAt&status=draft");
      expect([draft.status, draft.body.data.publishedAt]).to.deep.equal([201, null]);
      const published = await create(data, "?fields=publishedAt");
      expect(published.body.data.publishedAt > "2021").to.equal(true);
    });

    it("an unknown status is refused, and does not write a draft", async () => {
      expect((await refusal({ title: "Bad status" }, "?status=nope")).message).to.equal(
        'Invalid status "nope": expected "draft" or "published"',
      );
    });

    it("a draft may have the uid of a published document, and is refused when it is published", async () => {
      const draft = await create({ title: "Dup", slug: "article-01" }, "?status=draft");
      expect([draft.status, draft.body.data.slug, draft.body.data.publishedAt]).to.deep.equal([
        201,
        "article-01",
        null,
      ]);
      const path = `/api/articles/${draft.body.data.documentId}`;
      const { status, body } = await app().request("PUT", path, { body: { data: {} } });
      expect([status, body.error.message]).to.deep.equal([400, "This attribute must be unique"]);
      expect(body.error.details.errors[0].path).to.deep.equal(["slug"]);
      expect((await app().request("GET", `${path}?status=draft`)).body.data.slug).to.equal("article-01");
    });

    it("a list under data is refused", async () => {
      expect((await refusal([{ title: "x" }])).message).to.include("this must be a `object` type");
    });

    for (const title of ["", "  \n "]) {
      it(`a required text may be ${JSON.stringify(title)} in a draft, and not when it is published`, async () => {
        expect(await problem({ title })).to.deep.equal(["title", "title is a required field"]);
        const draft = await create({ title }, "?status=draft");
        expect([draft.status, draft.body.data.title]).to.deep.equal([201, title]);
      });
    }

    it("a required text without drafts must not be blank either", async () => {
      const { status, body } = await app().request("POST", "/api/authors", { body: { data: { name: " " } } });
      expect([status, body.error.message]).to.deep.equal([400, "name is a required field"]);
    });

    it("a required text inside a component must not be blank either", async () => {
      const seo = { metaTitle: "T", meta: [{ property: " " }] };
      expect(await problem({ title: "x", seo })).to.deep.equal([
        "seo.meta.0.property",
        "seo.meta[0].property is a required field",
      ]);
    });

    it("an empty uid is refused", async () => {
      expect(await problem({ title: "x", slug: "" })).to.deep.equal(["slug", "slug cannot be empty"]);
    });

    it("an integer beyond four bytes is refused with its range", async () => {
      expect(await problem({ title: "x", views: 3_000_000_000 })).to.deep.equal([
        "views",
        "views must be between -2147483648 and 2147483647",
      ]);
    });

    it("a biginteger beyond eight bytes is refused with its range", async () => {
      const [path, message] = await problem({ title: "x", bigviews: "9223372036854775808" });
      expect([path, message]).to.deep.equal([
        "bigviews",
        "bigviews must be between -9223372036854775808 and 9223372036854775807",
      ]);
    });

    it("a decimal of more digits than are stored is refused with its range", async () => {
      expect(await problem({ title: "x", rating: 1_000_000_000_000_000 })).to.deep.equal([
        "rating",
        "rating must be between -99999999.99 and 99999999.99",
      ]);
    });

    it("a text that is not JSON is refused by a json attribute", async () => {
      expect(await problem({ title: "x", extra: "plain" })).to.deep.equal([
        "extra",
        'extra must be a `json` type, but the final value was: `"plain"`.',
      ]);
    });

    for (const content of ["hello", { type: "paragraph" }]) {
      it(`blocks given as ${JSON.stringify(content)} are refused, not stored as null`, async () => {
        const [path, message] = await problem({ title: "x", content });
        expect(path).to.equal("content");
        expect(message).to.include("content must be a `array` type");
      });
    }

    it("a number for the text of a block is refused with its place", async () => {
      const content = [{ type: "paragraph", children: [{ text: 5, type: "text" }] }];
      const [path, message] = await problem({ title: "x", content });
      expect(path).to.equal("content.0.children.0.text");
      expect(message).to.include("content[0].children[0].text must be a `string` type");
    });

    it("an empty text for a relation is refused with the relation's name", async () => {
      expect(await problem({ title: "x", author: "" })).to.deep.equal([
        "author",
        "author must be the document id or the row id of an entry",
      ]);
    });

    it("a password that bcrypt would cut is refused, and not shown", async () => {
      const { message, details } = await refusal({ title: "x", secret: "s".repeat(73) });
      expect(message).to.equal("secret must be less than 73 bytes");
      expect(details.errors).to.deep.equal([{ path: ["secret"], message, name: "ValidationError" }]);
    });

    it("deleting a document twice is a 204 twice", async () => {
      const { documentId } = await writeDocument(app(), "/api/articles", { title: "Del" });
      for (const _ of [1, 2]) {
        const { status, body } = await app().request("DELETE", `/api/articles/${documentId}`);
        expect([status, body]).to.deep.equal([204, ""]);
      }
    });

    it("deleting what never was is a 204", async () => {
      const { status, body } = await app().request("DELETE", "/api/categories/doesnotexist00000000000000");
      expect([status, body]).to.deep.equal([204, ""]);
    });

    for (const asked of ["published", "draft"]) {
      it(`deleting with status=${asked} deletes the draft and the published version`, async () => {
        const { documentId } = await writeDocument(app(), "/api/articles", { title: "Del" });
        const path = `/api/articles/${documentId}`;
        expect((await app().request("DELETE", `${path}?status=${asked}`)).status).to.equal(204);
        for (const status of ["published", "draft"]) {
          expect((await app().request("GET", `${path}?status=${status}`)).status, status).to.equal(404);
        }
      });
    }
  });
});
