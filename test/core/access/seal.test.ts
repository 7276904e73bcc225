import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { SEAL_BYTES, sealBytes, unsealBytes } from "#core/access/seal.js";

describe("sealed bytes", () => {
  const key = randomBytes(32);
  const plain = Buffer.from("the engine weaves");

  it("are read with their key, and are others each time", () => {
    const sealed = sealBytes(plain, key);
    expect(unsealBytes(sealed, key)).to.deep.equal(plain);
    expect(sealed).to.have.length(plain.length + SEAL_BYTES);
    expect(sealBytes(plain, key)).to.not.deep.equal(sealed);
    expect(unsealBytes(sealBytes(Buffer.alloc(0), key), key)).to.deep.equal(Buffer.alloc(0));
  });

  it("are nothing with another key, with a bit changed, or cut short", () => {
    const sealed = sealBytes(plain, key);
    expect(unsealBytes(sealed, randomBytes(32))).to.equal(undefined);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index);
      expect(unsealBytes(changed, key), String(index)).to.equal(undefined);
      expect(unsealBytes(sealed.subarray(0, index), key), String(index)).to.equal(undefined);
    }
  });
});
