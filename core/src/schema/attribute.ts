import type { Attribute, ScalarAttribute, ScalarKind, SystemId } from "./model.js";

/** Operators of a filter on one attribute (WIRE.md, "Filters"); `$and`, `$or` and `$not` fit every attribute. */
export type FilterOperator = (typeof TEXT_OPERATORS)[number];

/** An SQL template: the SQL of a value becomes the SQL of a derived value. */
export type SqlTemplate = (expression: string) => string;

/** The traits of one kind of scalar attribute, for all floors. */
export interface ScalarTraits {
  /** Column type in PostgreSQL. */
  readonly columnType: string;
  /** Type that a parameter is cast to: `$1::int4`, lists `$1::int4[]`. */
  readonly cast: string;
  readonly operators: readonly FilterOperator[];
  /** SQL of the column as it goes into JSON. Inside components the jsonb already holds this form. */
  readonly output: SqlTemplate;
  /** SQL of a value inside of a component, typed: of `seo` and `'views'` it is `(seo ->> 'views')::int4`. */
  readonly fromJson: (object: string, key: string) => string;
  /** What `_q` looks into: the text, or the digits for a phrase that is a number. */
  readonly search: "text" | "digits" | undefined;
  readonly isSortable: boolean;
  /** False: never shown, filtered, sorted or searched by any path. */
  readonly isReadable: boolean;
  /** Options of the schema file that this kind takes beside the common ones. */
  readonly options: readonly string[];
  /** Name of the scalar in GraphQL; each enumeration has a type of its own instead. */
  readonly graphqlScalar:
    | "String"
    | "Int"
    | "Long"
    | "Float"
    | "Boolean"
    | "Date"
    | "Time"
    | "DateTime"
    | "JSON"
    | "ID";
}

const NULL_OPERATORS = ["$null", "$notNull"] as const;
const JSON_OPERATORS = ["$eq", "$ne", ...NULL_OPERATORS] as const;
const EQUAL_OPERATORS = ["$eq", "$ne", "$in", "$notIn", ...NULL_OPERATORS] as const;
const ORDER_OPERATORS = [...EQUAL_OPERATORS, "$lt", "$lte", "$gt", "$gte", "$between"] as const;
const TEXT_OPERATORS = [
  ...ORDER_OPERATORS,
  ...(["$eqi", "$nei", "$contains", "$notContains", "$containsi", "$notContainsi"] as const),
  ...(["$startsWith", "$startsWithi", "$endsWith", "$endsWithi"] as const),
] as const;

const asItIs: SqlTemplate = (expression) => expression;
const castTo =
  (type: string): SqlTemplate =>
  (expression) =>
    `(${expression})::${type}`;
const typedAs =
  (type: string): ScalarTraits["fromJson"] =>
  (object, key) =>
    `(${object} ->> ${key})::${type}`;
const isoUtc: SqlTemplate = (expression) =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const INDEXED = ["default", "unique", "index"];
const MEASURED = [...INDEXED, "min", "max"];
const READABLE = { isSortable: true, isReadable: true } as const;

const TEXT: ScalarTraits = {
  ...READABLE,
  columnType: "text",
  cast: "text",
  operators: TEXT_OPERATORS,
  output: asItIs,
  fromJson: (object, key) => `(${object} ->> ${key})`,
  search: "text",
  options: [...INDEXED, "minLength", "maxLength", "regex"],
  graphqlScalar: "String",
};

const INTEGER: ScalarTraits = {
  ...READABLE,
  columnType: "int4",
  cast: "int4",
  operators: ORDER_OPERATORS,
  output: asItIs,
  fromJson: typedAs("int4"),
  search: "digits",
  options: MEASURED,
  graphqlScalar: "Int",
};

const BIG_INTEGER: ScalarTraits = {
  ...INTEGER,
  columnType: "int8",
  cast: "int8",
  output: castTo("text"),
  fromJson: typedAs("int8"),
  graphqlScalar: "Long",
};

const FLOAT: ScalarTraits = {
  ...INTEGER,
  columnType: "float8",
  cast: "float8",
  fromJson: typedAs("float8"),
  graphqlScalar: "Float",
};

