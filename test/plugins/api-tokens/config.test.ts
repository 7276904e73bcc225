import { expect } from "chai";
import { parseTokensConfig } from "#plugins/api-tokens/src/config.js";

describe("the configuration of api-tokens", () => {
  it("may be left out, whole or in part", () => {
    expect(parseTokensConfig(undefined)).to.deep.include({ salt: [], sessionLife: 1800 });
    expect(parseTokensConfig({ salt: undefined, loginLimit: 9 })).to.deep.include({ salt: [], loginLimit: 9 });
  });

  it("takes secrets one by one or as lists, and leaves out empty ones", () => {
    const [newest, older] = ["the newest of the salts", "an older one of them"];
    expect(parseTokensConfig({ salt: newest, adminSecret: [newest, "", older] })).to.deep.include({
      salt: [newest],
      adminSecret: [newest, older],
    });
    expect(() => parseTokensConfig({ salt: [newest, "too-short"] }))
      .to.throw(/salt/)
      .and.not.match(/too-short/);
  });

  it("is refused with every reason, and without secrets", () => {
    const wrong = { salt: "too-short", adminSecret: 7, sessionLife: 0, lastUseInterval: "5", loginLimits: 5 };
    const parse = () => parseTokensConfig(wrong);
    expect(parse).to.throw().with.property("code", "PLINTH_TOKENS_CONFIG_INVALID");
    expect(parse).to.throw(/loginLimits[\s\S]*salt[\s\S]*adminSecret[\s\S]*sessionLife[\s\S]*lastUseInterval/);
    expect(parse).not.to.throw(/too-short/);
    for (const raw of [null, [], "salt"])
      expect(() => parseTokensConfig(raw))
        .to.throw()
        .with.property("code", "PLINTH_TOKENS_CONFIG_INVALID");
  });
});
