import { EventEmitter } from "node:events";
import { expect } from "chai";
import { Channel, type Peer } from "#core/cli/workers/channel.js";

/** One end of a channel in this process: what it sends arrives at the other end as a copy. */
class End extends EventEmitter implements Peer {
  connected = true;
  other: End | undefined;

  send(message: object, handle: object | undefined, _options: object, done: () => void): boolean {
    const copy: unknown = JSON.parse(JSON.stringify(message));
    setImmediate(() => this.other?.emit("message", copy, handle));
    done();
    return true;
  }

  end(): void {
    this.connected = false;
    this.emit("disconnect");
  }
}

type Adder = { readonly add: (list: readonly number[]) => number };
type Refuser = { readonly refuse: (why: string) => never };

describe("a channel between two processes", () => {
  let one: End;
  let caller: Channel<Adder & Refuser>;
  let answerer: Channel<Refuser>;
  beforeEach(() => {
    one = new End();
    const other = new End();
    [one.other, other.other] = [other, one];
    caller = new Channel(one, { refuse: (why: string) => expect.fail(why) });
    answerer = new Channel(other, {
      add: (list: readonly number[]) => list.reduce((sum, number) => sum + number, 0),
      refuse: (why: string) => expect.fail(why),
    });
  });

  it("answers questions of both sides, each its own", async () => {
    const sums = [[1, 2], [30], []].map((list) => caller.call("add", list));
    expect(await Promise.all(sums)).to.deep.equal([3, 30, 0]);
    const failure = await answerer.call("refuse", "not you").catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_WORKER_SILENT" }).and.property("message").includes("not you");
  });

  it("says so when the other side has ended, before or after a question", async () => {
    const asked = caller.call("add", [1]).catch((error: unknown) => error);
    one.end();
    const later = await caller.call("add", [1]).catch((error: unknown) => error);
    for (const failure of [await asked, later]) expect(failure).to.include({ code: "PLINTH_CLI_WORKER_SILENT" });
  });

  it("ignores messages of others", () => {
    for (const message of ["stop", undefined, null, { answers: 99, value: 1 }, { other: 1 }])
      one.emit("message", message);
  });
});
