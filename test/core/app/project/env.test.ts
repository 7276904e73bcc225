import { expect } from "chai";
import { createEnv } from "#core/app/project/env.js";

const env = createEnv({ HOST: "example.org", PORT: " 80 ", DEBUG: "Yes", NAMES: "ada, emmy,,", EMPTY: "" });

describe("environment variables in configuration files", () => {
  it("are read as text, whole numbers, truth values and lists", () => {
    expect(env("HOST")).to.equal("example.org");
    expect(env.int("PORT")).to.equal(80);
    expect(env.bool("DEBUG")).to.equal(true);
    expect(env.array("NAMES")).to.deep.equal(["ada", "emmy"]);
  });

  it("fall back when they are missing or empty", () => {
    expect(env("NONE", "here")).to.equal("here");
    expect(env("EMPTY", "here")).to.equal("here");
    expect(env.int("NONE", 1337)).to.equal(1337);
    expect(env.bool("NONE", false)).to.equal(false);
    expect(env.array("NONE", ["a"])).to.deep.equal(["a"]);
  });

  for (const [what, read, message] of [
    ["a missing variable without a fallback", () => env("NONE"), "NONE has to be set"],
    ["text where a number belongs", () => env.int("HOST", 1), "HOST has to be a whole number"],
    ["a number where a truth value belongs", () => env.bool("PORT", true), "PORT has to be true or false"],
  ] as const) {
    it(`refuse ${what}, and say which variable it is`, () => {
      expect(read).to.throw(message).with.property("code", "PLINTH_CONFIG_ENVIRONMENT");
    });
  }
});
