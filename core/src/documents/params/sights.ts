import { type Ability, EVERYTHING, type FieldNames, type Reach, type Where, unlimited } from "../../access/ability.js";
import { BrokenRuleError } from "../../access/errors.js";
import { isPlinthError } from "../../base/error.js";
import type { Filter } from "../../database/query.js";
import { type ContentModel, type ContentType, FILE_TYPE } from "../../schema/model.js";
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
    const reach = reachOfRead(ability, action);
    switch (reach.rows) {
      case "nothing":
        return { shape: type, visible: NO_ROW };
      case "everything":
        return { shape: shapeOf(type, reach.fields), visible: undefined };
      case "some":
        hasRules = true;
        return {
          shape: shapeOf(type, reach.fields),
          visible: parseRule({ model, values, action }, type, reach.where),
        };
    }
  };
  const sightOf: SightOf = (type, action = `${type.uid}.find`) => {
    const sight = known.get(action) ?? make(type, action);
    known.set(action, sight);
    return sight;
  };
  return { sightOf, hasRules: () => hasRules };
}

/** What an action reaches. Media that something links to needs no permission. @source wire.md section 3 */
export function reachOfRead(ability: Ability, action: string): Reach {
  return action === FIND_FILES && !ability.can(action) ? EVERYTHING : ability.reachOf(action);
}

const FIND_FILES = `${FILE_TYPE}.find`;

/** What no row fulfils. */
const NO_ROW: Filter = Object.freeze({ op: "constant", value: false });

interface RuleContext extends Omit<SightOptions, "ability"> {
  readonly action: string;
}

/**
 * Turns the filter of a rule into the condition on rows. Rules are the app's own words: they may use what no request
 * may, and see rows that no rule shows.
 *
 * @throws PLINTH_ACCESS_BROKEN_RULE (500) for what does not fit the content-type, as when an attribute has gone
 */
export function parseRule({ model, values, action }: RuleContext, type: ContentType, where: Where): Filter | undefined {
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

const views = new WeakMap<ContentType, WeakMap<FieldNames, ContentType>>();

const shapeOf = (type: ContentType, fields: FieldNames | undefined) => (fields ? viewOf(type, fields) : type);

/** A content-type without the attributes that a rule leaves out. The same one for the same rule. */
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
