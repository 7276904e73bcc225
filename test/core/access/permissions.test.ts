import { expect } from "chai";
import { createAbility, type Grant } from "#core/access/grant.js";
import { parsePermissions } from "#core/access/permissions.js";

const FIND = "api::article.article.find";

function problemsOf(...grants: unknown[]): readonly string[] {
  try {
    parsePermissions(grants.map((given, index) => ({ name: `source${index}`, grants: given })));
    return [];
  } catch (error) {
    const { code, details } = error as { code: string; details: { problems: { path: string }[] } };
    expect(code).to.equal("PLINTH_ACCESS_INVALID_PERMISSIONS");
    return details.problems.map(({ path }) => path);
  }
}

describe("permissions as code", () => {
  it("give each role what all places grant it", () => {
    const roles = parsePermissions([
      { name: "plugin::notes.notes", grants: { public: [FIND], editor: "read" } },
      { name: "permissions", grants: { public: [FIND, "api::author.*"], editor: ["api::article.*"] } },
      { name: "nothing", grants: undefined },
    ]);
    expect(roles.get("public")).to.deep.equal([FIND, "api::author.*"]);
    const editor = createAbility(roles.get("editor") as Grant);
    expect(["api::article.article.delete", "api::x.x.find"].every(editor.can)).to.equal(true);
    expect(roles.get("author")).to.equal(undefined);
  });

  it("report every fault of every place at once", () => {
    expect(problemsOf([], { "no role": "all", public: ["x"] }, { public: [{ action: 1 }] })).to.deep.equal([
      "source0",
      "source1.no role",
      "source1.public[0]",
      "source2.public[0].action",
    ]);
  });

  it("two places cannot limit one action of a role, nor can one limit what the other grants", () => {
    const rule = { action: FIND, fields: ["title"] };
    expect(problemsOf({ public: [rule] }, { public: [rule] })).to.deep.equal(["source1.public"]);
    expect(problemsOf({ public: [FIND] }, { public: [rule] })).to.deep.equal(["source1.public"]);
    expect(problemsOf({ public: [rule] }, { editor: [rule] })).to.deep.equal([]);
  });
});
