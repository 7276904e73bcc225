import { expect } from "chai";
import { parseValue } from "graphql";
import { scalars } from "#plugins/graphql/src/scalars/scalars.js";

const named = (name: string) => {
  const found = scalars.find((scalar) => scalar.name === name);
  if (!found) throw new TypeError(`There is no scalar ${name}.`);
  return found;
};
const takes = (name: string, value: unknown) => named(name).parseValue(value);
const takesLiteral = (name: string, literal: string) => named(name).parseLiteral(parseValue(literal), {});
const shows = (name: string, value: unknown) => named(name).serialize(value);

describe("Scalars of the schema", () => {
  it("take dates, times and instants in the forms of the content API", () => {
    expect(takes("Date", "2024-03-01")).to.equal("2024-03-01");
    expect(takes("Time", "10:00:00")).to.equal("10:00:00");
    expect(takes("Time", "10:00:00.500")).to.equal("10:00:00.5");
    expect(takes("DateTime", "2024-03-01T10:00:00+02:00")).to.equal("2024-03-01T08:00:00.000Z");
    expect(takesLiteral("DateTime", '"2024-03-01T10:00:00Z"')).to.equal("2024-03-01T10:00:00.000Z");
    expect(takes("DateTime", 0)).to.equal("1970-01-01T00:00:00.000Z");
  });

  it("tell days and instants apart, where the content API takes both for both", () => {
    for (const text of ["2022-03-17T15:06:57.878Z", "2022-03-17 10:00:00", 5])
      expect(() => takes("Date", text)).to.throw("write a day such as");
    for (const text of ["2022-03-17", "2022-03", "2022", "1647529617878"])
      expect(() => takes("DateTime", text)).to.throw("write an instant such as");
    expect(takes("DateTime", "2022-03-17 10:00:00Z")).to.equal("2022-03-17T10:00:00.000Z");
  });

  it("say what they want instead of what they do not take", () => {
    expect(() => takes("Date", "nope")).to.throw('Date cannot be "nope"; write a day such as 2007-12-03.');
    expect(() => takes("Date", "2023-02-29")).to.throw("Date cannot be");
    expect(() => takes("Time", "25:00:00")).to.throw("Time cannot be");
    expect(() => takes("DateTime", true)).to.throw("DateTime cannot be true");
    expect(() => takesLiteral("Date", "nope")).to.throw("Date cannot be");
    expect(() => takes("Long", 1.5)).to.throw("Long cannot be 1.5");
    expect(() => takes("Long", "9223372036854775808")).to.throw("Long cannot be");
    expect(() => takes("I18NLocaleCode", 5)).to.throw("I18NLocaleCode cannot be 5");
    expect(() => takesLiteral("I18NLocaleCode", "fr")).to.throw("I18NLocaleCode cannot be");
    for (const code of ["x y", "en;drop", "-", "en-"]) {
      expect(() => takes("I18NLocaleCode", code), code).to.throw("I18NLocaleCode cannot be");
      expect(() => takesLiteral("I18NLocaleCode", `"${code}"`), code).to.throw("I18NLocaleCode cannot be");
    }
    for (const code of ["en", "pt-BR", "zh-Hans-CN", "ca-ES-valencia", "en_US", "*"])
      expect(takes("I18NLocaleCode", code)).to.equal(code);
    expect(() => takes("Date", "x".repeat(500)))
      .to.throw()
      .with.property("message")
      .with.length.below(200);
  });

  it("show times with milliseconds, and what resolvers of the app return as dates and numbers", () => {
    expect(shows("Time", "10:00:00")).to.equal("10:00:00.000");
    expect(shows("Time", "10:00:00.5")).to.equal("10:00:00.500");
    expect(shows("DateTime", new Date(0))).to.equal("1970-01-01T00:00:00.000Z");
    expect(shows("Date", new Date(0))).to.equal("1970-01-01");
    expect(shows("Long", 5)).to.equal(5);
    for (const safe of ["-42", "0", "9007199254740991", "-9007199254740991"])
      expect(shows("Long", safe)).to.equal(Number(safe));
    for (const long of ["9007199254740992", "-9007199254740993"]) expect(shows("Long", long)).to.equal(long);
    expect(shows("Long", 2n ** 62n)).to.equal("4611686018427387904");
  });

  it("keep every digit of long numbers, in texts and in literals", () => {
    expect(takes("Long", "9007199254740993")).to.equal("9007199254740993");
    expect(takesLiteral("Long", "9007199254740993")).to.equal("9007199254740993");
    expect(takesLiteral("Long", "-9223372036854775808")).to.equal("-9223372036854775808");
    expect(takes("Long", 5)).to.equal("5");
  });

  it("take any JSON, with variables in it", () => {
    const literal = parseValue('{ a: [1, "b", null, true], c: $d }');
    expect(named("JSON").parseLiteral(literal, { d: { e: 1 } })).to.deep.equal({
      a: [1, "b", null, true],
      c: { e: 1 },
    });
  });
});
