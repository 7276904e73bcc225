import { expect } from "chai";
import fc from "fast-check";
import type { ScalarKind } from "#core/schema/model.js";
import { parseValue } from "#core/schema/parse-value.js";
import { printValue, type ValueProblem } from "#core/schema/value-problem.js";

type Use = "filter" | "body";
type Kind = ScalarKind | "id";

function parse(kind: Kind, input: unknown, use: Use = "body"): { value?: unknown; problems?: readonly ValueProblem[] } {
  return parseValue({ kind }, input, { path: ["x"], use });
}

/** What comes out: the value, or the message of the only problem with "x" as path. */
function outcome(kind: Kind, input: unknown, use: Use = "body"): unknown {
  const parsed = parse(kind, input, use);
  return parsed.problems ? parsed.problems.map(({ message }) => message).join("; ") : parsed.value;
}

function expectAll(kind: Kind, use: Use, rows: readonly (readonly [unknown, unknown])[]): void {
  for (const [input, expected] of rows) {
    expect(outcome(kind, input, use), `${kind} ${printValue(input)}`).to.deep.equal(expected);
  }
}

const NUL = "\u0000";

describe("a value of a body", () => {
  it("may be null for every kind", () => {
    for (const kind of ["string", "integer", "json", "blocks", "datetime", "boolean"] as const) {
      expect(outcome(kind, null)).to.equal(null);
    }
  });

  it("has to be a string where a string belongs", () => {
    expectAll("string", "body", [
      ["a", "a"],
      ["", ""],
      [12, "x must be a `string` type, but the final value was: `12`."],
      [true, "x must be a `string` type, but the final value was: `true`."],
      [["a"], 'x must be a `string` type, but the final value was: `[\n  "\\"a\\""\n]`.'],
      [{ a: 1 }, 'x must be a `string` type, but the final value was: `{\n  "a": "1"\n}`.'],
      [`a${NUL}`, "x must not contain the NUL character"],
      ["a\ud800b\udc00", "a\ufffdb\ufffd"],
      ["🚀", "🚀"],
    ]);
  });

  it("has its problem at the path, with the value as coerced", () => {
    const nested = parseValue({ kind: "richtext" }, 5, { path: ["seo", "meta", "0", "body"], use: "body" });
    expect(nested.problems).to.deep.equal([
      {
        path: ["seo", "meta", "0", "body"],
        message: "seo.meta[0].body must be a `string` type, but the final value was: `5`.",
        value: 5,
      },
    ]);
    expect(parse("integer", "abc").problems?.[0]?.value).to.equal(null);
    expect(parse("enumeration", 1)).to.deep.equal({ value: "1" });
  });

  it("may be a number or its text where a number belongs", () => {
    const notANumber = (input: string) =>
      `x must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${input}\`).`;
    expectAll("integer", "body", [
      [12, 12],
      ["12", 12],
      [" -7 ", -7],
      ["1e3", 1000],
      [-0, 0],
      ["abc", notANumber('"abc"')],
      ["", notANumber('""')],
      [true, notANumber("true")],
      [[5], notANumber('[\n  "5"\n]')],
      ["0x10", notANumber('"0x10"')],
      [1.5, "x must be an integer"],
      [3_000_000_000, "x must be between -2147483648 and 2147483647"],
    ]);
    expectAll("float", "body", [
      ["1.5", 1.5],
      [1e308, 1e308],
      ["1e400", 'x must be a `number` type, but the final value was: `Infinity` (cast from the value `"1e400"`).'],
      ["NaN", notANumber('"NaN"')],
    ]);
  });

  it("keeps two digits of a decimal, rounded as PostgreSQL rounds", () => {
    expectAll("decimal", "body", [
      [1.005, 1.01],
      [-1.005, -1.01],
      ["2.344", 2.34],
      [0.0000001, 0],
      [99999999.99, 99999999.99],
      [99999999.999, "x must be between -99999999.99 and 99999999.99"],
      [1e15, "x must be between -99999999.99 and 99999999.99"],
    ]);
    expect(outcome("decimal", "1.005", "filter")).to.equal(1.005);
  });

  it("keeps every digit of a biginteger", () => {
    expectAll("biginteger", "body", [
      ["9007199254740993", "9007199254740993"],
      ["-0042", "-42"],
      ["+1", "1"],
      [42, "42"],
      ["9223372036854775807", "9223372036854775807"],
      ["9223372036854775808", "x must be between -9223372036854775808 and 9223372036854775807"],
      [true, "x must be a valid integer"],
      ["1.5", "x must be a valid integer"],
      [1.5, "x must be a valid integer"],
      ["", "x must be a valid integer"],
    ]);
    expect(outcome("biginteger", 2 ** 53)).to.contain("must be given as a string");
  });

  it("is a boolean by word or digit, nothing else", () => {
    expectAll("boolean", "body", [
      [true, true],
      ["true", true],
      ["FALSE", false],
      [1, true],
      ["0", false],
      ["t", 'x must be a `boolean` type, but the final value was: `"t"`.'],
      ["maybe", 'x must be a `boolean` type, but the final value was: `"maybe"`.'],
      [2, "x must be a `boolean` type, but the final value was: `2`."],
    ]);
  });

  it("is a date, cut out of a datetime if need be", () => {
    expectAll("date", "body", [
      ["2024-03-01", "2024-03-01"],
      ["2024-03-01T23:30:00.000Z", "2024-03-01"],
      ["2024-02-29", "2024-02-29"],
      ["2023-02-30", "Invalid date"],
      ["0000-01-01", "Invalid date"],
      ["tomorrow", "Invalid format, expected yyyy-MM-dd"],
      ["2024-03-01x", "Invalid format, expected yyyy-MM-dd"],
      ["", "Invalid format, expected yyyy-MM-dd"],
      [5, "Invalid format, expected yyyy-MM-dd"],
    ]);
  });

  it("is a time with seconds, without zeros that PostgreSQL would drop", () => {
    const invalid = "Invalid time format, expected HH:mm:ss.SSS";
    expectAll("time", "body", [
      ["08:09:10", "08:09:10"],
      ["10:00:00", "10:00:00"],
      ["10:00:00.000", "10:00:00"],
      ["13:45:10.123", "13:45:10.123"],
      ["13:45:10.100", "13:45:10.1"],
      ["08:09", invalid],
      ["24:00:00", invalid],
      ["noon", invalid],
      [5, "Expected a string, got a number"],
    ]);
  });

  it("is an instant from ISO text with or without offset, from a date, or from milliseconds", () => {
    const invalid = "Invalid format, expected a timestamp or an ISO date";
    for (const kind of ["datetime", "timestamp"] as const) {
      expectAll(kind, "body", [
        ["2024-05-05T10:20:30.400Z", "2024-05-05T10:20:30.400Z"],
        ["2024-01-31T23:59:59+02:00", "2024-01-31T21:59:59.000Z"],
        ["2024-01-31T23:59-0130", "2024-02-01T01:29:00.000Z"],
        ["2024-12-01", "2024-12-01T00:00:00.000Z"],
        ["2024-12-01 08:00", "2024-12-01T08:00:00.000Z"],
        [1714904430400, "2024-05-05T10:20:30.400Z"],
        ["1714904430400", "2024-05-05T10:20:30.400Z"],
        ["0099-01-01", "0099-01-01T00:00:00.000Z"],
        ["soon", invalid],
        ["", invalid],
        [true, invalid],
        ["2024-02-30T00:00:00.000Z", invalid],
        ["2024-01-01T25:00:00Z", invalid],
        ["0001-01-01T00:00:00+01:00", invalid],
        [1e18, invalid],
        [Number.NaN, invalid],
      ]);
    }
  });

  it("ends the whole request when a date or time is malformed, but not when a number is", () => {
    expect(parse("date", "x").problems?.[0]).to.include({ isWholeRequest: true });
    expect(parse("time", "x").problems?.[0]).to.include({ isWholeRequest: true });
    expect(parse("datetime", "x").problems?.[0]).to.include({ isWholeRequest: true });
    expect(parse("integer", "x").problems?.[0]).to.not.have.property("isWholeRequest");
  });

  it("is JSON, or the text of it", () => {
    expectAll("json", "body", [
      [
        [1, "a", null],
        [1, "a", null],
      ],
      [5, 5],
      ['{"a":1}', { a: 1 }],
      ["null", null],
      ["plain", 'x must be a `json` type, but the final value was: `"plain"`.'],
      ["", 'x must be a `json` type, but the final value was: `""`.'],
      [{ a: ["b\ud800"] }, { a: ["b\ufffd"] }],
      [{ a: NUL }, "x must not contain the NUL character"],
      [{ [NUL]: 1 }, "x must not contain the NUL character"],
      ['{"__proto__":{"a":1}}', "x must not contain the key `__proto__`"],
      ["[1e999]", "x must contain finite numbers only"],
      [JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), "x must not be nested deeper than 200 levels"],
      ["[".repeat(201), "x must not be nested deeper than 200 levels"],
    ]);
  });

  it("is a password of at most 72 bytes that no answer shows", () => {
    expect(outcome("password", "ü".repeat(36))).to.equal("ü".repeat(36));
    expect(parse("password", "ü".repeat(37)).problems).to.deep.equal([
      { path: ["x"], message: "x must be less than 73 bytes" },
    ]);
    expect(parse("password", `geheim${NUL}`).problems?.[0]).to.not.have.property("value");
  });
});

