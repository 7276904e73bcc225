import { expect } from "chai";
import type { Knex } from "knex";
import { CoalescedReads } from "#core/database/reads/coalesced-reads.js";

/** A database whose statements are answered when the test says so. */
class SlowDatabase {
  readonly sharesReads = true;
  readonly knex = {} as Knex;
  isInTransaction = false;
  readonly sent: { readonly answer: (text: string) => void; readonly fail: (error: Error) => void }[] = [];

  query<Row>(): Promise<Row[]> {
    return new Promise((done, fail) => {
      this.sent.push({ answer: (text) => done([text as Row]), fail });
    });
  }
}

const settle = () => new Promise((done) => setImmediate(done));

describe("coalesced reads", () => {
  const plan = { text: "select 1", slots: [] };
  let reads: CoalescedReads<object>;
  let statements: SlowDatabase;
  const ask = async (values: readonly unknown[] = ["en"], of = plan) =>
    (await reads.read(of, { text: of.text, values }))[0];

  beforeEach(() => {
    statements = new SlowDatabase();
    reads = new CoalescedReads(statements);
  });

  it("send a statement each as long as no two of them run", async () => {
    const answers = [ask(), ask()];
    expect(statements.sent).to.have.lengthOf(2);
    for (const [i, { answer }] of statements.sent.entries()) answer(`answer ${i}`);
    expect(await Promise.all(answers)).to.deep.equal(["answer 0", "answer 1"]);
  });

  it("share one statement while two run, and it is sent after all of them asked", async () => {
    const running = [ask(), ask()];
    const waiting = [ask(), ask(), ask()];
    await settle();
    expect(statements.sent).to.have.lengthOf(2);
    statements.sent[0]?.answer("before");
    await settle();
    expect(statements.sent).to.have.lengthOf(3);
    const late = ask();
    statements.sent[2]?.answer("after");
    expect(await Promise.all(waiting)).to.deep.equal(["after", "after", "after"]);
    await settle();
    expect(statements.sent).to.have.lengthOf(4);
    statements.sent[1]?.answer("before");
    statements.sent[3]?.answer("later");
    expect(await Promise.all([...running, late])).to.deep.equal(["before", "before", "later"]);
  });

  it("are not shared with other values or another plan", () => {
    const other = { text: "select 2", slots: [] };
    for (const read of [ask(), ask(), ask(["fr"]), ask(["en"], other), ask([1]), ask(["1"])]) void read;
    expect(statements.sent).to.have.lengthOf(6);
  });

  it("are not shared inside a transaction", () => {
    statements.isInTransaction = true;
    for (const read of [ask(), ask(), ask(), ask()]) void read;
    expect(statements.sent).to.have.lengthOf(4);
  });

  it("fail together, and the next ones are read again", async () => {
    const running = [ask(), ask()].map((read) => read.catch((error: Error) => error.message));
    const waiting = [ask(), ask()].map((read) => read.catch((error: Error) => error.message));
    statements.sent[0]?.fail(new Error("first"));
    statements.sent[1]?.fail(new Error("second"));
    await settle();
    expect(statements.sent).to.have.lengthOf(3);
    statements.sent[2]?.fail(new Error("third"));
    expect(await Promise.all([...running, ...waiting])).to.deep.equal(["first", "second", "third", "third"]);
    const again = ask();
    statements.sent[3]?.answer("fine");
    expect(await again).to.equal("fine");
  });
});
