import type {
  CompareOperator,
  Filter,
  FormSelection,
  Populate,
  PreparedQuery,
  Query,
  Selection,
  Sort,
} from "../../database/reads/query.js";
import { isScalarKind, traitsOf } from "../../schema/attribute.js";
import { findField } from "../../schema/find-field.js";
import { STATE_SHAPE } from "../../schema/state-field.js";
import type { Attribute, ContentModel, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { ToManyStepsError } from "./errors.js";
import type { ReadBudget } from "./read-budget.js";
import { isScalar, isToMany, type ReadShape } from "./parse-context.js";

/** The assumed rows of a table, and entries of a list. */
const TABLE = 2000;
const LIST = 10;

/** How large the content is that a read looks at. */
export interface ContentSize {
  /** Rows of a content-type. */
  rowsOf(type: string): number;
  /** Links of a to-many attribute of a content-type, of all its rows together. */
  linksOf(type: string, attribute: string): number;
}

/** Content of any size: a read costs as in tables and lists of the assumed length. */
export const ANY_SIZE: ContentSize = {
  rowsOf: () => Number.POSITIVE_INFINITY,
  linksOf: () => Number.POSITIVE_INFINITY,
};
/** Entries that are looked at where a list is filtered, sorted or counted: it may be longer than what is returned of it. */
const WHOLE_LIST = 30;
/** Items of a repeatable component or a zone. */
const ITEMS = 3;

/** Points, each about a microsecond of processor: a row with its JSON, a look-up of another row, a comparison. */
const ROW = 5;
const LOOK_UP = 4;
/** A link that a filter follows: the database joins those of all rows at once. */
const FILTERED_LINK = 1;
const COMPARISON = 1;
/** A comparison of letters in any case; of a text of any length; and of such a text in any case. */
const FOLDED = 3;
const LONG = 30;
const LONG_FOLDED = 100;

/** Characters of a value with which a comparison costs as much again: the database folds it again for every row. */
const SHORT_VALUE = 200;

/** The assumed bytes of a field in an answer. */
const BYTES = 50;
const LONG_BYTES = 2000;
/** Estimated bytes of an answer from which on its size is watched while it is made. */
const WATCHED = 4_000_000;
/** The same of one document, with lists as long as they may be. */
const WATCHED_ONE = 1_000_000;

/** Texts that are longer than this count as long. */
const SHORT = 1000;

/** The estimated cost of a read, by its form and the sizes of its pages. */
export interface ReadCost {
  readonly points: number;
  /** Those of them that the rows of the answer cost, and what is looked up for each. */
  readonly answerPoints: number;
  /** Whether it may return so much that its size has to be watched. */
  readonly isWatched: boolean;
}

/**
 * Estimates the highest cost of a read, before it runs. Rules on rows are not counted: they are the app's own. Content that
 * is larger than assumed costs no more here; what the planner says of large tables decides how it is run.
 *
 * @throws PLINTH_QUERY_TO_MANY_STEPS (400)
 */
export function assessRead(
  model: ContentModel,
  { query, values }: Pick<PreparedQuery, "query" | "values">,
  { toManySteps }: Pick<ReadBudget, "toManySteps">,
  size: ContentSize = ANY_SIZE,
): ReadCost {
  const type = model.contentTypes.get(query.type);
  if (!type) return { points: 0, answerPoints: 0, isWatched: false };
  const assessment = new Assessment({ model, values, toManySteps, size });
  const scanned = assessment.addRoot(type, query);
  const { points, bytes, steps } = assessment;
  return {
    points,
    answerPoints: points - scanned,
    isWatched: steps > 1 || bytes > (query.isOne ? WATCHED_ONE : WATCHED),
  };
}

/** Where entries are selected. */
interface Level {
  /** How many there are of it. */
  readonly rows: number;
  /** How many of it count for the size of the answer. */
  readonly entries: number;
  /** Lists on the way here. */
  readonly steps: number;
  readonly path: readonly string[];
}

const times = (level: Level, factor: number): Level => ({
  ...level,
  rows: level.rows * factor,
  entries: level.entries * factor,
});

interface AssessmentParts {
  readonly model: ContentModel;
  readonly values: readonly unknown[];
  readonly toManySteps: number;
  readonly size: ContentSize;
}

class Assessment {
  #isOne = false;
  points = 0;
  bytes = 0;
  /** The most lists on one way. */
  steps = 0;

  private readonly model: ContentModel;
  private readonly values: readonly unknown[];
  private readonly toManySteps: number;
  private readonly size: ContentSize;

  constructor({ model, values, toManySteps, size }: AssessmentParts) {
    this.model = model;
    this.values = values;
    this.toManySteps = toManySteps;
    this.size = size;
  }

  /** @returns the points of finding the rows */
  addRoot(type: ReadShape, query: Query): number {
    const { isOne, page, filter, search, sort, count, publication, selection } = query;
    const limit = page ? Number(this.values[page.limit]) : TABLE;
    const rows = isOne ? 1 : Math.min(limit, TABLE);
    const conditions =
      (filter ? this.#filter(type, filter) : 0) +
      (search === undefined ? 0 : searchCost(type) * lengthFactor(this.values[search])) +
      (publication ? LIST : 0);
    this.points += (isOne ? 1 : this.#rowsOf(type)) * (conditions * (count ? 2 : 1) + this.#sort(type, sort));
    const scanned = this.points;
    this.#isOne = isOne;
    this.#select(type, selection, { rows, entries: rows, steps: 0, path: [] });
    return scanned;
  }

  #select(shape: ReadShape, { fields, populate }: Selection, level: Level): void {
    this.points += level.rows * ROW;
    for (const field of fields) {
      const name = typeof field === "string" ? field : "field" in field ? field.field : "";
      this.bytes += level.entries * (isLong(findField(shape, name)) ? LONG_BYTES : BYTES);
      if (typeof field !== "string" && "fact" in field) this.points += level.rows * LOOK_UP;
    }
    for (const item of populate) this.#populate(shape, item, { ...level, path: [...level.path, item.field] });
  }

  #populate(shape: ReadShape, populate: Populate, level: Level): void {
    if (populate.kind === "group") {
      this.#select(shape, populate.selection, level);
      return;
    }
    const attribute = shape.attributes.get(populate.field);
    if (!attribute) return;
    switch (populate.kind) {
      case "relation":
      case "count":
        this.#relation(attribute as RelationAttribute, populate, level);
        break;
      case "component": {
        const inner = this.#componentOf(attribute);
        const items = attribute.kind === "component" && attribute.repeatable ? ITEMS : 1;
        if (inner) this.#select(inner, populate.selection, times(level, items));
        break;
      }
      case "zone":
        this.#forms(
          populate.items.map((form) => [this.model.components.get(form.component), form]),
          ITEMS,
          level,
        );
        break;
      case "morph": {
        const inside = isToMany(attribute) ? this.#list(level, populate.most) : level;
        this.#forms(
          populate.items.map((form) => [this.model.contentTypes.get(form.type), form]),
          1,
          inside,
        );
      }
    }
  }

  #relation(attribute: RelationAttribute, populate: Populate & { kind: "relation" | "count" }, level: Level): void {
    const target = this.model.contentTypes.get(attribute.target ?? "");
    if (!target) return;
    const order = populate.kind === "relation" ? this.#sort(target, populate.sort) : COMPARISON;
    const conditions = populate.filter ? this.#filter(target, populate.filter) : 0;
    this.points += level.rows * (attribute.isMany ? WHOLE_LIST : 1) * (conditions + order);
    if (populate.kind === "count") return;
    const { page, most } = populate;
    const inside = attribute.isMany ? this.#list(level, page ? Number(this.values[page.limit]) : most) : level;
    this.#select(target, populate.selection, inside);
  }

  /** @throws PLINTH_QUERY_TO_MANY_STEPS (400) */
  #list(level: Level, most = LIST): Level {
    const steps = level.steps + 1;
    const limit = this.toManySteps;
    if (steps > limit) throw new ToManyStepsError({ path: level.path.join("."), limit });
    this.steps = Math.max(this.steps, steps);
    const entries = level.entries * (this.#isOne ? most : Math.min(most, LIST));
    return { ...level, steps, rows: level.rows * Math.min(most, LIST), entries };
  }

  /** Items of several forms: how many there are of each is not known, of all together it is. */
  #forms(forms: readonly (readonly [ReadShape | undefined, FormSelection])[], items: number, level: Level): void {
    for (const [shape, { filter, selection }] of forms) {
      if (!shape) continue;
      const inside = times(level, items / forms.length);
      if (filter) this.points += inside.rows * this.#filter(shape, filter);
      this.#select(shape, selection, inside);
    }
  }

  /** Points of a condition on one row. */
  #filter(shape: ReadShape, filter: Filter): number {
    switch (filter.op) {
      case "and":
      case "or":
        return filter.items.reduce((sum, item) => sum + this.#filter(shape, item), 0);
      case "not":
        return this.#filter(shape, filter.item);
      case "constant":
        return 0;
      case "compare":
        return (
          comparisonCost(findField(shape, filter.field), filter.operator) * lengthFactor(this.values[filter.value])
        );
      case "null":
        return isToMany(findField(shape, filter.field) as Attribute) ? LOOK_UP : COMPARISON;
      case "state":
        return LOOK_UP + this.#filter(STATE_SHAPE, filter.where);
      case "related":
      case "entries": {
        const attribute = shape.attributes.get(filter.field);
        const inner = attribute && this.#innerOf(attribute);
        if (!inner) return 0;
        return this.#entriesOf(shape, attribute) * (FILTERED_LINK + this.#filter(inner, filter.where));
      }
    }
  }

  /** Points of the keys of one row. */
  #sort(shape: ReadShape, sort: readonly Sort[]): number {
    return sort.reduce((sum, { path }) => sum + (path.length === 1 ? 0 : this.#key(shape, path)), 0);
  }

  #key(shape: ReadShape, [name = "", ...rest]: readonly string[]): number {
    const attribute = shape.attributes.get(name);
    const inner = attribute && this.#innerOf(attribute);
    if (!inner || rest.length === 0) return COMPARISON;
    return this.#entriesOf(shape, attribute) * (LOOK_UP + this.#key(inner, rest));
  }

  #rowsOf({ uid }: ReadShape): number {
    return Math.min(TABLE, this.size.rowsOf(uid));
  }

  /** The mean number of entries of an attribute where they are compared: at most the assumed one. */
  #entriesOf(shape: ReadShape, attribute: Attribute): number {
    if (attribute.kind === "component") return attribute.repeatable ? ITEMS : 1;
    if (!isToMany(attribute)) return 1;
    if (!this.model.contentTypes.has(shape.uid)) return LIST;
    const links = this.size.linksOf(shape.uid, attribute.name);
    return Math.min(LIST, links / Math.max(1, this.#rowsOf(shape)));
  }

  #innerOf(attribute: Attribute): ReadShape | undefined {
    if (attribute.kind === "relation" || attribute.kind === "media")
      return this.model.contentTypes.get(attribute.target ?? "");
    return this.#componentOf(attribute);
  }

  #componentOf(attribute: Attribute): ReadShape | undefined {
    return attribute.kind === "component" ? this.model.components.get(attribute.component) : undefined;
  }
}

