import { expect } from "chai";
import { frozenCopy } from "#core/base/frozen-copy.js";

describe("a frozen copy", () => {
  it("cannot be changed at any depth and leaves the original as it was", () => {
    const original = { list: [{ a: 1 }], deep: { b: 2 } };
    const copy = frozenCopy(original);
    expect(copy).to.deep.equal(original);
    expect([copy, copy.list, copy.list[0], copy.deep]).to.satisfy((parts: object[]) => parts.every(Object.isFrozen));
    expect(original).not.to.be.frozen;
    expect(original.deep).not.to.be.frozen;
  });

  it("keeps class instances and functions as they are", () => {
    const original = { when: new Date(0), key: Buffer.from("k"), run: () => 1 };
    const copy = frozenCopy(original);
    expect(copy.when).to.equal(original.when).and.not.to.be.frozen;
    expect(copy.key).to.equal(original.key);
    expect(copy.run).to.equal(original.run);
  });

  it("does not let a __proto__ key touch a prototype", () => {
    const copy = frozenCopy(JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>);
    expect(copy["polluted"]).to.equal(undefined);
    expect(Object.getPrototypeOf(copy)).to.equal(Object.prototype);
  });
});
