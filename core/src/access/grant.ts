import { type Ability, EVERYTHING, NOTHING, unlimited } from "./ability.js";
import { type PreparedRule, prepareRule, type Rule, type Variables } from "./rule.js";

/**
 * The permissions of a role or token: nothing, all reads, everything, or a list of actions, where `*` stands for any
 * text as in `api::article.*`, and of rules that limit an action to some rows or fields. A rule holds for its action
 * even if another item of the list grants the action without one.
 */
export type Grant = "none" | "read" | "all" | readonly (string | Rule)[];

const READING = ["*.find", "*.findOne"];
const READ = abilityOf(prepare(READING), {}, "read");
const NONE: Ability = { key: "none", values: "", can: () => false, reachOf: () => NOTHING };

/**
 * Makes the ability of a grant. Grants that allow the same have equal keys; the order of their
 * items does not matter.
 *
 * @param variables - what the templates of rules stand for; without a user, rules that ask for one reach no row.
 * @source plugins/content-api/WIRE.md#credentials-and-permissions, reading is every action whose name ends in find or
 *   findOne
 */
export function createAbility(grant: Grant, variables: Variables = {}): Ability {
  if (grant === "all") return unlimited;
  if (grant === "read") return READ;
  if (grant === "none" || grant.length === 0) return NONE;
  const known = prepared.get(grant) ?? prepare(grant);
  prepared.set(grant, known);
  return abilityOf(known, variables);
}

/** A grant as the list that it stands for: `"all"` is `["*"]`. */
export function grantItems(grant: Grant): readonly (string | Rule)[] {
  if (grant === "none") return [];
  if (grant === "read") return READING;
  return grant === "all" ? ["*"] : grant;
}

/** The action of an item of a grant; of a rule, the one that it limits. */
export function actionOfItem(item: string | Rule): string {
  return typeof item === "string" ? item : item.action;
}

/** The union of two grants. Where both have a rule for one action, the first one holds. */
export function mergeGrants(first: Grant, second: Grant): Grant {
  const items = grantItems(first);
  const settled = new Set(items.map(actionOfItem));
  return [...items, ...grantItems(second).filter((item) => !settled.has(actionOfItem(item)))];
}

interface PreparedGrant {
  readonly actions: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly ((action: string) => boolean)[];
  readonly rules: ReadonlyMap<string, PreparedRule>;
  readonly needsUser: boolean;
  readonly needsTime: boolean;
}

/** Grants are configuration, and abilities are made per request: what does not depend on the actor is done once. */
const prepared = new WeakMap<readonly (string | Rule)[], PreparedGrant>();

function prepare(items: readonly (string | Rule)[]): PreparedGrant {
  const rules = new Map<string, PreparedRule>();
  for (const item of items) if (typeof item !== "string") rules.set(item.action, prepareRule(item));
  const actions = [...new Set(items.map(actionOfItem))].sort();
  const patterns = actions.filter((action) => action.includes("*")).map(matchesAction);
  const all = [...rules.values()];
  return {
    ...{ actions, exact: new Set(actions), patterns, rules },
    needsUser: all.some(({ needsUser }) => needsUser),
    needsTime: all.some(({ needsTime }) => needsTime),
  };
}

function abilityOf(grant: PreparedGrant, variables: Variables, key?: string): Ability {
  const { actions, exact, patterns, rules } = grant;
  const isAdmin = variables.kind === "admin";
  const keyOf = (action: string) => {
    const rule = rules.get(action);
    if (!rule) return action;
    return `${action}${rule.needsUser && !variables.user ? "!" : ""}${rule.key}`;
  };
  const can = (action: string) => exact.has(action) || patterns.some((pattern) => pattern(action));
  return {
    key: key ?? `${isAdmin ? "admin " : ""}${actions.map(keyOf).join(",")}`,
    values: valuesOf(grant, variables),
    isAdmin,
    can,
    reachOf: (action) => rules.get(action)?.reachFor(variables) ?? (can(action) ? EVERYTHING : NOTHING),
  };
}

/** The values of the templates of rules, as a text; see `Ability.values`. */
function valuesOf({ needsUser, needsTime }: PreparedGrant, { user }: Variables): string | undefined {
  if (needsTime) return undefined;
  return needsUser && user ? JSON.stringify([user.id, user.documentId]) : "";
}

/**
 * Finds which actions a text with `*` stands for. The pieces between the stars are looked for one after the other, each
 * at its first place, so its time grows with the lengths of both texts, not with the number of stars.
 */
export function matchesAction(action: string): (candidate: string) => boolean {
  const [first = "", ...others] = action.split("*");
  const last = others.pop();
  if (last === undefined) return (candidate) => candidate === action;
  const pieces = others.filter((piece) => piece !== "");
  return (candidate) => {
    const end = candidate.length - last.length;
    if (end < first.length || !candidate.startsWith(first) || !candidate.endsWith(last)) return false;
    let place = first.length;
    for (const piece of pieces) {
      const found = candidate.indexOf(piece, place);
      if (found < 0) return false;
      place = found + piece.length;
    }
    return place <= end;
  };
}
