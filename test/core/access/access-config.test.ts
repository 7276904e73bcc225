import { expect } from "chai";
import { parseAccessConfig } from "#core/access/access-config.js";

function problemsOf(raw: unknown): readonly string[] {
  try {
    parseAccessConfig(raw);
    return [];
  } catch (error) {
    const { code, details } = error as { code: string; details: { problems: { path: string }[] } };
    expect(code).to.equal("PLINTH_ACCESS_INVALID_CONFIG");
    return details.problems.map((problem) => problem.path);
  }
}

describe("access configuration", () => {
  it("is closed when it says nothing", () => {
    expect(parseAccessConfig(undefined)).to.deep.equal({ public: "none", tokens: {} });
  });

  it("reports everything that is wrong at once, and never a whole token", () => {
    const secret = "s3cret-s3cret";
    const raw = { public: "write", tokens: { [secret]: ["find"], short: "all" }, tokns: {} };
    expect(problemsOf(raw)).to.deep.equal([
      "access.tokns",
      "access.public",
      "access.tokens.s3cr...[0]",
      "access.tokens.shor...",
    ]);
    expect(() => parseAccessConfig(raw))
      .to.throw(/"find"/)
      .and.not.match(/s3cret-s3cret/);
  });

  it("refuses what is not an object", () => {
    expect(problemsOf("read")).to.deep.equal(["access"]);
    expect(problemsOf({ tokens: ["a"] })).to.deep.equal(["access.tokens"]);
    expect(problemsOf({ public: [1] })).to.deep.equal(["access.public[0]"]);
  });
});
