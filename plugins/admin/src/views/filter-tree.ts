import { invalidRequest } from "../content/request-body.js";

/** Conditions as addresses of lists have them. */
type Tree = Readonly<Record<string, unknown>>;

/** What is left of a tree. */
export interface KeptConditions {
  /** Undefined: no condition. */
  readonly tree: Tree | undefined;
  /** How many conditions are not in it. */
  readonly left: number;
}

/** Groups and names within each other. */
const MAX_DEPTH = 12;

/** The page's own operator, which depends on the day; it looks at the same field as any other. */
const LAST_DAYS = "$lastDays";

/**
 * Keeps those conditions of a tree that pass, each looked at by itself.
 *
 * @param passes - is given a tree of the one condition, as the content API takes it
 * @throws PLINTH_ADMIN_INVALID (400) for a form that the page does not have
 */
export function keepConditions(tree: Tree, passes: (condition: Tree) => boolean): KeptConditions {
  let left = 0;
  const keepCondition = (path: readonly string[], operator: string, value: unknown): boolean => {
    if (!isValue(value)) throw malformed(`${operator} has to have a text or a list of texts`);
    const asked = operator === LAST_DAYS ? { $notNull: "true" } : { [operator]: value };
    const isKept = passes(path.reduceRight<Tree>((inner, name) => ({ [name]: inner }), asked));
    if (!isKept) left += 1;
    return isKept;
  };
  const keepGroup = (key: string, value: unknown, depth: number): unknown => {
    if (!Array.isArray(value)) throw malformed(`${key} has to have a list`);
    const items = (value as readonly unknown[]).flatMap((item) => keep(item, [], depth + 1) ?? []);
    return items.length === 0 ? undefined : items;
  };
  const keepEntry = (key: string, value: unknown, path: readonly string[], depth: number): unknown => {
    if (path.length === 0 && (key === "$and" || key === "$or")) return keepGroup(key, value, depth);
    if (!key.startsWith("$")) return keep(value, [...path, key], depth + 1);
    if (path.length === 0) throw malformed(`${key} has to be about a field`);
    return keepCondition(path, key, value) ? value : undefined;
  };
  const keep = (value: unknown, path: readonly string[], depth: number): Tree | undefined => {
    if (!isTree(value)) throw malformed("a condition has to have an operator");
    if (depth > MAX_DEPTH) throw malformed(`groups and names may be ${MAX_DEPTH} deep`);
    const entries = Object.entries(value).map(([key, inner]) => [key, keepEntry(key, inner, path, depth)] as const);
    const kept = entries.filter(([, inner]) => inner !== undefined);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  const kept = keep(tree, [], 0);
  return { tree: kept, left };
}

const malformed = (message: string): Error => invalidRequest([{ path: "state.filters", message: `: ${message}` }]);

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

const isValue = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
