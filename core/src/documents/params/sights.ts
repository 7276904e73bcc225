import { type Ability, unlimited } from "../../access/ability.js";
import { BrokenRuleError } from "../../access/errors.js";
import { isPlinthError } from "../../base/error.js";
import type { Filter } from "../../database/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { parseFilters } from "./parse-filters.js";
import { CODE_BUDGET, ReadMeter } from "./read-budget.js";
import type { Reading, Sight } from "./reading.js";
import type { ValueSlots } from "./value-slots.js";

/** What an actor sees of a content-type by an action; the action is `find` unless said otherwise. */
export type SightOf = (type: ContentType, action?: string) => Sight;

/** What somebody sees, and whether a rule on rows had a part in it so far. */
export interface Sights {
  readonly sightOf: SightOf;
  hasRules(): boolean;
}

/** What rules are worked out for: a model, somebody, and the values of one statement. */
export interface SightOptions {
  readonly model: ContentModel;
  readonly ability: Ability;
  readonly values: ValueSlots;
}

/** Works out what an actor sees, each action once a read, so that its values have one slot however often it is met. */
export function createSights({ model, ability, values }: SightOptions): Sights {
  const known = new Map<string, Sight>();
  let hasRules = false;
  const make = (type: ContentType, action: string): Sight => {
    const limits = ability.can(action) ? ability.limitsOf(action) : undefined;
    if (!limits) return { shape: type, visible: undefined };
    hasRules ||= limits.where !== undefined;
    return {
      shape: limits.fields ? viewOf(type, limits.fields) : type,
      visible: limits.where && parseRule({ model, values, action }, type, limits.where),
    };
  };
  const sightOf: SightOf = (type, action = `${type.uid}.find`) => {
    const sight = known.get(action) ?? make(type, action);
    known.set(action, sight);
    return sight;
  };
  return { sightOf, hasRules: () => hasRules };
}

interface RuleContext extends Omit<SightOptions, "ability"> {
  readonly action: string;
}

/**
 * Turns the filter of a rule into the condition on rows. Rules are the app's own words: they may use what no request
 * may, and see rows that no rule shows.
 *
 * @throws PLINTH_ACCESS_BROKEN_RULE (500) for what does not fit the content-type, as when an attribute has gone
 */
export function parseRule(
  { model, values, action }: RuleContext,
  type: ContentType,
  where: Readonly<Record<string, unknown>>,
): Filter | undefined {
  const { sightOf } = createSights({ model, ability: unlimited, values });
  const meter = new ReadMeter(CODE_BUDGET);
  const reading: Reading = { model, ability: unlimited, visibility: "code", values, sightOf, meter, param: "filters" };
  try {
    return parseFilters(reading, type, where);
  } catch (error) {
    if (!isPlinthError(error) || error.status !== 400) throw error;
    throw new BrokenRuleError({ action, problem: error.message }, { cause: error });
  }
}

const views = new WeakMap<ContentType, WeakMap<ReadonlySet<string>, ContentType>>();

/** A content-type without the attributes that a rule leaves out. The same one for the same rule. */
function viewOf(type: ContentType, fields: ReadonlySet<string>): ContentType {
  const known = views.get(type) ?? new WeakMap<ReadonlySet<string>, ContentType>();
  views.set(type, known);
  const view = known.get(fields) ?? { ...type, attributes: attributesIn(type, fields) };
  known.set(fields, view);
  return view;
}

function attributesIn({ attributes }: ContentType, fields: ReadonlySet<string>): ContentType["attributes"] {
  return new Map([...attributes].filter(([name]) => fields.has(name)));
}
