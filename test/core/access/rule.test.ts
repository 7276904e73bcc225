import { expect } from "chai";
import { checkGrant } from "../../../core/src/access/check-grant.js";
import { createAbility, type Grant, uniteGrants } from "../../../core/src/access/grant.js";

const FIND = "api::article.article.find";
const own = { action: FIND, where: { author: { id: "{{user.id}}" } } };
const ada = { user: { id: 7, documentId: "ada" } };
const problemsOf = (grant: unknown) => checkGrant(grant, "g").map(({ path, message }) => `${path}: ${message}`);

describe("rules of a grant", () => {
  it("limit their action, and no other", () => {
    const ability = createAbility(["api::article.*", { action: FIND, where: { views: 1 }, fields: ["title"] }]);
    expect(ability.can(FIND)).to.equal(true);
    expect(ability.limitsOf(FIND)).to.deep.equal({ where: { views: 1 }, fields: new Set(["title"]) });
    expect(ability.limitsOf("api::article.article.findOne")).to.equal(undefined);
  });

  it("a rule grants its action, and says of all rows and fields what it says nothing about", () => {
    const ability = createAbility([{ action: FIND }]);
    expect(ability.can(FIND)).to.equal(true);
    expect(ability.limitsOf(FIND)).to.deep.equal({ where: undefined, fields: undefined });
  });

  it("templates stand for the actor's values, at any depth and with their kinds", () => {
    const where = { $or: [{ author: "{{user.documentId}}" }, { author: { id: { $in: ["{{ user.id }}", "x{y}"] } } }] };
    expect(createAbility([{ action: FIND, where }], ada).limitsOf(FIND)?.where).to.deep.equal({
      $or: [{ author: "ada" }, { author: { id: { $in: [7, "x{y}"] } } }],
    });
  });

  it("now is the time at which it is asked for", () => {
    const ability = createAbility([{ action: FIND, where: { at: { $lt: "{{now}}" } } }]);
    const where = ability.limitsOf(FIND)?.where as { at: { $lt: string } } | undefined;
    expect(Math.abs(Date.parse(where?.at.$lt ?? "") - Date.now())).to.be.below(5000);
  });

  it("what asks for a user matches nothing without one, also where it is negated", () => {
    const nothing = { $or: [] };
    expect(createAbility([own]).limitsOf(FIND)?.where).to.deep.equal(nothing);
    const others = { action: FIND, where: { $not: { author: { id: "{{user.id}}" } } } };
    expect(createAbility([others]).limitsOf(FIND)?.where).to.deep.equal(nothing);
  });

  it("equal rules have equal keys whoever holds them, and different ones different keys", () => {
    const key = (grant: Grant, variables = ada) => createAbility(grant, variables).key;
    expect(key([own])).to.equal(key([own], { user: { id: 8, documentId: "bob" } }));
    expect(key([{ action: FIND, where: { a: 1, b: 2 }, fields: ["x", "y"] }])).to.equal(
      key([{ action: FIND, fields: ["y", "x"], where: { b: 2, a: 1 } }]),
    );
    const different = [
      createAbility([own]).key,
      ...[[own], [FIND], [{ action: FIND, fields: [] }], [{ action: FIND, where: { a: 1 } }]].map((grant) =>
        key(grant),
      ),
    ];
    expect(new Set(different).size).to.equal(different.length);
  });

  it("two grants are united, and what the first says of an action holds", () => {
    const united = createAbility(uniteGrants([own], [FIND, "api::a.a.find"]), ada);
    expect(united.limitsOf(FIND)?.where).to.deep.equal({ author: { id: 7 } });
    expect(united.can("api::a.a.find")).to.equal(true);
    expect(createAbility(uniteGrants([FIND], [own])).limitsOf(FIND)).to.equal(undefined);
    const all = createAbility(uniteGrants([own], "all"), ada);
    expect([all.can("api::a.a.delete"), all.limitsOf(FIND)?.fields]).to.deep.equal([true, undefined]);
    expect(all.limitsOf(FIND)?.where).to.deep.equal({ author: { id: 7 } });
    expect(createAbility(uniteGrants("none", "read")).can("api::a.a.find")).to.equal(true);
  });
});

describe("the form of a grant", () => {
  it("is right when it is a keyword, or a list of actions and rules", () => {
    const rule = { action: FIND, where: { author: "{{user.documentId}}" }, fields: ["title"] };
    for (const grant of ["none", "read", "all", [], ["*", "*.find", "api::article.*", rule]])
      expect(problemsOf(grant)).to.deep.equal([]);
  });

  it("every fault is told, with its place", () => {
    const told = problemsOf([
      "find",
      7,
      { action: "api::article.*", were: {} },
      { action: "api::article.article.publish", where: [] },
      { action: FIND, where: { a: "{{user.email}}", b: "by {{user.id}}" }, fields: "title" },
      { action: "api::article.article.delete", fields: ["title"] },
    ]);
    expect(told.map((problem) => problem.split(":")[0])).to.deep.equal([
      "g[0]",
      "g[1]",
      "g[2].were",
      "g[2].action",
      "g[3].action",
      "g[3].where",
      "g[4].where",
      "g[4].where",
      "g[4].fields",
      "g[5].fields",
    ]);
    expect(problemsOf({ public: "all" })[0]).to.match(/must be "none", "read", "all" or a list/);
  });

  it("one action cannot be spoken of by two rules, or by a rule and its name", () => {
    const twice = [`g: says two things about ${FIND}; make them one rule`];
    expect(problemsOf([{ action: FIND }, own])).to.deep.equal(twice);
    expect(problemsOf([FIND, own])).to.deep.equal(twice);
    expect(problemsOf([FIND, FIND])).to.deep.equal([]);
  });
});
