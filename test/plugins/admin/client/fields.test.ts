import { expect } from "chai";
import { parseListSearch, queryOf } from "#plugins/admin/client/app/list-search.js";
import { fromInput, toInput } from "#plugins/admin/client/fields/date/date-text.js";
import { formatNumber, keepText, keptText, readNumber } from "#plugins/admin/client/fields/number/number-text.js";
import { holds, namesIn } from "#plugins/admin/client/form/conditions.js";

describe("values as people type them", () => {
  it("reads numbers in the notation of the language", () => {
    expect(readNumber("1,5", "float", "de")).to.deep.equal({ value: 1.5 });
    expect(readNumber("1.5", "float", "en")).to.deep.equal({ value: 1.5 });
    expect(readNumber("1.5", "integer", "en")).to.equal(undefined);
    expect(readNumber("12x", "integer", "en")).to.equal(undefined);
    expect(formatNumber(1.5, "decimal", "fr")).to.equal("1,5");
  });

  it("reads groups of digits, and takes none of two readings by itself", () => {
    const read = (text: string, language: string) => readNumber(text, "decimal", language);
    expect(read("1.234,5", "de")).to.deep.equal({ value: 1234.5 });
    expect(read("1.234.567", "de")).to.deep.equal({ value: 1_234_567 });
    expect(read("1.234", "de")).to.deep.equal({ whole: "1234", part: "1,234" });
    expect(readNumber("1.234", "integer", "de")).to.deep.equal({ whole: "1234", part: undefined });
    expect(read("1,234", "en")).to.deep.equal({ whole: "1234", part: "1.234" });
    expect(read("1,234.5", "en")).to.deep.equal({ value: 1234.5 });
    for (const [text, value] of [
      ["0.125", 0.125],
      ["1.5", 1.5],
      ["1,234", 1.234],
    ] as const)
      expect(read(text, "de"), text).to.deep.equal({ value });
    expect(read("1 234,5", "fr")).to.deep.equal({ value: 1234.5 });
    expect(read("1.23.456", "de")).to.equal(undefined);
    expect(Number(keepText("1.234"))).to.be.NaN;
    expect(keptText(keepText("1.234"))).to.equal("1.234");
  });

  it("keeps every digit of a big integer", () => {
    expect(readNumber("9007199254740993", "biginteger", "en")).to.deep.equal({ value: "9007199254740993" });
    expect(formatNumber("9007199254740993", "biginteger", "de")).to.equal("9007199254740993");
  });

  it("shows a moment in the zone of the reader, and stores the same moment", () => {
    const stored = "2026-03-01T10:30:00.000Z";
    expect(fromInput("datetime", toInput("datetime", stored))).to.equal(stored);
    expect(fromInput("time", "10:30")).to.equal("10:30:00.000");
    expect(toInput("date", "2026-03-01")).to.equal("2026-03-01");
    expect(fromInput("date", "")).to.equal(null);
  });

  it("shows a moment by the clocks of a zone that was chosen, also on days when they are set", () => {
    const shown = (stored: string, zone: string) => toInput("datetime", stored, zone);
    expect(shown("2026-03-01T10:30:00.000Z", "America/New_York")).to.equal("2026-03-01T05:30:00");
    expect(fromInput("datetime", "2026-07-01T12:00", "Asia/Kolkata")).to.equal("2026-07-01T06:30:00.000Z");
    for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])
      for (const stored of ["2026-03-29T00:59:59.000Z", "2026-03-29T01:00:00.000Z", "2026-10-25T02:30:00.000Z"])
        expect(fromInput("datetime", shown(stored, zone), zone), `${stored} ${zone}`).to.equal(stored);
  });

  it("throws for no year: those of one digit, those of six, and those that there are not", () => {
    for (const year of ["0002", "0020", "0202", "9999", "12026"]) {
      const text = `${year}-05-06T10:00:00`;
      const stored = fromInput("datetime", text, "Europe/Berlin");
      expect(toInput("datetime", stored, "Europe/Berlin"), year).to.equal(text);
    }
    expect(fromInput("datetime", "999999-01-01T00:00")).to.equal(null);
    expect(fromInput("datetime", "2026-13-01T00:00")).to.equal(null);
    expect(toInput("datetime", "no moment")).to.equal("");
  });

  it("shows a field as its condition says, and one whose condition it does not know", () => {
    const values = (name: string) => ({ kind: "link", count: 3 })[name] ?? null;
    expect(holds({ "==": [{ var: "kind" }, "link"] }, values)).to.equal(true);
    expect(holds({ and: [{ "!=": [{ var: "kind" }, "link"] }, { ">": [{ var: "count" }, 1] }] }, values)).to.equal(
      false,
    );
    expect(holds({ reduce: [] }, values)).to.equal(true);
    expect(namesIn({ and: [{ "==": [{ var: "kind" }, 1] }, { "!": [{ var: "count" }] }] })).to.deep.equal([
      "kind",
      "count",
    ]);
  });

  it("reads the address of a list, and leaves out what it does not understand", () => {
    const filters = { $and: [{ title: { $containsi: "a" } }] };
    const search = parseListSearch({ q: "x", sort: "title:asc", size: 7, filters, cursor: "abc", other: 1 });
    expect(search).to.deep.equal({ q: "x", sort: "title:asc", filters, cursor: "abc" });
    expect(parseListSearch({ filters: { $and: [{ nonsense: 1 }] } })).to.deep.equal({});
    const query = new URLSearchParams(queryOf(search));
    expect(query.get("filters[$and][0][title][$containsi]")).to.equal("a");
    expect(query.get("pagination[cursor]")).to.equal("abc");
  });
});
