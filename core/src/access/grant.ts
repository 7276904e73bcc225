import { type Ability, unlimited } from "./ability.js";

/**
 * What configuration gives somebody: nothing, all reading, everything, or the actions listed; `*` in an action stands
 * for any text, as in `api::article.*`.
 */
export type Grant = "none" | "read" | "all" | readonly string[];

const READING = /\.find(One)?$/;
const ACTION = /^(\*|[a-z]+::[\w.*-]+)$/;

/**
 * Makes the ability of a grant. Grants that allow the same have equal keys, whatever the order of their actions.
 *
 * @source personas of the corpus: reading is every action whose name ends in find or findOne
 */
export function createAbility(grant: Grant): Ability {
  if (grant === "all") return unlimited;
  if (grant === "read") return { key: "read", can: (action) => READING.test(action) };
  if (grant === "none" || grant.length === 0) return { key: "none", can: () => false };
  const actions = [...new Set(grant)].sort();
  const exact = new Set(actions);
  const patterns = actions.filter((action) => action.includes("*")).map(toPattern);
  return {
    key: actions.join(","),
    can: (action) => exact.has(action) || patterns.some((pattern) => pattern.test(action)),
  };
}

/** What is wrong with a value that should be a grant; undefined when nothing is. */
export function checkGrant(value: unknown): string | undefined {
  if (value === "none" || value === "read" || value === "all") return undefined;
  if (!Array.isArray(value))
    return `must be "none", "read", "all" or a list of actions, and is ${JSON.stringify(value)}`;
  const wrong = value.filter((action) => typeof action !== "string" || !ACTION.test(action));
  if (wrong.length === 0) return undefined;
  return `holds ${wrong.map((action) => JSON.stringify(action)).join(", ")}; an action reads like "api::article.article.find" or "api::article.*"`;
}

function toPattern(action: string): RegExp {
  return new RegExp(`^${action.replaceAll(/[.]/g, "\\.").replaceAll("*", ".*")}$`);
}
