/** Tests of work that many wait for. */
import { expect } from "chai";
import { NextRun } from "#plugins/live/src/next-run.js";

describe("work that has to begin after it was asked for", () => {
  it("is run once for all who ask while another run is going, after that", async () => {
    const runs = new NextRun();
    const begun: (() => void)[] = [];
    const work = () => new Promise<void>((end) => begun.push(end));
    const turn = () => new Promise((next) => setImmediate(next));
    const first = runs.join(work);
    await turn();
    const [second, third] = [runs.join(work), runs.join(work)];
    await turn();
    expect(begun, "one at a time").to.have.length(1);
    begun[0]?.();
    await first;
    await turn();
    expect(begun, "one for both").to.have.length(2);
    begun[1]?.();
    await Promise.all([second, third]);
  });

  it("fails for all who share it, and goes on for those who come later", async () => {
    const runs = new NextRun();
    const fail = () => Promise.reject(new TypeError("it failed"));
    const results = await Promise.allSettled([runs.join(fail), runs.join(fail)]);
    expect(results.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    let isDone = false;
    await runs.join(async () => {
      isDone = true;
    });
    expect(isDone).to.equal(true);
  });
});
