import { newSessionVersion } from "@plinth/core/access";
import { expect } from "chai";

describe("versions of sessions", () => {
  it("differ, so that two changes of an account at once end what was opened between them, and fit an integer", () => {
    const drawn = Array.from({ length: 1_000 }, newSessionVersion);
    // Two of a thousand are alike once in 4,000 runs; three are not.
    expect(new Set(drawn).size).to.be.at.least(drawn.length - 1);
    for (const version of drawn)
      expect(version)
        .to.satisfy(Number.isInteger)
        .and.to.be.within(1, 2 ** 31 - 1);
  });
});
