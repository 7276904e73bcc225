import { jsonText } from "@plinth/core/http";
import { expect } from "chai";
import { createAnswer } from "#plugins/content-api/src/controllers/respond.js";
import { foundOne, foundPage } from "@plinth/plugin-content-api";

const textOf = (answer: object) => (answer as { [jsonText](): string })[jsonText]();

describe("An answer", () => {
  const make = (parse: () => unknown = () => [{ id: 1 }]) =>
    createAnswer({ text: '[{"id":1}]', parse }, { pagination: {} });

  it("is the database's text between data and meta, unparsed", () => {
    const fail = () => {
      throw new TypeError("parsed");
    };
    expect(textOf(make(fail))).to.equal('{"data":[{"id":1}],"meta":{"pagination":{}}}');
  });

  it("carries what a handler changes in it", () => {
    const answer = make();
    (answer.data as { title?: string }[])[0]!.title = "changed";
    answer.meta["extra"] = true;
    expect(JSON.parse(textOf(answer))).to.deep.equal({
      data: [{ id: 1, title: "changed" }],
      meta: { pagination: {}, extra: true },
    });
  });

  it("carries what a handler puts in place of the data or beside them", () => {
    const replaced = make();
    replaced.data = "other";
    expect(JSON.parse(textOf(replaced))).to.deep.equal({ data: "other", meta: { pagination: {} } });
    const extended = Object.assign(make(), { links: [] });
    expect(JSON.parse(textOf(extended))).to.deep.equal({ data: [{ id: 1 }], meta: { pagination: {} }, links: [] });
  });

  it("can be spread into another object", () => {
    expect({ ...make(), meta: {} }).to.deep.equal({ data: [{ id: 1 }], meta: {} });
  });
});

describe("Rows that code made", () => {
  const row = { id: 1, documentId: "a" };

  it("are found as a page or as one", () => {
    const page = foundPage([row], { start: 0, limit: 1 });
    expect([page.text, page.rows()]).to.deep.equal(['[{"id":1,"documentId":"a"}]', [row]]);
    expect(foundOne(row).text).to.equal('{"id":1,"documentId":"a"}');
  });
});
