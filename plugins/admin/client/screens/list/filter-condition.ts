import type { AttributeKind } from "../../../src/wire/model.js";
import { type Condition, type FilterTree, LAST_DAYS } from "../../app/filter-tree.js";
import { fromInput, toInput } from "../../fields/date/date-text.js";
import { type Comparison, isBare, isMoment, isWithDocuments } from "./operators.js";

/** A condition as a form has it: values as the browser's inputs have them. */
export interface FilterValues {
  readonly comparison: Comparison;
  readonly values: readonly string[];
}

/** A form with another comparison: documents stay chosen where that is with documents as well. */
export function changedForm(comparison: Comparison, { comparison: old, values }: FilterValues): FilterValues {
  return { comparison, values: isWithDocuments(comparison) && isWithDocuments(old) ? values : [] };
}

/** The last millisecond of a day begins here. */
const END_OF_DAY = "T23:59:59.999";
const DOCUMENT_ID = "documentId";
/** Takes ids of documents itself. */
const NONE_OF = "$none";

/** The condition that a form means. @param field - names on the way to the attribute */
export function toCondition(field: readonly string[], kind: AttributeKind, form: FilterValues): Condition {
  const { comparison, values } = form;
  const [first = "", second = ""] = values;
  const stored = (text: string) => (isMoment(kind) || kind === "time" ? (fromInput(kind, text) ?? text) : text);
  if (isBare(comparison)) return { field, operator: `$${comparison}`, value: "true" };
  switch (comparison) {
    case "oneOf":
      return { field: [...field, DOCUMENT_ID], operator: "$in", value: values };
    case "noneOf":
      return { field, operator: NONE_OF, value: values };
    case "on":
      return { field, operator: "$between", value: dayBounds(first) };
    case "lastDays":
      return { field, operator: LAST_DAYS, value: first };
    case "between":
      return { field, operator: "$between", value: [stored(first), stored(second)] };
    case "in":
      return { field, operator: "$in", value: values };
    default:
      return { field, operator: `$${comparison}`, value: stored(first) };
  }
}

/** The form that a condition was made by. @param kind - of the attribute */
export function fromCondition(kind: AttributeKind, { operator, value }: Condition): FilterValues {
  const stored = typeof value === "string" ? [value] : value;
  if (kind === "relation" && operator === "$in") return { comparison: "oneOf", values: stored };
  if (operator === NONE_OF) return { comparison: "noneOf", values: stored };
  if (operator === LAST_DAYS) return { comparison: "lastDays", values: stored };
  const isDated = isMoment(kind) || kind === "time" || kind === "date";
  const values = isDated ? stored.map((text) => toInput(kind, text)) : stored;
  const day = isMoment(kind) && operator === "$between" ? dayOf(stored) : undefined;
  if (day !== undefined) return { comparison: "on", values: [day] };
  return { comparison: operator.slice(1) as Comparison, values: operator.endsWith("ull") ? [] : values };
}

/** First and last moment of a day in the zone of the reader. */
const dayBounds = (day: string): readonly string[] =>
  [`${day}T00:00:00`, `${day}${END_OF_DAY}`].map((text) => new Date(text).toISOString());

/** The day whose bounds these are. */
function dayOf([from = "", to = ""]: readonly string[]): string | undefined {
  const day = toInput("datetime", from).slice(0, 10);
  if (day === "") return undefined;
  const [first, last] = dayBounds(day);
  return first === from && last === to ? day : undefined;
}

/** The names of the attribute that a condition is about: what a relation is one of is asked by the ids of its documents. */
export const attributeOf = ({ field, operator }: Condition): readonly string[] =>
  operator === "$in" && field.at(-1) === DOCUMENT_ID ? field.slice(0, -1) : field;

/** Ids of the documents that a condition names, whose titles are shown. */
export function documentsOf(condition: Condition): readonly string[] {
  const isNamed = condition.operator === NONE_OF || attributeOf(condition) !== condition.field;
  if (!isNamed) return [];
  return typeof condition.value === "string" ? [condition.value] : condition.value;
}

/**
 * The tree as the content API understands it: the last days begin with a day of the reader.
 *
 * @param kindOf - of the attribute at some names
 */
export function askedTree(
  tree: FilterTree,
  kindOf: (field: readonly string[]) => AttributeKind | undefined,
): FilterTree {
  const asked = (value: unknown, field: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => asked(item, field));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      if (key === LAST_DAYS) return ["$gte", daysAgo(Number(inner), kindOf(field))];
      return [key, asked(inner, key.startsWith("$") ? field : [...field, key])];
    });
    return Object.fromEntries(entries) as unknown;
  };
  return asked(tree, []) as FilterTree;
}

function daysAgo(days: number, kind: AttributeKind | undefined): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - days);
  const moment = day.toISOString();
  return kind === "date" ? toInput("datetime", moment).slice(0, 10) : moment;
}
