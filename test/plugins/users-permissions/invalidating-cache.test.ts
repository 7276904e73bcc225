import { expect } from "chai";
import { InvalidatingCache } from "#plugins/users-permissions/src/actors/actors.js";

describe("a cache that is told of changes", () => {
  const make = (limit = 10) => {
    const state = { isReliable: true, reads: 0 };
    const cache = new InvalidatingCache<string, number>({ limit, isReliable: () => state.isReliable });
    const read = (key = "a") => cache.get(key, async () => ++state.reads);
    return { cache, state, read };
  };

  it("reads once, also for those who ask meanwhile", async () => {
    const { read } = make();
    expect(await Promise.all([read(), read()])).to.deep.equal([1, 1]);
    expect(await read()).to.equal(1);
  });

  it("reads again what it was told to forget", async () => {
    const { cache, read } = make();
    await read();
    cache.invalidate("a");
    expect(await read()).to.equal(2);
    cache.clear();
    expect(await read()).to.equal(3);
  });

  it("keeps nothing that was being read while it was forgotten", async () => {
    const { cache, read } = make();
    const reading = read();
    cache.invalidate("a");
    const again = read();
    expect([await reading, await again, await read()]).to.deep.equal([1, 2, 2]);
    cache.invalidate("a");
    const last = read();
    cache.clear();
    expect([await last, await read()]).to.deep.equal([3, 4]);
  });

  it("tells a caller of a failure also when it was forgotten meanwhile", async () => {
    const { cache } = make();
    const failing = cache.get("a", () => Promise.reject(new TypeError("no"))).catch((error: unknown) => error);
    cache.clear();
    expect(await failing).to.be.instanceOf(TypeError);
  });

  it("reads every time while changes cannot be heard of", async () => {
    const { state, read } = make();
    await read();
    state.isReliable = false;
    expect([await read(), await read()]).to.deep.equal([2, 3]);
  });

  it("keeps no failure", async () => {
    const { cache, read } = make();
    const failed = await cache.get("a", () => Promise.reject(new TypeError("no"))).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(TypeError);
    expect(await read()).to.equal(1);
  });

  it("keeps so many and no more, and lets the one that was not used for longest go first", async () => {
    const { read } = make(2);
    for (const key of ["a", "b", "c"]) await read(key);
    expect(await read("c")).to.equal(3);
    expect(await read("a")).to.equal(4);
  });

  it("keeps no more than its limit, by the size of things", async () => {
    const cache = new InvalidatingCache<number, string>({
      limit: 10,
      sizeOf: (value) => value.length,
      isReliable: () => true,
    });
    const reads: number[] = [];
    const read = (key: number, length: number) =>
      cache.get(key, async () => {
        reads.push(key);
        return "x".repeat(length);
      });
    await read(1, 4);
    await read(2, 5);
    await read(1, 4);
    await read(3, 4);
    await read(1, 4);
    await read(2, 5);
    expect(reads).to.deep.equal([1, 2, 3, 2]);
    await read(4, 100);
    await read(4, 100);
    expect(reads.filter((key) => key === 4)).to.have.length(2);
  });
});
