import { expect } from "chai";
import { type Others, toldOf } from "#plugins/admin/client/screens/edit/others.js";

const shown = { name: "Ada", at: "2026-11-27T20:00:00.000Z", isPublication: true } as Others;

describe("what others did while a form is open", () => {
  it("is by whom the last event names, where an earlier one came late and had it read", () => {
    const news = { name: "Tom", at: "2026-11-27T20:00:01.000Z" };
    expect(toldOf(shown, news)).to.deep.equal({ ...shown, ...news });
  });

  it("stays as it was told for earlier events, and where nobody is known", () => {
    expect(toldOf(shown, { name: "Tom", at: "2026-11-27T19:59:59.000Z" })).to.equal(shown);
    expect(toldOf(shown, { name: null, at: "2026-11-27T20:00:01.000Z" })).to.equal(shown);
  });
});
