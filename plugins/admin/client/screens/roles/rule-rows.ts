import { type FilterTree, isGroup, type Part, readTree, writeTree } from "../../app/filter-tree.js";

/** The rows of a rule, as the form has them. */
export interface RuleRows {
  /** Only what the person made themselves. */
  readonly isOwn: boolean;
  /** Only these locales; undefined: all. */
  readonly locales: readonly string[] | undefined;
  /** Further conditions, as the filters of a list have them. */
  readonly tree: FilterTree | undefined;
  /** Conditions that no form shows: they stay as they are. */
  readonly kept: readonly FilterTree[];
}

const OWN = JSON.stringify({ createdBy: { id: "{{user.id}}" } });

/** Takes the filter of a rule apart. */
export function readRows(where: FilterTree | undefined): RuleRows {
  const parts = partsOf(where);
  const others = parts.filter((part) => !isOwn(part) && localesOf(part) === undefined);
  const shown = others.filter(isShown);
  return {
    isOwn: parts.some(isOwn),
    locales: parts.map(localesOf).find((locales) => locales !== undefined),
    tree: shown.length === 0 ? undefined : joined(shown.map(normal)),
    kept: others.filter((part) => !isShown(part)),
  };
}

/** Puts the filter of a rule together; undefined: all rows. */
export function writeRows({ isOwn: own, locales, tree, kept }: RuleRows): FilterTree | undefined {
  const parts = [
    ...(own ? [JSON.parse(OWN) as FilterTree] : []),
    ...(locales ? [{ locale: { $in: locales } }] : []),
    ...(tree ? [tree] : []),
    ...kept,
  ];
  return parts.length === 0 ? undefined : joined(parts);
}

const joined = (parts: readonly FilterTree[]): FilterTree =>
  parts.length === 1 ? (parts[0] as FilterTree) : { $and: parts };

/** Conditions that all have to hold: those of `$and`, else each key by itself. */
function partsOf(where: FilterTree | undefined): readonly FilterTree[] {
  const entries = Object.entries(where ?? {});
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === "$and" && Array.isArray(first[1]))
    return first[1] as readonly FilterTree[];
  return entries.map(([key, value]) => ({ [key]: value }));
}

const isOwn = (part: FilterTree): boolean => JSON.stringify(part) === OWN;

function localesOf(part: FilterTree): readonly string[] | undefined {
  if (Object.keys(part).join() !== "locale") return undefined;
  const { locale } = part;
  if (typeof locale === "string") return [locale];
  const { $in, $eq, ...others } = Object(locale) as Record<string, unknown>;
  if (Object.keys(others).length > 0) return undefined;
  if (typeof $eq === "string" && $in === undefined) return [$eq];
  const areTexts = Array.isArray($in) && $in.every((code) => typeof code === "string");
  return areTexts && $eq === undefined ? ($in as readonly string[]) : undefined;
}

/** Comparisons that the form of filters has. */
const KNOWN = [
  "containsi",
  "eq",
  "ne",
  "startsWithi",
  "gte",
  "lte",
  "lt",
  "gt",
  "between",
  "in",
  "none",
  "null",
  "notNull",
];

const areKnown = (part: Part): boolean =>
  isGroup(part) ? part.parts.every(areKnown) : KNOWN.includes(part.operator.slice(1));

/** Whether the form of filters says all of a condition, and nothing else. */
function isShown(part: FilterTree): boolean {
  const plain = normal(part);
  if (JSON.stringify(plain).includes("{{")) return false;
  const read = readTree(plain);
  const again = writeTree(read);
  if (!areKnown(read)) return false;
  return [plain, { $and: [plain] }].some((each) => JSON.stringify(each) === JSON.stringify(again));
}

/** Values as texts, and comparisons by their names: what the grammar of filters takes for the same. */
function normal(value: unknown): FilterTree {
  if (typeof value !== "object" || value === null) {
    return (value === null ? { $null: "true" } : { $eq: String(value) }) as FilterTree;
  }
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === "$and" || key === "$or") return [key, Array.isArray(inner) ? inner.map((each) => normal(each)) : inner];
    if (!key.startsWith("$")) return [key, normal(inner)];
    return [key, Array.isArray(inner) ? inner.map(String) : typeof inner === "object" ? inner : String(inner)];
  });
  return Object.fromEntries(entries) as FilterTree;
}
