import { type AccessProblem, checkGrant } from "../../access/check-grant.js";
import { BrokenRuleError } from "../../access/errors.js";
import { type Grant, grantItems, matchesAction } from "../../access/grant.js";
import { prepareRule, type Rule } from "../../access/rule.js";
import { actionsOfType, limitableActions, WITH_FIELDS } from "../../access/type-actions.js";
import { describeKnown } from "../../base/suggest.js";
import { parseRule } from "../../documents/params/visible-types.js";
import { ValueSlots } from "../../documents/params/value-slots.js";
import { mistakenUsers } from "./users-in-rules.js";
import { actionOf } from "../../http/endpoint.js";
import type { OwnedRoute } from "../../http/route.js";
import type { ContentModel, ContentType } from "../../schema/model.js";

/** The names that grants may use. */
export interface KnownNames {
  readonly model: ContentModel;
  /** Every action that can be granted. */
  readonly actions: ReadonlySet<string>;
  /** Whether the grant is for administrators. */
  readonly isAdmin: boolean;
}

/** The actions that are required somewhere: those of content-types, and those that routes name. */
export function listActions(model: ContentModel, routes: readonly OwnedRoute[]): ReadonlySet<string> {
  const ofTypes = [...model.contentTypes.values()].flatMap((type) =>
    [...WITH_FIELDS, ...actionsOfType(type)].map((action) => `${type.uid}.${action}`),
  );
  const ofRoutes = routes.flatMap((owned) => {
    const auth = owned.route.config?.auth;
    return [actionOf(owned) ?? [], (auth || undefined)?.scope ?? []].flat();
  });
  return new Set([...ofTypes, ...ofRoutes]);
}

/**
 * The problems of a grant: its form, actions that nothing requires, attributes that a content-type does not have,
 * filters that could not be asked for.
 */
export function checkNames(known: KnownNames, grant: Grant, path: string): readonly AccessProblem[] {
  const problems = checkGrant(grant, path);
  if (problems.length > 0 || typeof grant === "string") return problems;
  return grantItems(grant).flatMap((item, index) => {
    const place = `${path}[${index}]`;
    return typeof item === "string" ? checkAction(known, item, place) : checkRule(known, item, place);
  });
}

function checkAction({ actions }: KnownNames, action: string, path: string): readonly AccessProblem[] {
  if (actions.has(action) || action.includes("*")) return [];
  return [{ path, message: `There is no action "${action}". ${describeKnown(action, [...actions])}` }];
}

/**
 * The patterns of a grant that match no action. They are not errors by themselves: `api::*.find` is right in an app
 * that has no content-types yet.
 */
export function unmatchedPatterns(
  { actions }: Pick<KnownNames, "actions">,
  grant: Grant,
  path: string,
): readonly AccessProblem[] {
  if (typeof grant === "string") return [];
  return grantItems(grant).flatMap((item, index) => {
    if (typeof item !== "string" || !item.includes("*") || [...actions].some(matchesAction(item))) return [];
    return [{ path: `${path}[${index}]`, message: `No action is like "${item}"` }];
  });
}

function checkRule(known: KnownNames, rule: Rule, path: string): readonly AccessProblem[] {
  const end = rule.action.lastIndexOf(".");
  const uid = rule.action.slice(0, end);
  const type = known.model.contentTypes.get(uid);
  if (!type) {
    const types = describeKnown(uid, [...known.model.contentTypes.keys()]);
    return [{ path: `${path}.action`, message: `There is no content-type "${uid}" to limit. ${types}` }];
  }
  const limitable = limitableActions(type);
  if (!limitable.includes(rule.action.slice(end + 1))) {
    const others =
      limitable.length > 0 ? `a rule can limit ${limitable.join(" and ")}` : "no rule can limit what is done with it";
    const message = `a rule would have no effect on ${rule.action}; of ${uid} ${others}. Grant the actions of its routes, or leave it out`;
    return [{ path: `${path}.action`, message }];
  }
  const names = [...type.attributes.keys()];
  const fields = (rule.fields ?? []).filter((name) => !type.attributes.has(name) && !type.systemFields.has(name));
  const set = Object.keys(rule.set ?? {}).filter((name) => !type.attributes.has(name));
  return [
    ...set.map((name) => ({
      path: `${path}.set.${name}`,
      message: `${uid} has no attribute "${name}" to set. ${describeKnown(name, names)}`,
    })),
    ...fields.map((name) => ({
      path: `${path}.fields`,
      message: `${uid} has no attribute "${name}". ${describeKnown(name, names)}`,
    })),
    ...checkWhere(known, rule, type, `${path}.where`),
    ...mistakenUsers(known, rule, type, path),
  ];
}

/** Values of the form that templates have at work. */
const SAMPLE = { user: { id: 1, documentId: "a".repeat(24) } };

const FOR_ADMINISTRATORS =
  "createdBy and updatedBy lead to administrators, so only the rules of administrators may name them: the ids of users are others";

function checkWhere(known: KnownNames, rule: Rule, type: ContentType, path: string): readonly AccessProblem[] {
  const problem = problemOf(known, rule, type);
  if (problem === undefined) return [];
  const isAboutAuthors = !known.isAdmin && problemOf({ ...known, isAdmin: true }, rule, type) === undefined;
  return [{ path, message: isAboutAuthors ? FOR_ADMINISTRATORS : problem }];
}

/** What is wrong with the filter of a rule; undefined where nothing is. */
function problemOf({ model, isAdmin }: KnownNames, rule: Rule, type: ContentType): string | undefined {
  const reach = prepareRule(rule).reachFor(SAMPLE);
  if (reach.rows !== "some") return undefined;
  const values = new ValueSlots(model.defaultLocale);
  try {
    parseRule({ model, values, action: rule.action, isAdmin }, type, reach.where);
    return undefined;
  } catch (error) {
    if (!(error instanceof BrokenRuleError)) throw error;
    return error.details.problem;
  }
}