describe("the blocks of a rich text", () => {
  const text = (more: object = {}) => ({ type: "text", text: "a", ...more });
  const first = (input: unknown) => parse("blocks", input).problems?.[0];

  it("may be of every type, and keep what they hold", () => {
    const blocks = [
      {
        type: "paragraph",
        children: [text({ bold: true, code: false }), { type: "link", url: "https://example.com", children: [text()] }],
      },
      { type: "heading", level: 1, children: [text()] },
      {
        type: "list",
        format: "ordered",
        children: [
          { type: "list-item", children: [text()] },
          { type: "list", format: "unordered", children: [{ type: "list-item", children: [text()] }] },
        ],
      },
      { type: "quote", children: [text()] },
      { type: "code", language: "ts", children: [text()] },
      { type: "image", image: { url: "/a.png", name: "a" }, children: [text({ text: "" })] },
    ];
    expect(outcome("blocks", blocks)).to.deep.equal(blocks);
    expect(outcome("blocks", [])).to.deep.equal([]);
  });

  it("have to be a list", () => {
    expect(outcome("blocks", "hello")).to.equal('x must be a `array` type, but the final value was: `"hello"`.');
    expect(outcome("blocks", { type: "paragraph" })).to.contain("x must be a `array` type");
  });

  it("name the place of each problem", () => {
    expect(first([{ type: "paragraph" }])).to.deep.equal({
      path: ["x", "0", "children"],
      message: "x[0].children is a required field",
    });
    expect(first([{ type: "heading", children: [text()] }])).to.deep.equal({
      path: ["x", "0", "level"],
      message: "x[0].level is a required field",
    });
    expect(first([{ type: "heading", level: 9, children: [text()] }])).to.deep.equal({
      path: ["x", "0", "level"],
      message: "x[0].level must be one of the following values: 1, 2, 3, 4, 5, 6",
      value: 9,
    });
    expect(first([{ type: "paragraph", children: [text({ text: 5 })] }])?.message).to.equal(
      "x[0].children[0].text must be a `string` type, but the final value was: `5`.",
    );
    for (const block of [{ type: "table", children: [] }, { children: [] }, 5, { type: "constructor" }]) {
      const message = "Block node is of invalid type";
      expect(first([block])).to.deep.equal({ path: ["x", "0"], message, value: block });
    }
    expect(first([{ type: "image", children: [] }])?.message).to.equal("x[0].image.url is a required field");
    expect(first([{ type: "paragraph", children: [text({ bold: "yes" })] }])?.path).to.deep.equal([
      "x",
      "0",
      "children",
      "0",
      "bold",
    ]);
  });

  it("report all problems", () => {
    expect(parse("blocks", [{ type: "heading" }, { type: "list", children: [text()] }]).problems).to.have.lengthOf(4);
  });
});

