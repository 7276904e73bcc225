import { expect } from "chai";
import { withResolvers } from "#core/base/with-resolvers.js";
import { Turns } from "#plugins/content-api/src/controllers/turns.js";

const WITHOUT_END = 3_600_000;

describe("The turns of requests with one key", () => {
  it("come one after the other, also after one that failed, while those of other keys go on", async () => {
    const turns = new Turns({ most: 10, time: WITHOUT_END });
    const first = withResolvers<void>();
    const done: string[] = [];
    const all = [
      turns.take("a", () => first.promise.then(() => done.push("a1"))),
      turns
        .take("a", async () => {
          done.push("a2");
          throw new TypeError("of a2");
        })
        .catch((error: Error) => done.push(error.message)),
      turns.take("a", async () => done.push("a3")),
    ];
    await turns.take("b", async () => done.push("b"));
    expect(done).to.deep.equal(["b"]);
    first.resolve();
    await Promise.all(all);
    expect(done).to.have.members(["b", "a1", "a2", "of a2", "a3"]);
    expect(done.filter((name) => name.startsWith("a"))).to.deep.equal(["a1", "a2", "a3"]);
  });

  it("that take too long are a 409, and the ones after them wait for the first all the same", async () => {
    const turns = new Turns({ most: 10, time: 1 });
    const first = withResolvers<void>();
    const one = turns.take("a", () => first.promise);
    for (const _ of [1, 2]) {
      const refused = await turns.take("a", async () => "early").catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_REST_KEY_IN_USE", status: 409 });
    }
    first.resolve();
    await one;
    expect(await turns.take("a", async () => "late")).to.equal("late");
  });

  it("are waited for by so many, and a 409 for more, until one of them is done", async () => {
    const turns = new Turns({ most: 2, time: WITHOUT_END });
    const first = withResolvers<void>();
    const three = [1, 2, 3].map((number) => turns.take("a", () => first.promise.then(() => number)));
    const refused = await turns.take("a", async () => 4).catch((error: unknown) => error);
    expect(refused).to.include({ code: "PLINTH_REST_KEY_IN_USE" });
    expect(await turns.take("b", async () => 5)).to.equal(5);
    first.resolve();
    expect(await Promise.all(three)).to.deep.equal([1, 2, 3]);
    expect(await turns.take("a", async () => 6)).to.equal(6);
  });
});
