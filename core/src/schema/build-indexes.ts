import { isScalarKind, SCALAR_TRAITS } from "./attribute.js";
import type { Report } from "./errors.js";
import type { Attribute, RelationAttribute, ScalarAttribute, SystemId } from "./model.js";
import type { RawContentType } from "./raw.js";

/**
 * Characters that always fit into an entry of a btree (a third of a page, 2.7 kB), at four bytes each.
 *
 * @source https://www.postgresql.org/docs/current/btree.html
 */
const ENTRY_LENGTH = 600;
/** Columns of an index beside the locale and the row id. */
const MAX_COLUMNS = 8;

type Fields = ReadonlyMap<string, Attribute | SystemId>;

/** Whether every value fits into an index that has rows in order: long texts are refused by it. */
export const isOrderable = (attribute: ScalarAttribute): boolean => (longest(attribute) ?? Infinity) <= ENTRY_LENGTH;

/** Characters of the longest text; 0 for what is always short, undefined without a limit. */
function longest({ kind, maxLength }: ScalarAttribute): number | undefined {
  return SCALAR_TRAITS[kind].columnType === "text" && kind !== "enumeration" ? maxLength : 0;
}

/**
 * Reads `indexes` of a content-type: lists of at least two names each, as in `[["tenant", "title"]]`.
 *
 * @param fields - attributes and system fields
 * @returns the columns of each
 */
export function readIndexes(
  { indexes }: RawContentType,
  fields: Fields,
  report: Report,
): readonly (readonly string[])[] {
  if (indexes === undefined) return [];
  if (!Array.isArray(indexes)) {
    report("indexes", "This is not a list of indexes.", 'Write lists of attributes: [["tenant", "title"]].');
    return [];
  }
  const read = indexes.map((names: unknown, place): readonly string[] => {
    const problem = problemOf(names, fields);
    if (problem) report(`indexes.${place}`, ...problem);
    return problem ? [] : Object.freeze((names as readonly string[]).map((name) => columnOf(fields.get(name))));
  });
  return Object.freeze(read);
}

const columnOf = (field: Attribute | SystemId | undefined): string => (field as Partial<ScalarAttribute>)?.column ?? "";

type Problem = readonly [message: string, remedy: string];

function problemOf(names: unknown, fields: Fields): Problem | undefined {
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string");
  const count = isList ? new Set(names).size : 0;
  if (!isList || count < 2 || count !== names.length || count > MAX_COLUMNS)
    return [
      `${JSON.stringify(names)} does not name two to ${MAX_COLUMNS} different attributes.`,
      'Write ["tenant", "title"]; for one attribute alone its own "index": true.',
    ];
  for (const name of names as readonly string[]) {
    const field = fields.get(name);
    if (!field) return [`There is no attribute "${name}".`, `Known are ${[...fields.keys()].join(", ")}.`];
    const problem = problemOfField(field);
    if (problem) return problem;
  }
  const length = (names as readonly string[]).reduce((sum, name) => sum + lengthOf(fields.get(name)), 0);
  if (length <= ENTRY_LENGTH) return undefined;
  return [
    `Its texts may have ${length} characters together, and an entry of an index has room for ${ENTRY_LENGTH}.`,
    'Lower a "maxLength", or leave an attribute out.',
  ];
}

const lengthOf = (field: Attribute | SystemId | undefined): number =>
  field && isScalar(field) ? (longest(field) ?? 0) : 0;

function problemOfField(field: Attribute | SystemId): Problem | undefined {
  if (isScalar(field) && isIndexable(field)) {
    if (isOrderable(field)) return undefined;
    return [
      `"${field.name}" may hold a text that is too long for an index.`,
      `Give it a "maxLength" of at most ${ENTRY_LENGTH}.`,
    ];
  }
  if ((field as RelationAttribute).storage === "column") return undefined;
  return [
    `"${field.name}" has no column of one value, which an index needs.`,
    "Name attributes with one value, and relations to one document that this side owns.",
  ];
}

const isScalar = (field: Attribute | SystemId): field is ScalarAttribute => isScalarKind(field.kind);

/** The moments of a row take no options, and have values like any other. */
const isIndexable = ({ kind, isWritable }: ScalarAttribute): boolean =>
  SCALAR_TRAITS[kind].isReadable && (SCALAR_TRAITS[kind].options.includes("index") || !isWritable);
