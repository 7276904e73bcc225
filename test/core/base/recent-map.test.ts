import { expect } from "chai";
import { RecentMap } from "../../../core/src/base/recent-map.js";

describe("a map of what was used lately", () => {
  it("never holds more than it may, whatever comes", () => {
    const map = new RecentMap<number, string>(10);
    for (let key = 0; key < 1000; key += 1) {
      map.set(key, `${key}`);
      expect(map.size).to.be.at.most(10);
    }
  });

  it("keeps the half that was used last, and what is asked for again and again", () => {
    const map = new RecentMap<number, string>(10);
    for (let key = 0; key < 100; key += 1) {
      map.set(key, `${key}`);
      expect(map.get(0)).to.equal("0");
    }
    for (let key = 96; key < 100; key += 1) expect(map.get(key)).to.equal(`${key}`);
    expect(map.get(50)).to.equal(undefined);
  });

  it("gives the value that was set last", () => {
    const map = new RecentMap<string, string>(4);
    map.set("a", "old");
    for (const key of ["b", "c"]) map.set(key, key);
    map.set("a", "new");
    for (const key of ["d", "a"]) map.get(key);
    expect(map.get("a")).to.equal("new");
  });

  it("makes what is missing once, and nothing where making fails", () => {
    const map = new RecentMap<string, string>(4);
    let made = 0;
    const make = () => `made ${++made}`;
    expect([map.getOrMake("a", make), map.getOrMake("a", make)]).to.deep.equal(["made 1", "made 1"]);
    expect(() =>
      map.getOrMake("b", () => {
        throw new Error("no");
      }),
    ).to.throw("no");
    expect(map.get("b")).to.equal(undefined);
  });

  it("never holds more bytes than it may, and nothing that takes an eighth of them", () => {
    const map = new RecentMap<number, string>(1000, { of: (_key, value) => value.length, most: 1000 });
    map.set(0, "x".repeat(126));
    expect(map.get(0)).to.equal(undefined);
    for (let key = 1; key < 200; key += 1) map.set(key, "x".repeat(100));
    expect(map.size).to.be.at.most(12);
    expect(map.get(199)).to.have.length(100);
  });
});
