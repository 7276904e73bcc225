import { expect } from "chai";
import { checkQuery } from "@plinth/plugin-content-api";

describe("Names at the root of a query string", () => {
  const lenient = { isList: true, isStrict: false };

  it("that nobody knows are ignored", () => {
    expect(() => checkQuery({ foo: "bar", publicationState: "live", filters: {} }, lenient)).not.to.throw();
  });

  it("that nobody knows are refused with strictParams", () => {
    const attempt = () => checkQuery({ filter: {} }, { isList: true, isStrict: true });
    expect(attempt)
      .to.throw(/Invalid parameter filter\..*filters/)
      .with.property("code", "PLINTH_REST_UNKNOWN_PARAMETER");
  });

  for (const key of ["where", "lookup", "select", "having", "groupBy", "params"]) {
    it(`that reach query builders elsewhere are always refused: ${key}`, () => {
      expect(() => checkQuery({ [key]: "x" }, { isList: false, isStrict: false }))
        .to.throw()
        .with.property("code", "PLINTH_REST_UNKNOWN_PARAMETER");
    });
  }

  it("page and pageSize belong into pagination, on lists", () => {
    for (const key of ["page", "pageSize"]) {
      expect(() => checkQuery({ [key]: "2" }, lenient)).to.throw(/must be in the pagination object/);
      expect(() => checkQuery({ [key]: "2" }, { isList: false, isStrict: false })).not.to.throw();
    }
  });
});
