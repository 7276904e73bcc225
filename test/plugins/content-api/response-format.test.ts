import { expect } from "chai";
import { wrapEntry } from "#plugins/content-api/src/controllers/respond.js";
import { corpusModel } from "../../core/schema/corpus-model.js";

const model = corpusModel();
const wrap = (uid: string, row: object) =>
  wrapEntry(model, model.contentTypes.get(uid)!, row as Record<string, unknown>);
const ada = { id: 1, documentId: "ada", name: "Ada" };
const wrappedAda = { id: 1, documentId: "ada", attributes: { name: "Ada" } };

describe("The older response format", () => {
  it("puts everything but the ids under attributes", () => {
    expect(wrap("api::author.author", ada)).to.deep.equal(wrappedAda);
  });

  it("wraps relations and media in data, empty ones too", () => {
    const row = { id: 2, documentId: "x", author: ada, categories: [], cover: null, extra: { documentId: 1 } };
    expect(wrap("api::article.article", row)).to.deep.equal({
      id: 2,
      documentId: "x",
      attributes: {
        author: { data: wrappedAda },
        categories: { data: [] },
        cover: { data: null },
        extra: { documentId: 1 },
      },
    });
  });

  it("keeps components flat, and wraps the relations inside", () => {
    const row = {
      id: 2,
      documentId: "x",
      seo: null,
      links: [{ id: 5, label: "a", category: null }],
      sections: [{ __component: "sections.quote", id: 6, text: "To be", author: ada }],
    };
    expect(wrap("api::article.article", row)["attributes"]).to.deep.equal({
      seo: null,
      links: [{ id: 5, label: "a", category: { data: null } }],
      sections: [{ __component: "sections.quote", id: 6, text: "To be", author: { data: wrappedAda } }],
    });
  });

  it("leaves a count as it is", () => {
    const row = { id: 1, documentId: "ada", articles: { count: 6 } };
    expect(wrap("api::author.author", row)["attributes"]).to.deep.equal({ articles: { count: 6 } });
  });
});
