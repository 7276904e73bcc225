import { expect } from "chai";
import { describeKnown, nearestName, typoOf } from "#core/base/suggest.js";

describe("the name that was meant", () => {
  it("is the one with the fewest differing letters, whatever their case", () => {
    expect(nearestName("titel", ["body", "title", "tile"])).to.equal("title");
    expect(nearestName("TITLE", ["title"])).to.equal("title");
  });

  it("is not guessed when nothing is near", () => {
    expect(nearestName("title", ["slug", "body"])).to.equal(undefined);
    expect(nearestName("title", [])).to.equal(undefined);
  });

  it("ends a message, followed by what is known", () => {
    expect(describeKnown("titel", ["body", "title"])).to.equal('Did you mean "title"? Known: body, title.');
    expect(describeKnown("x", [])).to.equal("Known: none.");
  });

  it("does not drown a message in names", () => {
    const many = Array.from({ length: 43 }, (_, index) => `name${index}`);
    expect(describeKnown("zzz", many)).to.match(/name14 and 28 more\.$/);
  });

  it("is a typing mistake only when it is very near", () => {
    const known = ["permissions", "server", "api"];
    expect(typoOf("permission", known)).to.equal("permissions");
    expect(typoOf("permisions", known)).to.equal("permissions");
    expect(typoOf("sever", known)).to.equal("server");
    expect(typoOf("app", known)).to.equal(undefined);
    expect(typoOf("search", known)).to.equal(undefined);
    expect(typoOf("server", known)).to.equal(undefined);
  });
});
