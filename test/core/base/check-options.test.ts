import { expect } from "chai";
import { check, checkOptions, typoOf } from "../../../core/src/base/check-options.js";

const CHECKS = { port: check.whole(0, 65_535), host: check.text("127.0.0.1"), token: check.text("a secret") };

describe("checking options", () => {
  const problemsOf = (raw: unknown) =>
    checkOptions(raw, CHECKS, { path: "server", secrets: ["token"] }).map(({ path, message }) => `${path} ${message}`);

  it("takes known keys with values that fit, and nothing at all", () => {
    expect(problemsOf({ port: 0, host: "localhost", token: undefined })).to.deep.equal([]);
    expect(problemsOf(undefined)).to.deep.equal([]);
  });

  it("names every unknown key and every wrong value at once, with what was meant", () => {
    expect(problemsOf({ prot: 1, port: "abc", host: "" })).to.deep.equal([
      'server.prot is not known. Did you mean "port"? Known: port, host, token.',
      'server.port must be a whole number from 0 to 65535, and is "abc"',
      'server.host must be a string such as 127.0.0.1, and is ""',
    ]);
    expect(problemsOf([1])).to.deep.equal(["server must be an object, and is [1]"]);
  });

  it("never shows the value of a secret", () => {
    expect(problemsOf({ token: 12345 })).to.deep.equal(["server.token must be a string such as a secret"]);
  });

  it("takes a name for a typing mistake only when it is very near", () => {
    const known = ["permissions", "server", "api"];
    expect(typoOf("permission", known)).to.equal("permissions");
    expect(typoOf("permisions", known)).to.equal("permissions");
    expect(typoOf("sever", known)).to.equal("server");
    expect(typoOf("app", known)).to.equal(undefined);
    expect(typoOf("search", known)).to.equal(undefined);
    expect(typoOf("server", known)).to.equal(undefined);
  });
});
