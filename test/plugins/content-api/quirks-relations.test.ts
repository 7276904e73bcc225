import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp, type Written, writeDocument } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

const POPULATED = "populate[categories][fields]=slug&populate[author][fields]=name&populate[related][fields]=title";

// Where the reference links documents, or keeps components, in a way that WIRE.md decides otherwise, or leaves open.
describe("Relations and components that the reference gets wrong", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const newArticle = (data: object = {}) => writeDocument(app(), "/api/articles", { title: "Rel", ...data });
    const put = ({ documentId }: Written, data: object) =>
      app().request("PUT", `/api/articles/${documentId}?${POPULATED}`, { body: { data } });
    const read = async ({ documentId }: Written) =>
      (await app().request("GET", `/api/articles/${documentId}?${POPULATED}`)).body.data;
    const categoriesOf = async (article: Written) =>
      (await read(article)).categories.map(({ slug }: { slug: string }) => slug);

    /** The error of a refused change of the categories hardware and science, which must have stayed. */
    const refusal = async (categories: object) => {
      const { hardware, science } = content();
      const article = await newArticle({ categories: [hardware.documentId, science.documentId] });
      const { status, body } = await put(article, { categories });
      expect([status, body.error?.name], JSON.stringify(body)).to.deep.equal([400, "ValidationError"]);
      expect(await categoriesOf(article)).to.deep.equal(["hardware", "science"]);
      return body.error;
    };

    it("set: null clears a relation to one", async () => {
      const article = await newArticle({ author: content().ada.documentId });
      const { status, body } = await put(article, { author: { set: null } });
      expect([status, body.data.author]).to.deep.equal([200, null]);
    });

    it("a position beside what is not linked is refused, in the ids that the client sent", async () => {
      const { software, technology } = content();
      const position = { before: technology.documentId };
      const error = await refusal({ connect: [{ documentId: software.documentId, position }] });
      expect(error.message).to.equal(
        `The position in categories refers to "${technology.documentId}", which is not linked there.`,
      );
      expect(error.details).to.deep.equal({});
    });

    it("an unknown key in a position is refused", async () => {
      const { software, hardware } = content();
      const position = { above: hardware.documentId };
      const error = await refusal({ connect: [{ documentId: software.documentId, position }] });
      expect(error.message).to.equal("Invalid key above at categories.connect.position");
    });

    it("disconnecting a document that does not exist is refused", async () => {
      expect((await refusal({ disconnect: ["nosuchdocument0000000000"] })).message).to.match(/not found/);
    });

    it("disconnecting a row id that does not exist, or that is not linked, changes nothing", async () => {
      const { hardware, science, software } = content();
      const linked = [hardware.documentId, science.documentId];
      const seo = { metaTitle: "Linked" };
      const article = await newArticle({ categories: linked, seo, links: [{ label: "a", category: science.id }] });
      for (const target of [999_999, { id: 999_999 }, "999999", software.id]) {
        const { status } = await put(article, {
          categories: { disconnect: [target] },
          author: { disconnect: [target] },
        });
        expect(status, JSON.stringify(target)).to.equal(200);
        expect(await categoriesOf(article)).to.deep.equal(["hardware", "science"]);
      }
      const both = await put(article, { categories: { disconnect: [{ id: 999_999 }, hardware.id] } });
      expect([both.status, await categoriesOf(article)]).to.deep.equal([200, ["science"]]);
    });

    it("connecting a row id that does not exist stays refused, also where it is disconnected as well", async () => {
      expect((await refusal({ connect: [999_999], disconnect: [999_999] })).message).to.match(/do not exist/);
    });

    it("set beside connect is refused, for it is unclear which of them is meant", async () => {
      const { software, technology } = content();
      const error = await refusal({ set: [software.documentId], connect: [technology.documentId] });
      expect(error.message).to.equal("categories.set cannot be combined with connect or disconnect");
    });

    it("connecting two where one belongs is refused, and so is a list of two", async () => {
      const { ada, grace } = content();
      const article = await newArticle({ author: ada.documentId });
      const both = [grace.documentId, ada.documentId];
      for (const author of [{ connect: both }, { set: both }, both]) {
        const { status, body } = await put(article, { author });
        expect([status, body.error?.name]).to.deep.equal([400, "ValidationError"]);
        expect(body.error.message).to.include("must be one entry at most, but 2 were given");
      }
      expect((await read(article)).author.name).to.equal("Ada");
    });

    it("a link to a draft shows as soon as the draft is published", async () => {
      const later = await writeDocument(app(), "/api/articles?status=draft", { title: "Later" });
      const article = await newArticle({ related: [later.documentId] });
      expect((await read(article)).related).to.deep.equal([]);
      await put(later, {});
      expect((await read(article)).related.map(({ title }: { title: string }) => title)).to.deep.equal(["Later"]);
    });

    it("a link stays when its target is published again, and so does the target's row id", async () => {
      const target = await newArticle({ title: "Target" });
      const article = await newArticle({ related: [target.documentId] });
      await put(target, { title: "Target v2" });
      const [related] = (await read(article)).related;
      expect(related).to.deep.equal({ id: target.id, documentId: target.documentId, title: "Target v2" });
    });

    it("a category can be its own parent, and reading it ends", async () => {
      const { documentId } = await writeDocument(app(), "/api/categories", { name: "Loop" });
      const path = `/api/categories/${documentId}?fields=name&populate[parent][populate]=parent`;
      const { status, body } = await app().request("PUT", path, { body: { data: { parent: documentId } } });
      expect([status, body.data.parent.name, body.data.parent.parent.name]).to.deep.equal([200, "Loop", "Loop"]);
    });

    describe("components", () => {
      const SEO = "fields=title&populate[seo][populate]=meta";

      it("keep their ids from version to version, so that an id that was read works in an update", async () => {
        const meta = [{ property: "a", content: "1" }, { property: "b" }];
        const written = await writeDocument(app(), `/api/articles?${SEO}`, {
          title: "Comp",
          seo: { metaTitle: "T", metaDescription: "D", meta },
        });
        const { seo } = written as Written & { seo: { id: number; meta: { id: number }[] } };
        const data = { seo: { id: seo.id, metaTitle: "T2" } };
        const { status, body } = await app().request("PUT", `/api/articles/${written.documentId}?${SEO}`, {
          body: { data },
        });
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.data.seo).to.deep.include({ id: seo.id, metaTitle: "T2", metaDescription: "D", meta: seo.meta });
      });

      it("of no version of the document are refused", async () => {
        const other = await writeDocument(app(), `/api/articles?${SEO}`, { title: "Other", seo: { metaTitle: "T" } });
        const { seo } = other as Written & { seo: { id: number } };
        const { status, body } = await put(await newArticle(), { seo: { id: seo.id, metaTitle: "Stolen" } });
        expect([status, body.error.name, body.error.message]).to.deep.equal([
          400,
          "ApplicationError",
          "Some of the provided components in seo are not related to the entity",
        ]);
      });

      for (const [what, sections, path, message] of [
        ["a zone's item without a component", [{ title: "x" }], "sections.0.__component", "is a required field"],
        [
          "a zone's item of a component that the zone does not list",
          [{ __component: "shared.seo", metaTitle: "x" }],
          "sections.0.__component",
          "must be one of the following values: sections.hero, sections.quote, sections.gallery",
        ],
        [
          "a zone's item of a component that does not exist",
          [{ __component: "sections.nope", title: "x" }],
          "sections.0.__component",
          "must be one of the following values: sections.hero, sections.quote, sections.gallery",
        ],
        ["a text for a zone", "x", "sections", 'must be a `array` type, but the final value was: `"x"`.'],
      ] as const) {
        it(`${what} is refused with one problem, in words for clients`, async () => {
          const { status, body } = await put(await newArticle(), { sections });
          const errors = body.error.details.errors.map((error: { path: string[] }) => error.path.join("."));
          expect([status, errors]).to.deep.equal([400, [path]]);
          expect(body.error.message).to.equal(`${path.replace(".0", "[0]")} ${message}`);
        });
      }
    });
  });
});
