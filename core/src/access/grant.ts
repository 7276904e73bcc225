import { type Ability, unlimited } from "./ability.js";
import { type PreparedRule, prepareRule, type Rule, type Variables } from "./rule.js";

/**
 * What somebody is given: nothing, all reading, everything, or what is listed: actions, where `*` stands for any text
 * as in `api::article.*`, and rules for actions on some rows or fields. A rule holds for its action whatever else the
 * list grants.
 */
export type Grant = "none" | "read" | "all" | readonly (string | Rule)[];

const READING = ["*.find", "*.findOne"];
const READ = abilityOf(prepare(READING), {}, "read");
const NONE: Ability = { key: "none", isFixed: true, can: () => false, limitsOf: () => undefined };

/**
 * Makes the ability of a grant. Grants that allow the same have equal keys, whatever the order of their items and
 * whoever holds them.
 *
 * @param variables - what the templates of rules stand for; without a user, rules that ask for one reach no row.
 * @source personas of the corpus: reading is every action whose name ends in find or findOne
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

/** All that two grants give. Where both speak of one action, what the first says holds. */
export function uniteGrants(first: Grant, second: Grant): Grant {
  const items = grantItems(first);
  const settled = new Set(items.map(actionOfItem));
  return [...items, ...grantItems(second).filter((item) => !settled.has(actionOfItem(item)))];
}

interface PreparedGrant {
  readonly actions: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly ((action: string) => boolean)[];
  readonly rules: ReadonlyMap<string, PreparedRule>;
  readonly isFixed: boolean;
}

/** Grants are configuration, and abilities are made per request: what does not depend on the actor is done once. */
const prepared = new WeakMap<readonly (string | Rule)[], PreparedGrant>();

function prepare(items: readonly (string | Rule)[]): PreparedGrant {
  const rules = new Map<string, PreparedRule>();
  for (const item of items) if (typeof item !== "string") rules.set(item.action, prepareRule(item));
  const actions = [...new Set(items.map(actionOfItem))].sort();
  const patterns = actions.filter((action) => action.includes("*")).map(matchesAction);
  const isFixed = [...rules.values()].every((rule) => rule.isFixed);
  return { actions, exact: new Set(actions), patterns, rules, isFixed };
}

function abilityOf(
  { actions, exact, patterns, rules, isFixed }: PreparedGrant,
  variables: Variables,
  key?: string,
): Ability {
  const keyOf = (action: string) => {
    const rule = rules.get(action);
    if (!rule) return action;
    return `${action}${rule.needsUser && !variables.user ? "!" : ""}${rule.key}`;
  };
  return {
    key: key ?? actions.map(keyOf).join(","),
    isFixed,
    can: (action) => exact.has(action) || patterns.some((pattern) => pattern(action)),
    limitsOf: (action) => rules.get(action)?.limitsFor(variables),
  };
}

/** Tells which actions a text with `*` stands for. */
export function matchesAction(action: string): (candidate: string) => boolean {
  const pattern = new RegExp(`^${action.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return (candidate) => pattern.test(candidate);
}
