import { expect } from "chai";
import { createAbility, type Grant } from "#core/access/grant.js";
import { createReadParser } from "#core/documents/params/read-cache.js";
import { defaultQueryLimits, QueryCache } from "#core/http/query-string.js";
import { model } from "./read-query.js";

const TYPE = model.contentTypes.get("api::article.article");
if (!TYPE) throw new TypeError("The corpus app has no article.");
const FIND = "api::article.article.find";
const parse = createReadParser(model, TYPE, () => ({ kind: "list", defaultStatus: "published" }));
const one = createReadParser(model, TYPE, () => ({ kind: "one", defaultStatus: "published" }));

const userOf = (id: number) => ({ user: { id, documentId: `user-${id}` } });

/** What a caller with a grant reads by a query string. */
function readAs(grant: Grant, user: number, text = "filters[views][$gt]=1") {
  const ability = createAbility(grant, userOf(user));
  return parse(queries.parse(text), { visibility: "public", ability });
}

const queries = new QueryCache(defaultQueryLimits);

describe("reads by query strings", () => {
  it("are parsed once for callers who may do the same", () => {
    expect(readAs("read", 1)).to.equal(readAs("read", 2));
    expect(readAs("read", 1)).to.not.equal(readAs("read", 1, "filters[views][$gt]=2"));
    expect(readAs("read", 1)).to.not.equal(readAs("all", 1));
  });

  it("with rules are parsed once for callers of equal values, and never shared by others", () => {
    const own: Grant = ["*.find", { action: FIND, where: { title: "{{user.documentId}}" } }];
    expect(readAs(own, 1)).to.equal(readAs(own, 1));
    const [first, second] = [readAs(own, 1), readAs(own, 2)];
    expect(JSON.stringify(first.values)).to.not.equal(JSON.stringify(second.values));
    const fixed: Grant = ["*.find", { action: FIND, where: { title: "shown" } }];
    expect(readAs(fixed, 1)).to.equal(readAs(fixed, 2));
  });

  it("are parsed again where a rule holds the moment", () => {
    const soon: Grant = ["*.find", { action: FIND, where: { stamp: { $lt: "{{now}}" } } }];
    expect(readAs(soon, 1)).to.not.equal(readAs(soon, 1));
  });

  it("are parsed again from parameters that code made, which may have changed since", () => {
    const params = { filters: { views: 1 } };
    const caller = { visibility: "code", ability: createAbility("all") } as const;
    expect(parse(params, caller)).to.not.equal(parse(params, caller));
  });

  it("of one document are those of any other but for its id", () => {
    const caller = { visibility: "public", ability: createAbility("read") } as const;
    const query = queries.parse("populate=author");
    const [left, right] = [one(query, caller, "left"), one(query, caller, "right")];
    expect(left.query).to.equal(right.query);
    expect(JSON.stringify(left.values)).to.not.equal(JSON.stringify(right.values));
  });

  it("cannot be changed through their parameters, which requests share", () => {
    const query = queries.parse("filters[title][$in][0]=a") as { filters: { title: { $in: string[] } } };
    expect(() => query.filters.title.$in.push("b")).to.throw(TypeError);
    expect(queries.parse("filters[title][$in][0]=a")).to.equal(query);
  });
});
