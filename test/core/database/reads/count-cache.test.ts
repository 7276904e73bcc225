import { expect } from "chai";
import { CountCache } from "#core/database/reads/reader.js";

const LENGTH = 20_000;
const NUMBER = 200;

describe("Kept totals", () => {
  it("are bounded by their bytes, whatever the values that clients list, and the last ones are known", () => {
    const totals = new CountCache();
    const list = { key: "books", slots: [0] };
    const valuesOf = (at: number) => [[at, "x".repeat(LENGTH)]];
    for (let at = 0; at < NUMBER; at += 1) totals.set(list, valuesOf(at), { stamp: "s", total: String(at) });
    expect(totals.get(list, valuesOf(NUMBER - 1))?.total).to.equal(String(NUMBER - 1));
    const known = Array.from({ length: NUMBER }, (_, at) => at).filter((at) => totals.get(list, valuesOf(at)));
    expect(known.length * LENGTH).to.be.within(LENGTH, 2_000_000);
    totals.set(list, [["x".repeat(1_000_000)]], { stamp: "s", total: "1" });
    expect(totals.get(list, [["x".repeat(1_000_000)]])).to.equal(undefined);
  });
});
