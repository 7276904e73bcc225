import { parseValue, type ScalarKind } from "@plinth/core/schema";
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from "graphql";
import { inspectValue } from "./inspect-value.js";

/** Turns what a resolver returned into what the client gets. */
type Printer = (value: unknown) => unknown;

/** Days: `2024-03-01`. */
const dateScalar = textScalar({
  name: "Date",
  description: "A day of the calendar, as ISO 8601 writes it: `2007-12-03`.",
  kind: "date",
  form: /^\d{4}-\d{2}-\d{2}$/,
  expected: "a day such as 2007-12-03",
  print: (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value),
});

/** Instants: `2024-05-05T10:20:30.400Z`; milliseconds since 1970 are taken, too. */
const dateTimeScalar = textScalar({
  name: "DateTime",
  description: "An instant, as ISO 8601 writes it: `2007-12-03T10:15:30.000Z`. Without an offset it is in UTC.",
  kind: "datetime",
  form: /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/i,
  expected: "an instant such as 2007-12-03T10:15:30Z",
  print: (value) => (value instanceof Date || typeof value === "number" ? new Date(value).toISOString() : value),
});

/** Times of day: `10:20:30` and `10:20:30.400` go in, `10:20:30.400` comes out. */
const timeScalar = textScalar({
  name: "Time",
  description: "A time of day, with milliseconds: `10:15:30.000`.",
  kind: "time",
  expected: "a time such as 10:15:30.000",
  print: (value) => (typeof value === "string" ? withMilliseconds(value) : value),
});

/** Whole numbers of up to 64 bits; those that a number of JavaScript cannot hold are texts in answers. */
const longScalar = textScalar({
  name: "Long",
  description:
    "A whole number of up to 64 bits: a number up to 9007199254740991, beyond it a string. Arguments may be both.",
  kind: "biginteger",
  expected: "a whole number from -9223372036854775808 to 9223372036854775807",
  print: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
});

/** Any JSON value. */
const jsonScalar = new GraphQLScalarType({
  name: "JSON",
  description: "Any JSON value: text, number, truth value, null, list or object.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259",
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** Codes of locales. */
const localeScalar = new GraphQLScalarType({
  name: "I18NLocaleCode",
  description: "The code of a locale: `en`, `pt-BR`.",
  parseValue: parseLocale,
  parseLiteral: (node) => parseLocale(literalValue(node)),
});

/** The scalars that generated types use beside those of GraphQL itself. */
export const scalars: readonly GraphQLScalarType[] = [
  dateScalar,
  dateTimeScalar,
  timeScalar,
  longScalar,
  jsonScalar,
  localeScalar,
];

/** A scalar whose values are those of a kind of attribute, and texts in JSON. */
function textScalar(options: {
  readonly name: string;
  readonly description: string;
  readonly kind: ScalarKind;
  /** What texts look like, where the kind itself takes more over REST. */
  readonly form?: RegExp;
  readonly expected: string;
  readonly print: Printer;
}): GraphQLScalarType {
  const { name, description, kind, form, expected, print } = options;
  const isForm = (input: unknown) =>
    isPlain(input) && (form === undefined || typeof input !== "string" || form.test(input));
  const parse = (input: unknown): unknown => {
    const parsed = isForm(input) ? parseValue({ kind }, input, { path: [name], use: "body" }) : undefined;
    if (!parsed || parsed.problems) throw refusal(name, expected, input);
    return parsed.value;
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: print,
    parseValue: parse,
    parseLiteral: (node) => parse(literalValue(node)),
  });
}

/** Booleans would become numbers. */
const isPlain = (input: unknown): boolean => typeof input === "string" || typeof input === "number";

/** What can be the code of a locale: `en`, `pt-BR`, `*` for all, nothing for the default one. */
const LOCALE_CODE = /^(?:\*|[A-Za-z0-9]+(?:[-_.@][A-Za-z0-9]+)*)?$/;

function parseLocale(input: unknown): string {
  if (typeof input !== "string" || !LOCALE_CODE.test(input))
    throw refusal("I18NLocaleCode", "the code of a locale, as text", input);
  return input;
}

/** Whole numbers stay texts: a literal may have more digits than a number of JavaScript. */
function literalValue(node: ValueNode): unknown {
  if (node.kind === Kind.INT && !Number.isSafeInteger(Number(node.value))) return node.value;
  return node.kind === Kind.ENUM ? undefined : valueFromASTUntyped(node);
}

function withMilliseconds(time: string): string {
  const [clock = "", fraction = ""] = time.split(".");
  return `${clock}.${fraction.padEnd(3, "0").slice(0, 3)}`;
}

function refusal(name: string, expected: string, input: unknown): GraphQLError {
  return new GraphQLError(`${name} cannot be ${inspectValue(input)}; write ${expected}.`);
}
