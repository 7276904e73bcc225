import { expect } from "chai";
import { checkValue } from "#core/schema/constraints.js";
import type { ScalarAttribute } from "#core/schema/model.js";
import { printPath, printValue } from "#core/schema/value-problem.js";

type Mode = "draft" | "publish";

function check(attribute: Partial<ScalarAttribute>, value: unknown, mode: Mode = "publish"): string[] {
  const whole = { required: false, values: [], kind: "string", ...attribute } as ScalarAttribute;
  return checkValue(whole, value, { path: ["seo", "x"], mode }).map(({ message }) => message);
}

describe("the constraints of an attribute", () => {
  it("speak as the reference does", () => {
    const rows: [Partial<ScalarAttribute>, unknown, string][] = [
      [{ maxLength: 3 }, "abcd", "must be at most 3 characters"],
      [{ minLength: 2 }, "a", "must be at least 2 characters"],
      [{ minLength: 2 }, "", "must be at least 2 characters"],
      [{ kind: "email" }, "not-an-email", "must be a valid email"],
      [{ kind: "email" }, "", "cannot be empty"],
      [
        { kind: "enumeration", values: ["news", "opinion"] },
        "poetry",
        "must be one of the following values: news, opinion, ",
      ],
      [{ kind: "uid" }, "!!", 'must match the following: "/^[A-Za-z0-9-_.~]*$/"'],
      [{ regex: "^a+$" }, "b", 'must match the following: "/^a+$/"'],
      [{ kind: "integer", max: 5 }, 6, "must be less than or equal to 5"],
      [{ kind: "integer", min: 1 }, 0, "must be greater than or equal to 1"],
      [
        { kind: "biginteger", min: "9007199254740993" },
        "9007199254740992",
        "must be greater than or equal to 9007199254740993",
      ],
      [{ required: true }, undefined, "must be defined."],
      [{ required: true }, null, "must be a `string` type, but the final value was: `null`."],
      [{ kind: "blocks", required: true }, null, "must be a `array` type, but the final value was: `null`."],
      [{ kind: "date", required: true }, null, "must be defined."],
      [{ required: true }, "", "is a required field"],
      [{ kind: "richtext", required: true }, " \n ", "is a required field"],
      [{ required: true, minLength: 2 }, "", "must be at least 2 characters"],
      [{ kind: "email", required: true }, "", "cannot be empty"],
      [{ kind: "uid" }, "", "cannot be empty"],
    ];
    for (const [attribute, value, text] of rows) {
      expect(check(attribute, value), JSON.stringify(value)).to.deep.equal([`seo.x ${text}`]);
    }
  });

  it("pass what fits, and what is missing where nothing is required", () => {
    const rows: [Partial<ScalarAttribute>, unknown][] = [
      [{ maxLength: 3, minLength: 3 }, "abc"],
      [{ kind: "email" }, "MiXed.o'x+tag@sub.Example.COM"],
      [{ kind: "email" }, "jürgen@müller.example"],
      [{ kind: "uid" }, "a-Z_0.~"],
      [{ kind: "enumeration", values: ["a"] }, "a"],
      [{ regex: "^a+$" }, ""],
      [{ kind: "integer", min: 1, max: 1 }, 1],
      [{ required: false, minLength: 5 }, null],
      [{ required: false }, undefined],
      [{ required: false }, ""],
    ];
    for (const [attribute, value] of rows) expect(check(attribute, value), JSON.stringify(value)).to.deep.equal([]);
  });

  it("are relaxed for drafts only where a half-written document cannot fulfil them", () => {
    const relaxed: [Partial<ScalarAttribute>, unknown][] = [
      [{ required: true }, null],
      [{ required: true }, undefined],
      [{ required: true }, " "],
      [{ minLength: 5 }, "a"],
      [{ kind: "email" }, "x"],
      [{ regex: "^a$" }, "b"],
      [{ kind: "integer", min: 5 }, 1],
    ];
    for (const [attribute, value] of relaxed) expect(check(attribute, value, "draft")).to.deep.equal([]);
    expect(check({ maxLength: 1 }, "ab", "draft")).to.have.lengthOf(1);
    expect(check({ kind: "enumeration", values: ["a"] }, "b", "draft")).to.have.lengthOf(1);
    for (const uid of ["!!", ""]) expect(check({ kind: "uid" }, uid, "draft"), uid).to.have.lengthOf(1);
  });

  it("report several problems of one value", () => {
    expect(check({ minLength: 3, regex: "^a+$" }, "b")).to.have.lengthOf(2);
  });

  it("do not show a password that breaks them", () => {
    const attribute = { kind: "password", minLength: 8, required: false, values: [] } as unknown as ScalarAttribute;
    expect(checkValue(attribute, "short", { path: ["secret"], mode: "publish" })).to.deep.equal([
      { path: ["secret"], message: "secret must be at least 8 characters" },
    ]);
  });

  it("read a malicious email in no time", () => {
    const began = process.cpuUsage();
    for (const text of [
      `${"a".repeat(100_000)}!`,
      `a@${"a-".repeat(50_000)}`,
      `a@${"a.".repeat(50_000)}`,
      `${"a.".repeat(50_000)}@`,
    ]) {
      check({ kind: "email" }, text);
    }
    expect(process.cpuUsage(began).user / 1000, "milliseconds of processor").to.be.lessThan(500);
  });
});

describe("values in messages", () => {
  it("are printed with texts in quotes, twice inside lists and objects", () => {
    const rows: [unknown, string][] = [
      ["a", '"a"'],
      [null, "null"],
      [-0, "-0"],
      [Number.NaN, "NaN"],
      [["a", 1], '[\n  "\\"a\\"",\n  "1"\n]'],
      [{ label: "x" }, '{\n  "label": "\\"x\\""\n}'],
      [[{ title: "x" }], '[\n  {\n    "title": "\\"x\\""\n  }\n]'],
    ];
    for (const [value, text] of rows) expect(printValue(value)).to.equal(text);
  });

  it("stay short, however large or deep they are", () => {
    expect(printValue(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))).length).to.be.lessThan(2100);
    expect(printValue("x".repeat(1_000_000)).length).to.be.lessThan(2100);
  });

  it("stand at a path with indexes in brackets", () => {
    expect(printPath(["seo", "meta", "0", "property"])).to.equal("seo.meta[0].property");
    expect(printPath([])).to.equal("this");
  });
});
