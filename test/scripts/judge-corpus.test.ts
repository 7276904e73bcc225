import { expect } from "chai";
import { judgeCorpus } from "../../scripts/judge-corpus.mjs";

const LISTED = [{ topic: "05-pages", name: "odd", difference: "got 400", sentence: "Nothing is dropped." }];

/** A report of one topic with failures by name. */
function reportOf(failures: Readonly<Record<string, string>>, quirk = false) {
  return {
    topics: { "05-pages": {} },
    failures: Object.entries(failures).map(([name, diff]) => ({ topic: "05-pages", name, quirk, diffs: [diff] })),
  };
}

describe("A replay of the corpus", () => {
  it("passes when only contradicted cases fail, in the way that is listed", () => {
    const { contradicted, problems } = judgeCorpus(reportOf({ odd: "expected 200, got 400" }), LISTED, false);
    expect([contradicted, problems]).to.deep.equal([LISTED, []]);
  });

  it("fails with any other case, and with a contradicted one that differs in another way", () => {
    const { problems } = judgeCorpus(reportOf({ odd: "got 500", even: "got 400" }), LISTED, false);
    expect(problems).to.deep.equal(["05-pages / odd failed", "05-pages / even failed"]);
  });

  it("fails when a contradicted case passes, unless cases were picked", () => {
    expect(judgeCorpus(reportOf({}), LISTED, false).problems).to.have.length(1);
    expect(judgeCorpus(reportOf({}), LISTED, true).problems).to.deep.equal([]);
    expect(judgeCorpus({ topics: {}, failures: [] }, LISTED, false).problems).to.deep.equal([]);
  });

  it("is not failed by quirks", () => {
    const { problems } = judgeCorpus(reportOf({ strange: "got 400" }, true), [], false);
    expect(problems).to.deep.equal([]);
  });
});
