import { expect } from "chai";
import { parseConfig } from "#plugins/metrics/src/config.js";

describe("the configuration of metrics", () => {
  it("is refused with every problem at once, and without a token in the message", () => {
    const wrong = { token: "short", perType: "yes", port: 9090 };
    expect(() => parseConfig(wrong))
      .to.throw()
      .that.includes({ code: "PLINTH_METRICS_CONFIG_INVALID" })
      .and.satisfies(({ details }: { details: { problems: unknown[] } }) => details.problems.length === 3)
      .and.property("message")
      .not.includes("short");
  });
});