describe("a value of a filter", () => {
  it("is read from text by the kind of the attribute", () => {
    expectAll("boolean", "filter", [
      ["t", true],
      ["f", false],
      ["1", true],
      ["maybe", 'x must be a `boolean` type, but the final value was: `"maybe"`.'],
    ]);
    expectAll("string", "filter", [
      [12, "12"],
      [true, "true"],
      [["a"], 'x must be a `string` type, but the final value was: `[\n  "\\"a\\""\n]`.'],
    ]);
    expectAll("id", "filter", [
      ["12", 12],
      ["99999999999999999999", "x must be between -9007199254740991 and 9007199254740991"],
      ["abc", 'x must be a `number` type, but the final value was: `NaN` (cast from the value `"abc"`).'],
    ]);
  });
});

describe("whatever is given as a value", () => {
  const kinds: readonly Kind[] = [
    ...(["string", "text", "richtext", "enumeration", "email", "password", "uid", "date", "time", "datetime"] as const),
    ...(["timestamp", "integer", "biginteger", "float", "decimal", "boolean", "json", "blocks", "id"] as const),
  ];

  it("leads to a value or to problems, never to an exception", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.anything({ withNullPrototype: false }),
        fc.constantFrom<Use>("filter", "body"),
        (kind, input, use) => {
          fc.pre(input !== undefined);
          const parsed = parse(kind, input, use);
          return "value" in parsed || (parsed.problems?.length ?? 0) > 0;
        },
      ),
    );
  });

  it("comes out the same when its stored form is read again", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.oneof(fc.jsonValue(), fc.date().map(String), fc.integer().map(String)),
        (kind, input) => {
          const once = parse(kind, input);
          // A JSON text is parsed once, so its contents may be parsed again.
          if (once.problems || kind === "json") return;
          expect(parse(kind, once.value)).to.deep.equal(once);
        },
      ),
    );
  });
});
