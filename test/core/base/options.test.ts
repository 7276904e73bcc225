import { expect } from "chai";
import * as v from "@plinth/core/valibot";
import { parseOptions } from "#core/base/options/parse-options.js";
import { allowed, noList, options, secret, text, whole } from "#core/base/options/values.js";

const CONFIG = options({
  port: v.optional(whole(0, 65_535), 1337),
  host: v.optional(text("127.0.0.1")),
  token: v.optional(v.pipe(v.union([text(), v.array(v.string())]), secret())),
});

describe("checking options", () => {
  const problemsOf = (raw: unknown, schema: v.GenericSchema = CONFIG) =>
    parseOptions(schema, raw, "server").problems?.map(({ path, message }) => `${path} ${message}`) ?? [];

  it("takes known keys with values that fit, and nothing at all", () => {
    expect(parseOptions(CONFIG, { host: "localhost", token: undefined }, "server").value).to.deep.equal({
      port: 1337,
      host: "localhost",
      token: undefined,
    });
    expect(parseOptions(CONFIG, undefined, "server").value).to.deep.equal({ port: 1337 });
  });

  it("names every unknown key and every wrong value at once, with what was meant", () => {
    expect(problemsOf({ port: "abc", host: "", prot: 1, hots: 2 })).to.deep.equal([
      'server.prot is not known. Did you mean "port"? Known: port, host, token.',
      'server.hots is not known. Did you mean "host"? Known: port, host, token.',
      'server.port must be a whole number from 0 to 65535, and is "abc"',
      'server.host must be a string such as 127.0.0.1, and is ""',
    ]);
    for (const raw of [[], [1], null, "a"])
      expect(problemsOf(raw)).to.deep.equal([`server must be an object, and is ${JSON.stringify(raw)}`]);
  });

  it("never shows the value of a secret, nor a part of it", () => {
    expect(problemsOf({ token: 12_345 })).to.deep.equal([
      "server.token must be a string that is not empty or a list of strings",
    ]);
    expect(problemsOf({ token: ["a", 12_345] })).to.deep.equal(["server.token[1] must be a string"]);
  });

  it("says what is missing, and where inside lists, records and alternatives a value is wrong", () => {
    const schema = options({
      pool: options({ max: whole(1) }),
      rates: v.record(v.string(), whole(1)),
      mode: v.union([v.boolean(), v.literal("auto"), options({ level: v.picklist(["a", "b"]) })]),
      size: v.pipe(v.union([v.literal(-1), v.number()]), allowed("a size")),
      list: v.optional(v.nullable(v.array(v.pipe(v.string(), v.minLength(2), v.maxLength(4))))),
    });
    expect(
      problemsOf({ pool: {}, rates: { a: 0 }, mode: { level: "c" }, size: "1", list: ["a"] }, schema),
    ).to.deep.equal([
      "server.pool.max is missing; it must be a whole number from 1",
      "server.rates.a must be a whole number from 1, and is 0",
      'server.mode.level must be one of a, b, and is "c"',
      'server.size must be a size, and is "1"',
      'server.list[0] must be a string of 2 to 4 characters, and is "a"',
    ]);
    expect(problemsOf({ pool: { max: 1 }, rates: {}, mode: 1, size: 1, list: 1 }, schema)).to.deep.equal([
      'server.mode must be true, false, "auto" or an object, and is 1',
      "server.list must be a list or null, and is 1",
    ]);
  });

  it("checks what a key decides by that key", () => {
    const one = v.strictObject({ client: v.literal("one"), file: text() });
    const two = v.strictObject({ client: v.literal("two"), port: v.pipe(v.number(), v.gtValue(0)) });
    const schema = noList(v.variant("client", [one, two]));
    expect(problemsOf({ client: "three" }, schema)).to.deep.equal([
      'server.client must be "one" or "two", and is "three"',
    ]);
    expect(problemsOf({ client: "two", file: "a", port: 0 }, schema)).to.deep.equal([
      "server.file is not known. Known: client, port.",
      "server.port must be a number greater than 0, and is 0",
    ]);
  });

  it("says of a record which names of keys it takes", () => {
    const schema = options({
      widths: v.record(v.pipe(v.string(), v.regex(/^[a-z]+$/), allowed("named by letters")), whole(1)),
    });
    expect(problemsOf({ widths: { A1: 1 } }, schema)).to.deep.equal([
      'server.widths.A1 must be named by letters, and is "A1"',
    ]);
  });

  it("takes the words of a schema where it has its own", () => {
    const schema = options({ name: v.pipe(v.string(), v.regex(/^[a-z]+$/, "has other characters than a to z")) });
    expect(problemsOf({ name: "A1" }, schema)).to.deep.equal(["server.name has other characters than a to z"]);
  });
});
