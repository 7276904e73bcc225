import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { ChangeQueue } from "#core/cli/develop/change-queue.js";

describe("the change queue", () => {
  it("gives changes that come together as one, each file once", async () => {
    const changes = new ChangeQueue();
    const next = changes.next();
    for (const path of ["b.ts", "a.ts", "b.ts"]) changes.add(path);
    expect(await next).to.deep.equal(["a.ts", "b.ts"]);
  });

  it("keeps changes that come while nobody waits", async () => {
    const changes = new ChangeQueue();
    changes.add("a.ts");
    await sleep(200);
    changes.add("b.ts");
    expect(await changes.next()).to.deep.equal(["a.ts", "b.ts"]);
  });

  it("wakes whoever waits when it ends", async () => {
    const changes = new ChangeQueue();
    const next = changes.next();
    changes.add("a.ts");
    changes.end();
    expect(await next).to.equal(undefined);
    expect(await changes.next()).to.equal(undefined);
  });
});
