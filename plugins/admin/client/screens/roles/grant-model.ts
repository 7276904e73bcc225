import type { GrantItem, PageAction, RoleType, RoleView, RuleItem } from "../../../src/wire/roles.js";

/** Whether an action is allowed: for all rows and fields, for some, or not. */
export type CellState = "yes" | "part" | "no";

/** A cell of the matrix. */
export interface Cell {
  readonly state: CellState;
  /** The item of the code that decides; nothing: the code says nothing about it. */
  readonly byCode?: string;
  /** The pattern of the database by which it is allowed, where no item of its own says so. */
  readonly byPattern?: string;
  /** The rule that limits it. */
  readonly rule?: RuleItem;
}

/** The row that stands for every content-type, also those to come. */
export const EVERY_TYPE = "api::*";

const actionOf = (item: GrantItem): string => (typeof item === "string" ? item : item.action);
const isRule = (item: GrantItem): item is RuleItem => typeof item !== "string";

/** Whether a pattern, in which `*` is any text, stands for an action; one without `*` is the action itself. */
export function allows(pattern: string, action: string): boolean {
  if (!pattern.includes("*")) return pattern === action;
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.:+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(action);
}

/** What an action of a role is. What code says holds. */
export function cellOf({ byCode, grant }: Pick<RoleView, "byCode" | "grant">, action: string): Cell {
  const code =
    byCode.find((item) => isRule(item) && item.action === action) ??
    byCode.find((item) => allows(actionOf(item), action));
  if (code !== undefined)
    return isRule(code) ? { state: "part", byCode: action, rule: code } : { state: "yes", byCode: code };
  const own = grant.find((item) => actionOf(item) === action);
  if (own !== undefined) return isRule(own) ? { state: "part", rule: own } : { state: "yes" };
  const pattern = grant.find((item) => !isRule(item) && allows(item, action));
  return pattern === undefined ? { state: "no" } : { state: "yes", byPattern: String(pattern) };
}

/** The grant in which an action is allowed, limited by a rule, or not; other items stay as they are. */
export function withAction(
  grant: readonly GrantItem[],
  action: string,
  value: "yes" | "no" | RuleItem,
): readonly GrantItem[] {
  const others = grant.filter((item) => actionOf(item) !== action);
  if (value === "no") return others;
  return [...others, value === "yes" ? action : { ...value, action }];
}

/** Items of a grant that no cell shows: patterns, and actions of what the matrix does not list. */
export function otherItems(
  grant: readonly GrantItem[],
  types: readonly RoleType[],
  pageActions: readonly PageAction[],
): readonly GrantItem[] {
  const shown = new Set([
    ...types.flatMap(({ uid, actions }) => actions.map((name) => `${uid}.${name}`)),
    ...columnsOf(types).map((name) => `${EVERY_TYPE}.${name}`),
    ...pageActions.map(({ name }) => name),
  ]);
  return grant.filter((item) => !shown.has(actionOf(item)));
}

const ORDER = ["find", "findOne", "findDrafts", "create", "update", "delete", "publish", "unpublish", "discardDraft"];

/** Names of the actions of some types, in the order of a document's life. */
export function columnsOf(types: readonly RoleType[]): readonly string[] {
  const names = new Set(types.flatMap(({ actions }) => actions));
  return [...ORDER.filter((name) => names.has(name)), ...[...names].filter((name) => !ORDER.includes(name))];
}

/** Whether two grants are the same, in any order of their items. */
export function isSameGrant(a: readonly GrantItem[], b: readonly GrantItem[]): boolean {
  const texts = (items: readonly GrantItem[]) =>
    items
      .map((item) => JSON.stringify(item))
      .sort()
      .join();
  return texts(a) === texts(b);
}
