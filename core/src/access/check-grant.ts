import { actionOfItem, type Grant } from "./grant.js";
import { isTemplate, templatesOf } from "./rule.js";
import { LIMITABLE, WITH_FIELDS } from "./type-actions.js";

/** One thing that is wrong in a configuration of access. */
export interface AccessProblem {
  /** Dotted, from the root of the configuration: `access.public`. Tokens show their first four characters only. */
  readonly path: string;
  readonly message: string;
}

const ACTION = /^(\*(\.\w+)?|[a-z]+::[\w.*-]+)$/;
const LIMITABLE_ACTION = new RegExp(`^[a-z]+::[\\w.-]+\\.(${LIMITABLE.join("|")})$`);
const RULE_KEYS = ["action", "where", "fields", "set"];
/** Actions that write what a body says. */
const SETTING = ["create", "update"];
const FORM = 'must be "none", "read", "all" or a list of actions and rules';

/**
 * What is wrong with the form of a value that should be a grant; whether its names exist is checked against the content
 * model elsewhere.
 *
 * @param path - of the grant, for the problems: `access.public`
 */
export function checkGrant(value: unknown, path: string): readonly AccessProblem[] {
  if (value === "none" || value === "read" || value === "all") return [];
  if (!Array.isArray(value)) return [{ path, message: `${FORM}, and is ${JSON.stringify(value)}` }];
  const problems = (value as readonly unknown[]).flatMap((item, index) => checkItem(item, `${path}[${index}]`));
  return problems.length > 0 ? problems : checkTwice(value as Grant & object, path);
}

function checkItem(item: unknown, path: string): readonly AccessProblem[] {
  if (typeof item === "string") {
    if (ACTION.test(item)) return [];
    const form = 'an action reads like "api::article.article.find" or "api::article.*"';
    return [{ path, message: `${form}, and not ${JSON.stringify(item)}` }];
  }
  if (isRecord(item)) return checkRule(item, path);
  return [{ path, message: `must be an action or { action, where, fields, set }, and is ${JSON.stringify(item)}` }];
}

function checkRule(rule: Readonly<Record<string, unknown>>, path: string): readonly AccessProblem[] {
  const unknown = Object.keys(rule).filter((key) => !RULE_KEYS.includes(key));
  return [
    ...unknown.map((key) => ({ path: `${path}.${key}`, message: `is not known; a rule has ${RULE_KEYS.join(", ")}` })),
    ...checkAction(rule["action"], `${path}.action`),
    ...checkWhere(rule["where"], `${path}.where`),
    ...checkFields(rule, `${path}.fields`),
    ...checkSet(rule, `${path}.set`),
  ];
}

/** A rule that is never applied would look like a limit without being one. */
function checkAction(action: unknown, path: string): readonly AccessProblem[] {
  if (typeof action === "string" && LIMITABLE_ACTION.test(action)) return [];
  const message = `a rule is about one action of a content-type, ${LIMITABLE.join(", ")}, and not ${JSON.stringify(action)}`;
  return [{ path, message }];
}

function checkWhere(where: unknown, path: string): readonly AccessProblem[] {
  if (where === undefined) return [];
  if (!isRecord(where)) return [{ path, message: `must be a filter, and is ${JSON.stringify(where)}` }];
  return checkTemplates(where, path);
}

function checkTemplates(value: unknown, path: string): readonly AccessProblem[] {
  return templatesOf(value)
    .filter((name) => !isTemplate(name))
    .map((name) => ({
      path,
      message: `"${name}" is not a value; there are {{user.id}}, {{user.documentId}} and {{now}}, each as a whole text`,
    }));
}

function checkFields({ action, fields }: Readonly<Record<string, unknown>>, path: string): readonly AccessProblem[] {
  if (fields === undefined) return [];
  const name = String(action).split(".").at(-1) ?? "";
  if (!(WITH_FIELDS as readonly string[]).includes(name))
    return [{ path, message: `${name} is about documents as a whole; leave fields out` }];
  if (Array.isArray(fields) && fields.every((name) => typeof name === "string" && name !== "")) return [];
  return [{ path, message: `must be a list of names of attributes, and is ${JSON.stringify(fields)}` }];
}

function checkSet({ action, set }: Readonly<Record<string, unknown>>, path: string): readonly AccessProblem[] {
  if (set === undefined) return [];
  const name = String(action).split(".").at(-1) ?? "";
  if (!(SETTING as readonly string[]).includes(name))
    return [{ path, message: `${name} writes no attributes; leave set out` }];
  if (!isRecord(set)) return [{ path, message: `must be values by attribute, and is ${JSON.stringify(set)}` }];
  return checkTemplates(set, path);
}

/** @source plugins/content-api/WIRE.md#rules, one rule per role, action and type */
function checkTwice(items: Grant & object, path: string): readonly AccessProblem[] {
  const rules = items.filter((item) => typeof item !== "string").map(actionOfItem);
  const twice = [...new Set(rules)].filter(
    (action) => items.filter((item) => actionOfItem(item) === action).length > 1,
  );
  return twice.map((action) => ({ path, message: `has two rules for ${action}; merge them into one` }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
