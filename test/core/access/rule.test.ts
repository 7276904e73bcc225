import { expect } from "chai";
import { type Ability, allowAction, EVERYTHING, NOTHING } from "#core/access/ability.js";
import { checkGrant } from "#core/access/check-grant.js";
import { createAbility, type Grant, mergeGrants } from "#core/access/grant.js";

const FIND = "api::article.article.find";
const own = { action: FIND, where: { author: { id: "{{user.id}}" } } };
const ada = { user: { id: 7, documentId: "ada" } };
const whereOf = (ability: Ability) => {
  const reach = ability.reachOf(FIND);
  return reach.rows === "some" ? reach.where : undefined;
};
const problemsOf = (grant: unknown) => checkGrant(grant, "g").map(({ path, message }) => `${path}: ${message}`);

describe("rules of a grant", () => {
  it("limit their action, and no other", () => {
    const ability = createAbility(["api::article.*", { action: FIND, where: { views: 1 }, fields: ["title"] }]);
    expect(ability.can(FIND)).to.equal(true);
    expect(ability.reachOf(FIND)).to.deep.equal({ rows: "some", where: { views: 1 }, fields: new Set(["title"]) });
    expect(ability.reachOf("api::article.article.findOne")).to.equal(EVERYTHING);
  });

  it("an action that is not granted reaches nothing, whatever else is", () => {
    for (const grant of ["none", "read", [FIND], ["api::article.*"]] as const)
      expect(createAbility(grant).reachOf("api::author.author.update")).to.equal(NOTHING);
    const ability = allowAction(createAbility([own], ada), "api::author.author.update");
    expect(ability.reachOf("api::author.author.update")).to.equal(EVERYTHING);
    expect(ability.reachOf(FIND)).to.have.property("rows", "some");
    expect(ability.key).not.to.equal(createAbility([own], ada).key);
    expect(allowAction(ability, FIND)).to.equal(ability);
  });

  it("a rule grants its action, and says of all rows and fields what it says nothing about", () => {
    const ability = createAbility([{ action: FIND }]);
    expect(ability.can(FIND)).to.equal(true);
    expect(ability.reachOf(FIND)).to.deep.equal(EVERYTHING);
  });

  it("actions with many stars are matched in no time, and mean what one star means", () => {
    const start = process.cpuUsage();
    const many = createAbility([`api::${"*".repeat(20_000)}.find`, `api::${"*a".repeat(10_000)}*`]);
    expect([many.can(FIND), many.can(`api::${"a".repeat(20_000)}!`)]).to.deep.equal([true, true]);
    expect(many.can(`api::${"b".repeat(20_000)}`)).to.equal(false);
    expect(process.cpuUsage(start).user / 1000, "milliseconds of processor").to.be.below(1000);
    const grants = ["api::*.find", "*", "*.find", "api::a*a.find", "api::art*cle.*icle.f*"];
    expect(grants.map((grant) => createAbility([grant]).can(FIND))).to.deep.equal([true, true, true, false, true]);
    expect(createAbility(["api::a*a.find"]).can("api::a.find")).to.equal(false);
  });

  it("templates stand for the actor's values, at any depth and with their kinds", () => {
    const where = { $or: [{ author: "{{user.documentId}}" }, { author: { id: { $in: ["{{ user.id }}", "x{y}"] } } }] };
    expect(whereOf(createAbility([{ action: FIND, where }], ada))).to.deep.equal({
      $or: [{ author: "ada" }, { author: { id: { $in: [7, "x{y}"] } } }],
    });
  });

  it("now is the time at which it is asked for", () => {
    const ability = createAbility([{ action: FIND, where: { at: { $lt: "{{now}}" } } }]);
    const before = Date.now();
    const where = whereOf(ability) as { at: { $lt: string } } | undefined;
    expect(Date.parse(where?.at.$lt ?? "")).to.be.within(before, Date.now());
  });

  it("abilities say whose values their rules hold, and nothing where these change by the moment", () => {
    const valuesOf = (where: object, user = ada) => createAbility([{ action: FIND, where: { ...where } }], user).values;
    const bob = { user: { id: 8, documentId: "bob" } };
    expect(valuesOf({ title: "x" })).to.equal(valuesOf({ title: "x" }, bob));
    expect(valuesOf({ author: "{{user.id}}" })).to.equal(valuesOf({ author: "{{user.id}}" }));
    expect(valuesOf({ author: "{{user.id}}" })).to.not.equal(valuesOf({ author: "{{user.id}}" }, bob));
    expect(valuesOf({ author: "{{user.id}}", at: { $lt: "{{now}}" } })).to.equal(undefined);
  });

  it("what asks for a user reaches nothing without one, also where it is negated", () => {
    expect(createAbility([own]).reachOf(FIND)).to.equal(NOTHING);
    const others = { action: FIND, where: { $not: { author: { id: "{{user.id}}" } } } };
    expect(createAbility([others]).reachOf(FIND)).to.equal(NOTHING);
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
    const united = createAbility(mergeGrants([own], [FIND, "api::a.a.find"]), ada);
    expect(whereOf(united)).to.deep.equal({ author: { id: 7 } });
    expect(united.can("api::a.a.find")).to.equal(true);
    expect(createAbility(mergeGrants([FIND], [own])).reachOf(FIND)).to.equal(EVERYTHING);
    const all = createAbility(mergeGrants([own], "all"), ada);
    expect(all.can("api::a.a.delete")).to.equal(true);
    expect(all.reachOf(FIND)).to.deep.equal({ rows: "some", where: { author: { id: 7 } }, fields: undefined });
    expect(createAbility(mergeGrants("none", "read")).can("api::a.a.find")).to.equal(true);
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
      { action: "api::article.article.archive", where: [] },
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
    const twice = [`g: has two rules for ${FIND}; merge them into one`];
    expect(problemsOf([{ action: FIND }, own])).to.deep.equal(twice);
    expect(problemsOf([FIND, own])).to.deep.equal(twice);
    expect(problemsOf([FIND, FIND])).to.deep.equal([]);
  });
});
