import { execFileSync } from "node:child_process";
import { expect } from "chai";

describe("the flag of V8 that `plinth start` sets", () => {
  it("is one that this version of V8 knows", () => {
    const flags = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    expect(flags).to.match(/^\s+--(no-)?allocation-site-pretenuring\b/m);
  });
});
