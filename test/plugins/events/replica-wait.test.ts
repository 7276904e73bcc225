import { expect } from "chai";
import { ReplicaWait } from "#plugins/events/src/replica-wait.js";

/** A database whose log goes on with each look at it. */
class Moving {
  looks = 0;
  readonly waited: (string | undefined)[] = [];
  readonly replicas = {
    commitText: "select position",
    allAt: async (position: string | undefined) => void this.waited.push(position),
  };

  async query() {
    this.looks += 1;
    return [{ position: `1/${this.looks}` }];
  }
}

describe("waiting for replicas before events are handed on", () => {
  it("waits for one point of the log with all events that were settled by then", async () => {
    const db = new Moving();
    const wait = new ReplicaWait(db as never);
    // Pages of many events; others are settled meanwhile.
    await wait.until(100, 250);
    await wait.until(200, 260);
    await wait.until(250, 270);
    expect(db.waited).to.deep.equal(["1/1", "1/1", "1/1"]);
    await wait.until(251, 270);
    expect(db.waited.at(-1)).to.equal("1/2");
    expect(db.looks).to.equal(2);
  });

  it("asks again when the server may be another one", async () => {
    const db = new Moving();
    const wait = new ReplicaWait(db as never);
    await wait.until(10, 20);
    wait.forget();
    await wait.until(10, 20);
    expect(db.waited).to.deep.equal(["1/1", "1/2"]);
  });
});
