import type { AttributeKind, AttributeView } from "../../../src/wire/model.js";

/** What a reader compares by. All but `on`, `oneOf`, `noneOf` and `lastDays` are operators of the content API without their `$`. */
export type Comparison =
  | "containsi"
  | "eq"
  | "ne"
  | "startsWithi"
  | "gte"
  | "lte"
  | "lt"
  | "gt"
  | "between"
  | "in"
  | "on"
  | "lastDays"
  | "oneOf"
  | "noneOf"
  | "null"
  | "notNull";

const EMPTY: readonly Comparison[] = ["null", "notNull"];
const TEXT: readonly Comparison[] = ["containsi", "eq", "startsWithi", ...EMPTY];
const NUMBER: readonly Comparison[] = ["eq", "ne", "between", "gte", "lte", ...EMPTY];
const MOMENT: readonly Comparison[] = ["on", "lt", "gt", "between", "lastDays", ...EMPTY];

const BY_KIND: Readonly<Record<AttributeKind, readonly Comparison[]>> = {
  string: TEXT,
  text: ["containsi", "startsWithi", ...EMPTY],
  richtext: ["containsi", ...EMPTY],
  email: TEXT,
  uid: TEXT,
  integer: NUMBER,
  biginteger: NUMBER,
  float: NUMBER,
  decimal: NUMBER,
  boolean: ["eq", ...EMPTY],
  enumeration: ["in", "eq", "ne", ...EMPTY],
  date: ["eq", "lt", "gt", "between", "lastDays", ...EMPTY],
  time: ["eq", "lt", "gt", "between", ...EMPTY],
  datetime: MOMENT,
  timestamp: MOMENT,
  blocks: EMPTY,
  json: EMPTY,
  media: ["notNull", "null"],
  relation: ["oneOf", ...EMPTY],
  component: EMPTY,
  dynamiczone: [],
  password: [],
};

/** What lists are filtered by: an attribute, or what the server knows of a document beside its attributes. */
export interface FilterField extends AttributeView {
  /** Default: those of its kind. */
  readonly comparisons?: readonly Comparison[];
  /** The words for a value. Default: the value. */
  readonly wordsFor?: (value: string) => string;
}

/** What a field may be compared by; none: it cannot be filtered. */
export function comparisonsOf(field: FilterField): readonly Comparison[] {
  const { kind, target, isRequired, isMultiple } = field;
  const known = field.comparisons ?? BY_KIND[kind];
  // The documents of a relation to several types are in no one list.
  if (kind === "relation" && !target) return EMPTY;
  if (kind === "relation" && isMultiple) return ["oneOf", "noneOf", ...EMPTY];
  return kind === "boolean" && isRequired ? ["eq"] : known;
}

/** Whether a comparison is with documents, which are chosen from a list. */
export const isWithDocuments = (comparison: Comparison): boolean => comparison === "oneOf" || comparison === "noneOf";

/** What the last of some attributes, each behind the one before it, may be compared by: `noneOf` of a list in a list is not written by its name. */
export function comparisonsAt(attributes: readonly FilterField[]): readonly Comparison[] {
  const last = attributes.at(-1);
  const isInList = attributes.slice(0, -1).some(({ isMultiple }) => isMultiple);
  return last ? comparisonsOf(last).filter((comparison) => !(isInList && comparison === "noneOf")) : [];
}

/** Kinds that are compared as moments, in the zone of the reader. */
export const isMoment = (kind: AttributeKind): boolean => kind === "datetime" || kind === "timestamp";

/** Whether a comparison needs no value of the reader. */
export const isBare = (comparison: Comparison): comparison is "null" | "notNull" =>
  comparison === "null" || comparison === "notNull";
