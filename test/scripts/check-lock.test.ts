import { expect } from "chai";
import { checkLock } from "../../scripts/check-lock.mjs";

const whole = { version: "1.0.0", resolved: "https://registry.npmjs.org/a/-/a-1.0.0.tgz", integrity: "sha512-AA==" };

describe("check-lock", () => {
  it("has nothing to say about packages with address and checksum, and about our own", () => {
    const packages = { "": {}, core: {}, "node_modules/a": whole, "node_modules/@plinth/core": { link: true } };
    expect(checkLock({ packages })).to.deep.equal([]);
  });

  it("finds a package whose address or checksum is missing, nested ones too", () => {
    const { resolved: _address, ...withoutAddress } = whole;
    const { integrity: _checksum, ...withoutChecksum } = whole;
    const packages = { "node_modules/a": withoutAddress, "node_modules/a/node_modules/b": withoutChecksum };
    expect(checkLock({ packages })).to.deep.equal([
      "node_modules/a: has no resolved",
      "node_modules/a/node_modules/b: has no integrity",
    ]);
  });
});
