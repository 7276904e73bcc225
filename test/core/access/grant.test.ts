import { expect } from "chai";
import { createAbility } from "#core/access/grant.js";

describe("grant", () => {
  it("read allows every find and findOne, and nothing else", () => {
    const { can } = createAbility("read");
    expect(["api::a.a.find", "api::a.a.findOne", "plugin::x.y.find"].every(can)).to.equal(true);
    expect(["api::a.a.create", "api::a.a.findFirst", "api::a.refind", "find"].some(can)).to.equal(false);
  });

  it("all allows everything and none nothing", () => {
    expect(createAbility("all").can("api::a.a.delete")).to.equal(true);
    expect(createAbility("none").can("api::a.a.find")).to.equal(false);
    expect(createAbility([]).can("api::a.a.find")).to.equal(false);
  });

  it("a list allows its actions, with * for any text and every other character for itself", () => {
    const { can } = createAbility(["api::article.*", "api::author.author.find"]);
    expect(can("api::article.article.delete")).to.equal(true);
    expect(can("api::author.author.find")).to.equal(true);
    expect(can("api::author.author.findOne")).to.equal(false);
    expect(can("api::articles.article.find")).to.equal(false);
    expect(can("xapi::article.article.find")).to.equal(false);
  });

  it("equal grants have equal keys, different ones different keys", () => {
    expect(createAbility(["api::b.*", "api::a.*"]).key).to.equal(
      createAbility(["api::a.*", "api::b.*", "api::a.*"]).key,
    );
    const keys = ["none", "read", "all", ["api::a.*"], ["api::b.*"]].map((grant) => createAbility(grant as "read").key);
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
