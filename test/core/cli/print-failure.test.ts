import { expect } from "chai";
import { describeFailure } from "#core/cli/print-failure.js";
import { ModuleFailedError, NoProjectError } from "#core/app/errors.js";
import { InvalidKeyError } from "#core/documents/params/errors.js";
import { PluginPhaseError } from "#core/kernel/errors.js";

/** A project that holds none of the code here. */
const ROOT = "/x";

describe("the description of a failure", () => {
  it("gives code, message and remedy", () => {
    const [first, second] = describeFailure(new NoProjectError({ directory: "/x" }), ROOT);
    expect(first).to.match(/^Error PLINTH_PROJECT_NOT_FOUND: \/x holds no Plinth project/);
    expect(second).to.match(/^ {2}What to do: .*plinth new/);
  });

  it("goes down to the causes, and does not repeat what was said", () => {
    const cause = new Error("no such column", { cause: new RangeError("deep down") });
    const lines = describeFailure(new ModuleFailedError({ file: "a.ts", reason: cause.message }, { cause }), ROOT);
    expect(lines.filter((line) => line.includes("no such column"))).to.have.length(1);
    expect(lines.at(-1)).to.equal("  because RangeError: deep down");
  });

  it("names every one of several causes, and ends in a circle", () => {
    const circle: Error = new Error("outer");
    circle.cause = new AggregateError([new Error("one"), new Error("two"), circle]);
    expect(describeFailure(circle, ROOT)).to.deep.equal(["Error outer", "  because one", "  because two"]);
  });

  it("says where in the project's own code an unknown error came up, and not which version of it", () => {
    const failure = new TypeError("x is not a function");
    failure.stack = `TypeError: x is not a function
    at next (file:///x/node_modules/library/index.js:3:1)
    at Object.bootstrap (file:///x/src/my%20app.ts?plinth-version=4:12:7)
    at file:///x/src/index.ts:1:1`;
    expect(describeFailure(failure, ROOT)).to.deep.equal([
      "Error TypeError: x is not a function",
      "  Where: src/my app.ts:12:7",
    ]);
  });

  it("says where code called with a wrong name, and which", () => {
    const key = new InvalidKeyError({ key: "titel", path: null, source: "query", param: "filters" });
    key.stack = `Error: ...\n    at lookUp (file:///x/node_modules/@plinth/core/a.js:1:1)\n    at async find (file:///x/src/index.ts:7:3)`;
    const failure = new PluginPhaseError({ plugin: "app", phase: "bootstrap", reason: key.message }, { cause: key });
    expect(describeFailure(failure, ROOT)).to.deep.equal([
      'Error PLINTH_PLUGIN_PHASE: Plugin "app" failed in bootstrap',
      "  because PLINTH_QUERY_INVALID_KEY: Invalid key titel",
      '  Details: {"key":"titel","path":null,"source":"query","param":"filters"}',
      "  Where: src/index.ts:7:3",
      ...describeFailure(key, ROOT).slice(-1),
    ]);
  });

  it("takes anything that was thrown", () => {
    expect(describeFailure("text", ROOT)).to.deep.equal(["Error text"]);
  });
});
