import { expect } from "chai";
import { codeOf, importsOf } from "../../scripts/source-text.mjs";

describe("reading source as text", () => {
  it("finds imports, re-exports, side effects, dynamic imports and import types", () => {
    const text = [
      'import koa from "koa";',
      'import type { A } from "./a.js";',
      "import {",
      "  b,",
      '} from "./b.js";',
      'export * from "./c.js";',
      'import "./d.js";',
      'const e = await import("./e.js");',
      'type F = import("./f.js").F;',
    ].join("\n");
    expect(importsOf(text)).to.have.members(["koa", "./a.js", "./b.js", "./c.js", "./d.js", "./e.js", "./f.js"]);
  });

  it("finds no import in comments and in templates of other files", () => {
    const text = [
      "// import './a.js'",
      "/* \nimport './b.js'\n */",
      "const made = `",
      'import x from "./c.js";',
      "`;",
    ].join("\n");
    expect(importsOf(text)).to.deep.equal([]);
  });

  it("keeps the line of everything that is code", () => {
    const code = codeOf(["/* one", "two */", "const a = `x${b ? `}` : 1}`;", "throw a;"].join("\n"));
    expect(code.split("\n")[3]).to.equal("throw a;");
  });

  it("is not led astray by quotes inside a regular expression", () => {
    expect(codeOf('const quote = /["`/]/;\nconst a = 1 / 2; // end').split("\n")[1]).to.match(/^const a = 1 \/ 2; +$/);
  });
});
