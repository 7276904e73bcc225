import { expect } from "chai";
import { parseRestConfig } from "@plinth/plugin-content-api";

describe("The configuration api.rest", () => {
  it("is complete when nothing is written", () => {
    expect(parseRestConfig(undefined)).to.deep.equal({
      prefix: "/api",
      defaultLimit: 25,
      maxLimit: 100,
      nestedLimit: 100,
      withCount: true,
      strictParams: false,
      openDrafts: false,
      idempotency: false,
    });
  });

  it("means no limit by -1", () => {
    expect(parseRestConfig({ maxLimit: -1 }).maxLimit).to.equal(Number.POSITIVE_INFINITY);
  });

  it("is refused with every problem at once", () => {
    const attempt = () => parseRestConfig({ prefix: "api/", defaultLimit: 0, withCount: "yes", limit: 5 });
    expect(attempt).to.throw(
      /limit is not known.*prefix must be "" or start with a slash.*defaultLimit must be.*withCount must be/s,
    );
    expect(() => parseRestConfig([]))
      .to.throw("api.rest must be an object")
      .with.property("code", "PLINTH_REST_INVALID_CONFIG");
  });
});