const DATETIME: ScalarTraits = {
  ...READABLE,
  columnType: "timestamptz(3)",
  cast: "timestamptz",
  operators: ORDER_OPERATORS,
  output: isoUtc,
  fromJson: typedAs("timestamptz"),
  search: undefined,
  options: INDEXED,
  graphqlScalar: "DateTime",
};

const DATE: ScalarTraits = {
  ...DATETIME,
  columnType: "date",
  cast: "date",
  output: asItIs,
  fromJson: typedAs("date"),
  graphqlScalar: "Date",
};

const JSON_VALUE: ScalarTraits = {
  ...DATE,
  columnType: "jsonb",
  cast: "jsonb",
  operators: NULL_OPERATORS,
  fromJson: (object, key) => `nullif(${object} -> ${key}, 'null')`,
  isSortable: false,
  options: ["default"],
  graphqlScalar: "JSON",
};

/**
 * One row per kind of scalar attribute, and one for the row id. A new kind is a row here, a parser in parse-value.ts,
 * a name in model.ts, and their tests.
 *
 * @source plugins/content-api/WIRE.md#values
 * @source plugins/content-api/WIRE.md#filters
 * @source plugins/content-api/WIRE.md#search
 * @source core/decisions/0005-one-statement-per-read.md, `to_char` costs 15 to 25 %, yet json prints no `Z`
 */
export const SCALAR_TRAITS = {
  string: TEXT,
  text: TEXT,
  richtext: { ...TEXT, options: ["default", "minLength", "maxLength", "regex"] },
  email: TEXT,
  password: {
    ...TEXT,
    operators: [],
    search: undefined,
    isSortable: false,
    isReadable: false,
    options: ["minLength", "maxLength", "regex"],
  },
  uid: { ...TEXT, options: [...TEXT.options, "targetField", "autoGenerate", "options"] },
  enumeration: { ...TEXT, options: [...INDEXED, "enum", "enumName"] },
  date: DATE,
  time: { ...DATE, columnType: "time(3)", cast: "time", fromJson: typedAs("time"), graphqlScalar: "Time" },
  datetime: DATETIME,
  timestamp: DATETIME,
  integer: INTEGER,
  biginteger: BIG_INTEGER,
  float: FLOAT,
  decimal: {
    ...FLOAT,
    columnType: "numeric(10,2)",
    cast: "numeric",
    output: castTo("float8"),
    fromJson: typedAs("numeric"),
  },
  boolean: {
    ...INTEGER,
    columnType: "bool",
    cast: "bool",
    operators: EQUAL_OPERATORS,
    fromJson: typedAs("bool"),
    search: undefined,
    options: ["default", "index"],
    graphqlScalar: "Boolean",
  },
  json: { ...JSON_VALUE, operators: JSON_OPERATORS },
  blocks: JSON_VALUE,
  id: { ...BIG_INTEGER, output: asItIs, search: undefined, options: [], graphqlScalar: "ID" },
} satisfies Record<ScalarKind | SystemId["kind"], ScalarTraits>;

/** The traits of an attribute's kind. */
export function traitsOf(attribute: Pick<ScalarAttribute | SystemId, "kind">): ScalarTraits {
  return SCALAR_TRAITS[attribute.kind];
}

/** Whether a kind, such as an attribute's, is one of the scalar ones. */
export function isScalarKind(kind: string): kind is ScalarKind {
  return kind !== "id" && Object.hasOwn(SCALAR_TRAITS, kind);
}

/** A stored value as an SQL parameter of its column: json and blocks as JSON text, everything else as it is. */
export function toSqlParameter(attribute: Pick<ScalarAttribute | SystemId, "kind">, value: unknown): unknown {
  return value !== null && traitsOf(attribute).cast === "jsonb" ? JSON.stringify(value) : value;
}

/**
 * Whether an attribute is unique among published rows; every uid is.
 *
 * @source plugins/content-api/WIRE.md#unique-values
 */
export function isUnique(attribute: Attribute): attribute is ScalarAttribute {
  return isScalarKind(attribute.kind) && (attribute.kind === "uid" || (attribute as ScalarAttribute).unique);
}

/** Whether the server generates a uid that a body leaves out. @source plugins/content-api/WIRE.md#unique-values */
export function isGenerated(attribute: Attribute): attribute is ScalarAttribute & { readonly targetField: string } {
  return attribute.kind === "uid" && attribute.autoGenerate && attribute.targetField !== undefined;
}
