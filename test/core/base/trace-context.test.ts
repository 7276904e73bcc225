import { expect } from "chai";
import { parseTraceparent } from "#core/base/trace-context.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("traceparent", () => {
  it("names the trace and the span of the caller", () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).to.deep.equal({ traceId: TRACE, spanId: SPAN });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-00-of-later-versions`)).to.deep.equal({
      traceId: TRACE,
      spanId: SPAN,
    });
  });

  it("counts as none where it is malformed", () => {
    const malformed = [
      "",
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${"0".repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    ];
    for (const text of malformed) expect(parseTraceparent(text), text).to.equal(undefined);
  });
});
