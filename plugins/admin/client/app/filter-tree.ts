/** Conditions of a list, as `filters` of the content API has them. */
export type FilterTree = Readonly<Record<string, unknown>>;

/** How the parts of a group are joined. */
export type Join = "$and" | "$or";

/** One condition: a field, an operator, and what it compares with. */
export interface Condition {
  /** Names on the way: `["title"]`, `["author", "name"]`, `["seo", "metaTitle"]`. */
  readonly field: readonly string[];
  /** Of the content API, or LAST_DAYS. */
  readonly operator: string;
  readonly value: string | readonly string[];
}

/** Conditions and groups, joined. */
export interface Group {
  readonly join: Join;
  readonly parts: readonly Part[];
}

/** A condition, or a group of them. */
export type Part = Condition | Group;

/** The one operator that the content API lacks: it depends on the day. It becomes `$gte` when a list is read. */
export const LAST_DAYS = "$lastDays";

/** Whether a part is a group. */
export const isGroup = (part: Part): part is Group => "join" in part;

const NOTHING: Group = { join: "$and", parts: [] };

/** Reads conditions out of an address; what is in another form is left out. */
export function readTree(tree: FilterTree | undefined): Group {
  const [part] = partsOf(tree ?? {}, []);
  if (part === undefined) return NOTHING;
  return isGroup(part) ? part : { join: "$and", parts: [part] };
}

/** The parts of an object; one of several keys means all of them. */
function partsOf(value: unknown, field: readonly string[]): readonly Part[] {
  if (!isObject(value)) return [];
  const parts = Object.entries(value).flatMap(([key, inner]): readonly Part[] => {
    if ((key === "$and" || key === "$or") && field.length === 0) return groupOf(key, inner);
    if (!key.startsWith("$")) return partsOf(inner, [...field, key]);
    const isKnown = field.length > 0 && (typeof inner === "string" || isTexts(inner));
    return isKnown ? [{ field, operator: key, value: inner }] : [];
  });
  return parts.length > 1 ? [{ join: "$and", parts }] : parts;
}

function groupOf(join: Join, items: unknown): readonly Part[] {
  const parts = Array.isArray(items) ? items.flatMap((item) => partsOf(item, [])) : [];
  return parts.length === 0 ? [] : [{ join, parts }];
}

/** The form that addresses have; undefined where there are no conditions. */
export function writeTree(group: Group): FilterTree | undefined {
  const whole = simplified(group);
  if (whole === undefined) return undefined;
  return isGroup(whole) ? writtenPart(whole) : { $and: [writtenPart(whole)] };
}

/** A group of one part is that part, and one of none is nothing. */
function simplified(part: Part): Part | undefined {
  if (!isGroup(part)) return part;
  const parts = part.parts.flatMap((inner) => simplified(inner) ?? []);
  return parts.length > 1 ? { ...part, parts } : parts[0];
}

function writtenPart(part: Part): FilterTree {
  if (isGroup(part)) return { [part.join]: part.parts.map(writtenPart) };
  return part.field.reduceRight<FilterTree>((inner, name) => ({ [name]: inner }), { [part.operator]: part.value });
}

/** Whether a value of an address is a tree that can be read. */
export const isTree = (value: unknown): value is FilterTree => isObject(value) && readTree(value).parts.length > 0;

/** Appends a tree to a query string, in brackets. */
export function appendTree(query: URLSearchParams, key: string, value: unknown): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) appendTree(query, `${key}[${index}]`, item);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) appendTree(query, `${key}[${name}]`, item);
  else query.append(key, String(value));
}

const isObject = (value: unknown): value is FilterTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
