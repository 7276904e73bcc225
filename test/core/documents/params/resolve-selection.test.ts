import { expect } from "chai";
import { createAbility } from "#core/access/grant.js";
import type { ReadSelection, SelectionRequest } from "#core/documents/params/selection-request.js";
import { publicAbility, read, refusal } from "./read-query.js";

const limits = { defaultLimit: 10, maxLimit: 50, withCount: false };
const NAME: SelectionRequest = { fields: [{ name: "name" }], populate: [] };
const TITLE: SelectionRequest = { fields: [{ name: "title" }], populate: [] };

const selectionOf = (request: SelectionRequest) => read({}, { selection: { limits, ...request } });

describe("What a read returns, as data", () => {
  it("is exactly what was named, under the names that were given", () => {
    const fields = [
      { name: "title", alias: "a" },
      { name: "startsAt", form: "time" as const },
      { constant: "Article", alias: "type" },
    ];
    expect(selectionOf({ fields, populate: [], order: ["type", "startsAt", "a"] }).query.selection).to.deep.equal({
      fields: [
        { field: "title", alias: "a" },
        { field: "startsAt", alias: "startsAt", form: "time" },
        { constant: "Article", alias: "type" },
      ],
      populate: [],
      order: ["type", "startsAt", "a"],
    });
  });

  it("may have one relation several times, each with its own arguments and page", () => {
    const { query, values } = selectionOf({
      fields: [],
      populate: [
        { name: "categories", ...NAME },
        {
          name: "categories",
          alias: "some",
          filters: { name: { $eq: "x" } },
          sort: "name:desc",
          pagination: { start: 2, limit: 500 },
          ...NAME,
        },
      ],
    });
    const selection = { fields: ["name"], populate: [] };
    const base = { kind: "relation", field: "categories" };
    expect(query.selection.populate).to.deep.equal([
      { ...base, sort: [], page: { start: 1, limit: 2 }, selection },
      {
        ...base,
        alias: "some",
        filter: { op: "compare", field: "name", operator: "$eq", value: 3 },
        sort: [{ path: ["name"], direction: "desc" }],
        page: { start: 4, limit: 5 },
        selection,
      },
    ]);
    expect(values).to.deep.equal(["en", 0, 10, "x", 2, 50, 0, 25]);
  });

  it("leaves out what the actor may not see, and says so", () => {
    const author = { name: "author", ...NAME };
    const { query, deniedFields } = read(
      {},
      { ability: publicAbility, selection: { limits, fields: [], populate: [author] } },
    );
    expect(query.selection.populate).to.deep.equal([]);
    expect([...deniedFields.keys()]).to.deep.equal([author]);
    const body = { name: "body" };
    const secret = { name: "secret" };
    const selection: ReadSelection = { limits, fields: [{ name: "title" }, body, secret], populate: [] };
    const ability = createAbility([{ action: "api::article.article.find", fields: ["title", "secret"] }]);
    const limited = read({}, { ability, selection });
    expect(limited.query.selection.fields).to.deep.equal(["title"]);
    expect([...limited.deniedFields.keys()]).to.deep.equal([body, secret]);
  });

  it("of a zone is what was named for each component, and other items do not come", () => {
    const on = new Map([["sections.hero", TITLE]]);
    const { query } = selectionOf({ fields: [], populate: [{ name: "sections", ...NAME, on }] });
    expect(query.selection.populate).to.deep.equal([
      {
        kind: "zone",
        field: "sections",
        items: [{ component: "sections.hero", selection: { fields: ["title"], populate: [] } }],
      },
    ]);
  });

  it("can be put into an object of its own", () => {
    const box = { name: undefined, alias: "box", fields: [], populate: [{ name: "author", ...NAME }] };
    const [group] = selectionOf({ fields: [], populate: [box] }).query.selection.populate;
    expect(group).to.deep.include({ kind: "group", field: "box" });
  });

  it("refuses names that do not exist, and arguments that are wrong", () => {
    const refuse = (request: SelectionRequest) => refusal({}, { selection: { limits, ...request } }).code;
    expect(refuse({ fields: [{ name: "nope" }], populate: [] })).to.equal("PLINTH_QUERY_INVALID_KEY");
    expect(refuse({ fields: [{ name: "author" }], populate: [] })).to.equal("PLINTH_QUERY_INVALID_KEY");
    expect(refuse({ fields: [], populate: [{ name: "title", ...NAME }] })).to.equal("PLINTH_QUERY_INVALID_KEY");
    const pagination = { page: 1, start: 1 };
    expect(refuse({ fields: [], populate: [{ name: "categories", pagination, ...NAME }] })).to.equal(
      "PLINTH_QUERY_MIXED_PAGINATION",
    );
  });
});
