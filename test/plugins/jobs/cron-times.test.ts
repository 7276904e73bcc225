import { expect } from "chai";
import { isCron, parseCron } from "#plugins/jobs/src/cron-times.js";

const at = (text: string) => Date.parse(text);
const shown = (times: readonly number[]) => times.map((time) => new Date(time).toISOString());

describe("times of a cron expression", () => {
  it("are those of its time zone, also where the clock is set", () => {
    const berlin = parseCron("30 2 * * *", "Europe/Berlin");
    // 02:30 comes twice on 25 October 2026.
    expect(shown([berlin.after(at("2026-10-23T12:00:00Z"))])).to.deep.equal(["2026-10-24T00:30:00.000Z"]);
    const october = [berlin.after(at("2026-10-24T12:00:00Z"))];
    october.push(berlin.after(Number(october[0])));
    expect(shown(october)[0]).to.match(/^2026-10-25T0[01]:30/);
    expect(shown(october)[1]).to.equal("2026-10-26T01:30:00.000Z");
  });

  it("come an hour later where the clock leaves their hour out, and once where that is another time of theirs", () => {
    const timesIn = (expression: string, zone: string, from: string) => {
      const { after } = parseCron(expression, zone);
      const first = after(at(from));
      return shown([first, after(first)]);
    };
    // On 29 March 2026 the clock goes from 02:00 to 03:00, which is 01:00 of UTC.
    const berlin = (expression: string) => timesIn(expression, "Europe/Berlin", "2026-03-28T12:00:00Z");
    expect(berlin("30 2 * * *")).to.deep.equal(["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"]);
    expect(berlin("30 2,3 * * *")).to.deep.equal(["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"]);
    const all = (expression: string, zone: string, from: string, until: string) => {
      const { after } = parseCron(expression, zone);
      const found: number[] = [];
      for (let time = after(at(from)); time < at(until); time = after(time)) found.push(time);
      return shown(found).map((text) => text.slice(5, 16));
    };
    const march = (expression: string) =>
      all(expression, "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z");
    expect(march("*/30 2 * * *")).to.deep.equal(["03-29T01:00", "03-29T01:30", "03-30T00:00", "03-30T00:30"]);
    expect(march("*/20 1-3 * * *").slice(0, 9)).to.deep.equal([
      ...["03-29T00:00", "03-29T00:20", "03-29T00:40", "03-29T01:00", "03-29T01:20", "03-29T01:40"],
      ...["03-29T23:00", "03-29T23:20", "03-29T23:40"],
    ]);
    expect(march("15,45 2 * * *")).to.deep.equal(["03-29T01:15", "03-29T01:45", "03-30T00:15", "03-30T00:45"]);
    // On Lord Howe the clock is set by half an hour, from 02:00 to 02:30.
    expect(all("*/10 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", "2026-10-04T12:00:00Z")).to.deep.equal([
      ...["10-03T15:30", "10-03T15:40", "10-03T15:50"],
    ]);
    // There midnight itself was left out.
    expect(timesIn("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z")).to.deep.equal([
      ...["2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"],
    ]);
  });

  it("go on in both hours where the clock shows one twice", () => {
    const zones = {
      "Europe/Berlin": "2026-10-25T01:00:00Z",
      "America/New_York": "2026-11-01T06:00:00Z",
      "Australia/Lord_Howe": "2026-04-04T15:00:00Z",
      "Asia/Kathmandu": "2026-04-04T15:00:00Z",
    };
    for (const [zone, change] of Object.entries(zones))
      for (const expression of ["*/15 * * * *", "0 */15 * * * *"]) {
        const { after } = parseCron(expression, zone);
        for (let time = at(change) - 7_200_000; time < at(change) + 7_200_000; time += 900_000) {
          expect(shown([after(time)]), zone).to.deep.equal(shown([time + 900_000]));
          expect(shown([after(time + 899_999)]), zone).to.deep.equal(shown([time + 900_000]));
        }
      }
    const newYear = parseCron("30 * 1 1 *", "Europe/Berlin");
    expect(shown([newYear.after(at("2026-07-01T00:00:00Z"))])).to.deep.equal(["2026-12-31T23:30:00.000Z"]);
  });

  it("that were missed are all of the last minute, or else the latest", () => {
    const eachSecond = parseCron("* * * * * *", "UTC");
    const since = at("2026-05-01T00:00:00Z");
    expect(shown(eachSecond.missed(since, since + 2_500))).to.deep.equal([
      "2026-05-01T00:00:01.000Z",
      "2026-05-01T00:00:02.000Z",
    ]);
    expect(eachSecond.missed(since, since + 3_600_000)).to.have.length(60);
    const daily = parseCron("0 3 * * *", "UTC");
    expect(shown(daily.missed(since, at("2026-05-20T12:00:00Z")))).to.deep.equal(["2026-05-20T03:00:00.000Z"]);
    expect(daily.missed(since, at("2026-05-01T02:59:59Z"))).to.deep.equal([]);
    const yearly = parseCron("0 0 29 2 *", "UTC");
    expect(shown(yearly.missed(at("2020-03-01T00:00:00Z"), since))).to.deep.equal(["2024-02-29T00:00:00.000Z"]);
  });

  it("are of five fields, or six with seconds in front", () => {
    for (const expression of ["*/5 * * * *", " 0 6 * * 1-5 ", "0 0 0 1 1 *"]) expect(isCron(expression)).to.equal(true);
    for (const expression of ["* * * *", "@daily", "2026-01-01T00:00:00", ""])
      expect(isCron(expression)).to.equal(false);
  });
});