const FOLDING: ReadonlySet<CompareOperator> = new Set([
  "$eqi",
  "$nei",
  "$containsi",
  "$notContainsi",
  "$startsWithi",
  "$endsWithi",
]);

function comparisonCost(field: ReturnType<typeof findField>, operator: CompareOperator): number {
  if (FOLDING.has(operator)) return isLong(field) ? LONG_FOLDED : FOLDED;
  return isLong(field) ? LONG : COMPARISON;
}

function lengthFactor(value: unknown): number {
  return 1 + (typeof value === "string" ? Math.floor(value.length / SHORT_VALUE) : 0);
}

/** Points of `_q` on one row. */
function searchCost(type: ReadShape): number {
  const searched = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute =>
      isScalarKind(attribute.kind) && traitsOf(attribute as ScalarAttribute).search !== undefined,
  );
  return searched.reduce((sum, attribute) => sum + (isLong(attribute) ? LONG_FOLDED : FOLDED), FOLDED);
}

/** Whether values of a field may be so long that they are stored apart from their row. */
function isLong(field: ReturnType<typeof findField>): boolean {
  if (!field || !isScalar(field) || field.kind === "id") return false;
  const { kind, maxLength } = field as ScalarAttribute & { readonly maxLength?: number };
  return LONG_KINDS.has(kind) && (maxLength === undefined || maxLength > SHORT);
}

const LONG_KINDS: ReadonlySet<string> = new Set(["text", "richtext", "blocks", "json"]);
