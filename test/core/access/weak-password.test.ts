import { expect } from "chai";
import { passwordWeakness } from "#core/access/passwords/weak-password.js";

const rules = { minLength: 8, allowCommon: false, names: ["ada.l", "Ada@Example.com"] };
const COMMON = "must not be one of the most common ones";

describe("a password", () => {
  it("has a length", () => {
    expect(passwordWeakness("Xk3-v", rules)).to.equal("must be at least 8 characters");
    expect(passwordWeakness("Xk3-v", { ...rules, minLength: 5 })).to.equal(undefined);
  });

  it("is none of the most common ones, in any letter case or width", () => {
    for (const common of [
      "password",
      "Password1",
      "PASSW0RD",
      "ｐａｓｓｗｏｒｄ",
      "qwerty123",
      "iloveyou",
      " welcome1 ",
    ])
      expect(passwordWeakness(common, rules), common).to.equal(COMMON);
    expect(passwordWeakness("password", { ...rules, allowCommon: true })).to.equal(undefined);
  });

  it("is not the same characters over and over, or neighbours of a keyboard or an alphabet", () => {
    for (const run of [
      "aaaaaaaa",
      "12121212",
      "abcabcabc",
      "12345678",
      "87654321",
      "abcdefgh",
      "qwertyui",
      "lkjhgfdsa",
    ])
      expect(passwordWeakness(run, rules), run).to.equal(COMMON);
  });

  it("is not the user's name or address", () => {
    for (const own of ["ADA@example.com", "Ada@Example.com"])
      expect(passwordWeakness(own, rules), own).to.equal("must not be the username or the e-mail address");
    expect(passwordWeakness("ada.l", { ...rules, minLength: 3 })).to.match(/username/);
  });

  it("may be anything else: words with spaces, any script, no digits", () => {
    for (const good of ["correct horse battery", "Analytical-1", "пароль не этот", "aaaaaaaaaaaaaaab"])
      expect(passwordWeakness(good, rules), good).to.equal(undefined);
  });
});
