import { expect } from "chai";
import { parseCalendarSearch, parseReleasesSearch } from "#plugins/admin/client/app/plans-search.js";
import { addMonths, beginOf, daysOf, turn, weeksOf } from "#plugins/admin/client/screens/plans/calendar-days.js";
import { inputOf, momentOf } from "#plugins/admin/client/screens/plans/moment-input.js";
import { clockAt, dayAt, readClock } from "#plugins/admin/client/screens/plans/zoned-time.js";

const BERLIN = "Europe/Berlin";

describe("times of plans by the clocks of a zone", () => {
  it("are one moment on most days, in summer and winter", () => {
    expect(readClock("2030-07-01T09:00", BERLIN)).to.deep.equal({ kind: "once", at: "2030-07-01T07:00:00.000Z" });
    expect(readClock("2030-01-01T09:00", BERLIN)).to.deep.equal({ kind: "once", at: "2030-01-01T08:00:00.000Z" });
    expect(readClock("2030-01-01T09:00", "UTC")).to.deep.equal({ kind: "once", at: "2030-01-01T09:00:00.000Z" });
    expect(readClock("2030-01-01T09:00", "Asia/Kathmandu")).to.deep.equal({
      kind: "once",
      at: "2030-01-01T03:15:00.000Z",
    });
    expect(readClock("", BERLIN)).to.deep.equal({ kind: "empty" });
    expect(readClock("2030-02", BERLIN).kind).to.not.equal("never");
  });

  it("are none where the clocks are set forward over them, and the next one is named", () => {
    expect(readClock("2030-03-31T02:30", BERLIN)).to.deep.equal({ kind: "never", next: "2030-03-31T03:30" });
    expect(readClock("2030-03-10T02:15", "America/New_York")).to.deep.equal({
      kind: "never",
      next: "2030-03-10T03:15",
    });
    expect(readClock("2030-03-31T01:59", BERLIN).kind).to.equal("once");
    expect(readClock("2030-03-31T03:00", BERLIN).kind).to.equal("once");
    // Half an hour only, on the other side of the world.
    expect(readClock("2030-10-06T02:15", "Australia/Lord_Howe")).to.deep.equal({
      kind: "never",
      next: "2030-10-06T02:45",
    });
  });

  it("are two where the clocks are set back to before them, of which one is chosen", () => {
    const twice = { kind: "twice", first: "2030-10-27T00:30:00.000Z", second: "2030-10-27T01:30:00.000Z" };
    expect(readClock("2030-10-27T02:30", BERLIN)).to.deep.equal(twice);
    expect(readClock("2030-10-27T03:00", BERLIN).kind).to.equal("once");
    expect(readClock("2030-10-27T01:59", BERLIN).kind).to.equal("once");
    for (const moment of [twice.first, twice.second])
      expect(momentOf(inputOf(moment, BERLIN), BERLIN)).to.equal(moment);
  });

  it("are the same moment by other clocks, and nothing where nothing is typed or there is none", () => {
    const moment = "2030-07-01T22:30:00.000Z";
    expect(clockAt(moment, BERLIN)).to.equal("2030-07-02T00:30");
    expect(dayAt(moment, BERLIN)).to.equal("2030-07-02");
    expect(momentOf(inputOf(moment, "America/New_York"), "America/New_York")).to.equal(moment);
    expect(momentOf({ text: "", isSecond: false }, BERLIN)).to.equal(null);
    expect(momentOf({ text: "2030-03-31T02:30", isSecond: false }, BERLIN)).to.equal(undefined);
  });
});

describe("days of a calendar", () => {
  it("fill the weeks of a month, which begin on the day of the reader", () => {
    const [first] = weeksOf("2026-11-24", 7);
    expect(first?.[0]).to.equal("2026-11-01");
    expect(weeksOf("2026-11-24", 1)[0]?.[0]).to.equal("2026-10-26");
    expect(weeksOf("2026-02-10", 7)).to.have.length(4);
    expect(weeksOf("2026-08-10", 7).flat().at(-1)).to.equal("2026-09-05");
    expect(weeksOf("2026-12-10", 1).flat().at(-1)).to.equal("2027-01-03");
  });

  it("turn by a month, a week and thirty days", () => {
    expect(addMonths("2028-01-31", 1)).to.equal("2028-02-29");
    expect(addMonths("2027-12-15", 1)).to.equal("2028-01-15");
    expect(turn("month", "2028-03-31", -1)).to.equal("2028-02-29");
    expect(turn("week", "2028-01-01", 1)).to.equal("2028-01-08");
    expect(daysOf("agenda", "2028-01-01", 1)).to.have.length(30);
    expect(daysOf("week", "2026-11-24", 1))
      .to.deep.include("2026-11-23")
      .and.have.length(7);
  });

  it("begin at midnight of the zone, also on days on which clocks are set", () => {
    expect(beginOf("2030-03-31", BERLIN)).to.equal("2030-03-30T23:00:00.000Z");
    expect(beginOf("2030-04-01", BERLIN)).to.equal("2030-03-31T22:00:00.000Z");
  });

  it("are read of the address, and what is none is left out", () => {
    const search = { view: "week", day: "2030-01-31", type: "api::article.article" };
    expect(parseCalendarSearch(search)).to.deep.equal(search);
    expect(parseCalendarSearch({ view: "year", day: "2030-13-45", type: "" })).to.deep.equal({});
    expect(parseReleasesSearch({ state: "done" })).to.deep.equal({ state: "done" });
    expect(parseReleasesSearch({ state: "gone" })).to.deep.equal({});
  });
});
