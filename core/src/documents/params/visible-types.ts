import { type Ability, EVERYTHING, type FieldNames, type Reach, type Where, unlimited } from "../../access/ability.js";
import { BrokenRuleError } from "../../access/errors.js";
import { isPlinthError } from "../../base/error.js";
import { FIND_DRAFTS } from "../../access/type-actions.js";
import type { Filter, Status } from "../../database/reads/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { withAuthors } from "../../schema/with-authors.js";
import { parseFilters } from "./parse-filters.js";
import { CODE_BUDGET, ReadMeter } from "./read-budget.js";
import type { ParseContext, Visibility, VisibleType } from "./parse-context.js";
import type { ValueSlots } from "./value-slots.js";

/** What an actor sees of a content-type by an action; the action is `find` unless said otherwise. */
export type VisibleTypeOf = (type: ContentType, action?: string) => VisibleType;

/** What an actor sees, and whether a rule on rows was applied so far. */
export interface VisibleTypes {
  readonly visibleTypeOf: VisibleTypeOf;
  /** What the actor reaches of the drafts of a type. */
  readonly draftsOf: (type: ContentType) => Reach;
  hasRules(): boolean;
}

/** What rules are applied to: a model, an actor, and the values of one statement. */
export interface SightOptions {
  readonly model: ContentModel;
  readonly ability: Ability;
  readonly values: ValueSlots;
  /** The version that is read. */
  readonly status: Status;
}

/**
 * Computes what an actor sees, once per action and read, so that values of a rule have one slot even if it applies
 * often.
 */
export function createVisibleTypes({ model, ability, values, status }: SightOptions): VisibleTypes {
  const known = new Map<string, VisibleType>();
  let hasRules = false;
  const draftsOf = (type: ContentType) => reachOfDrafts(model, ability, type);
  const filterOf = (type: ContentType, action: string, reach: Reach): Filter | undefined => {
    if (reach.rows === "nothing") return NO_ROW;
    if (reach.rows === "everything") return undefined;
    hasRules = true;
    return parseRule({ model, values, action, isAdmin: ability.isAdmin }, type, reach.where);
  };
  /** The condition for a row: published, or a draft that may be read. */
  const versionFilter = (type: ContentType): Filter | undefined => {
    const drafts = filterOf(type, `${type.uid}.${FIND_DRAFTS}`, draftsOf(type));
    if (drafts === undefined || drafts === NO_ROW) return drafts && PUBLISHED;
    return { op: "or", items: [PUBLISHED, drafts] };
  };
  const make = (type: ContentType, action: string): VisibleType => {
    const reach = reachOfRead(ability, type, action);
    const shape = shapeOf(type, reach);
    const rows = filterOf(type, action, reach);
    const tested = bothOf(rows, versionFilter(type));
    return { shape, visible: status === "draft" ? tested : rows, tested };
  };
  const visibleTypeOf: VisibleTypeOf = (type, action = `${type.uid}.find`) => {
    const visibleType = known.get(action) ?? make(type, action);
    known.set(action, visibleType);
    return visibleType;
  };
  return { visibleTypeOf, draftsOf, hasRules: () => hasRules };
}

/**
 * What an action reaches. Media that something links to needs no permission.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations
 */
export function reachOfRead(ability: Ability, { uid, mimeColumn }: ContentType, action = `${uid}.find`): Reach {
  const isOfFiles = mimeColumn !== undefined && action === `${uid}.find`;
  return isOfFiles && !ability.can(action) ? EVERYTHING : ability.reachOf(action);
}

/**
 * What an actor reaches of the drafts of a type. Where drafts are open, callers who may find documents read their
 * drafts, unless a rule says which.
 */
export function reachOfDrafts({ openDrafts }: ContentModel, ability: Ability, { uid, hasDrafts }: ContentType): Reach {
  if (!hasDrafts) return EVERYTHING;
  const reach = ability.reachOf(`${uid}.${FIND_DRAFTS}`);
  return reach.rows === "nothing" && openDrafts ? EVERYTHING : reach;
}

const PUBLISHED: Filter = Object.freeze({ op: "null", field: "publishedAt", isNull: false });

function bothOf(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
  return first && second ? { op: "and", items: [first, second] } : (first ?? second);
}

/** What no row fulfils. */
const NO_ROW: Filter = Object.freeze({ op: "constant", value: false });

interface RuleContext extends Omit<SightOptions, "ability" | "status">, Pick<Ability, "isAdmin"> {
  readonly action: string;
}

/** The model and a content-type of it with the names that a kind of caller may use. */
export function seenBy(
  visibility: Visibility,
  model: ContentModel,
  type: ContentType,
): { readonly model: ContentModel; readonly type: ContentType } {
  if (visibility !== "admin") return { model, type };
  const seen = withAuthors(model);
  return { model: seen, type: seen.contentTypes.get(type.uid) ?? type };
}

/**
 * Turns the filter of a rule into the condition on rows. Rules are trusted: they may use names that requests may not,
 * and refer to rows that no rule shows.
 *
 * @throws PLINTH_ACCESS_BROKEN_RULE (500) for a rule that does not fit the content-type, as when an attribute was
 * removed
 */
export function parseRule(
  { model: whole, values, action, isAdmin = false }: RuleContext,
  typeOfRule: ContentType,
  where: Where,
): Filter | undefined {
  const visibility = isAdmin ? "admin" : "code";
  const { model, type } = seenBy(visibility, whole, typeOfRule);
  const { visibleTypeOf } = createVisibleTypes({ model, ability: unlimited, values, status: "draft" });
  const meter = new ReadMeter(CODE_BUDGET);
  const reading: ParseContext = {
    model,
    ability: unlimited,
    visibility,
    withPrivate: true,
    values,
    visibleTypeOf,
    meter,
    param: "filters",
  };
  try {
    return parseFilters(reading, type, where);
  } catch (error) {
    if (!isPlinthError(error) || error.status !== 400) throw error;
    throw new BrokenRuleError({ action, problem: error.message }, { cause: error });
  }
}

const views = new WeakMap<ContentType, WeakMap<FieldNames, ContentType>>();

/** A content-type with the attributes that a reach includes. The same object for the same rule. */
export function shapeOf(type: ContentType, reach: Reach): ContentType {
  return reach.rows === "nothing" || !reach.fields ? type : viewOf(type, reach.fields);
}

/** A content-type without the attributes that a rule leaves out. The same object for the same rule. */
function viewOf(type: ContentType, fields: FieldNames): ContentType {
  const known = views.get(type) ?? new WeakMap<FieldNames, ContentType>();
  views.set(type, known);
  const view = known.get(fields) ?? { ...type, attributes: attributesIn(type, fields) };
  known.set(fields, view);
  return view;
}

function attributesIn({ attributes }: ContentType, fields: FieldNames): ContentType["attributes"] {
  return new Map([...attributes].filter(([name]) => fields.has(name)));
}
