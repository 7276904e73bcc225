import type { ComponentAttribute, RelationAttribute } from "../../schema/model.js";
import { UncompilableError } from "../errors.js";
import { linkCode, tableOf } from "../layout/layout.js";
import type {
  ComponentPopulate,
  CountPopulate,
  MorphPopulate,
  Output,
  OutputForm,
  Populate,
  RelationPopulate,
  Selection,
  Slot,
  Sort,
  ZonePopulate,
} from "./query.js";
import { compileListOf, listsIn } from "./answer-size.js";
import { compileFact } from "./compile-fact.js";
import { compileFilter, compileVisible, insideComponent } from "./compile-filter.js";
import { compileOrder } from "./compile-sort.js";
import { compileUses } from "./compile-uses.js";
import { type Compilation, hasTarget, joinRelation, jsonList, type RelationJoin, type Scope } from "./relation-join.js";
import { attributeOf } from "./row-source.js";
import { allOf, identifier, literal, newAlias, parameter, readTable } from "../sql/sql.js";

/** What is populated, by values that were compiled elsewhere. */
type Given = ReadonlyMap<Populate, string>;

const NOTHING_GIVEN: Given = new Map();

/** The list after `select` that makes one object of the current row: wire names as column names. */
export function compileSelection(
  compilation: Compilation,
  scope: Scope,
  selection: Selection,
  given: Given = NOTHING_GIVEN,
): string {
  const columns = new Map<string, string>();
  for (const field of selection.fields)
    columns.set(typeof field === "string" ? field : field.alias, compileOutput(compilation, scope, field));
  for (const populate of selection.populate)
    columns.set(keyOf(populate), given.get(populate) ?? compilePopulate(compilation, scope, populate));
  const order = selection.order ?? [...columns.keys()];
  return order.map((key) => `${columns.get(key) ?? "null"} as ${identifier(key)}`).join(", ");
}

/** Components hold numbers and times in JSON, so both are typed before they are printed. */
function compileOutput(compilation: Compilation, scope: Scope, output: string | Output): string {
  const { row } = scope;
  if (typeof output === "string") return row.output(output);
  if ("fact" in output) return compileFact(compilation, scope, output);
  if ("constant" in output) return `${literal(output.constant)}::text`;
  if (output.form === undefined) return row.output(output.field);
  return FORMS[output.form](row.value(output.field));
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** SQL of a value in another form than its own. */
const FORMS: Readonly<Record<OutputForm, (value: string) => string>> = {
  text: (value) => `(${value})::text`,
  long: (value) =>
    `case when ${value} between -${MAX_SAFE} and ${MAX_SAFE} then to_json(${value}) else to_json((${value})::text) end`,
  time: (value) => `to_char(${value}, 'HH24:MI:SS.MS')`,
};

const keyOf = ({ alias, field }: Populate): string => alias ?? field;

/** SQL of the value of what is populated, as JSON. */
export function compilePopulate(above: Compilation, scope: Scope, populate: Populate): string {
  const compilation = { ...above, path: [...(above.path ?? []), keyOf(populate)] };
  switch (populate.kind) {
    case "relation":
      return populateRelation(compilation, scope, populate);
    case "count":
      return populateCount(compilation, scope, populate);
    case "component":
      return populateComponent(compilation, scope, populate);
    case "zone":
      return populateZone(compilation, scope, populate);
    case "morph":
      return populateMorph(compilation, scope, populate);
    case "group":
      return `(select row_to_json(r) from (select ${compileSelection(compilation, scope, populate.selection)}) r)`;
  }
}

function populateRelation(compilation: Compilation, scope: Scope, populate: RelationPopulate): string {
  const attribute = relationOf(scope, populate.field);
  if (!hasTarget(compilation, attribute)) return attribute.isMany ? "'[]'::json" : "null::json";
  const join = joinShown(compilation, scope, attribute, populate);
  const where = whereOf(compilation, join, populate);
  const columns = compileSelection(compilation, join.target, populate.selection);
  if (!attribute.isMany) {
    const first = join.order.length > 0 ? ` order by ${join.order.join(", ")}` : "";
    return `(select row_to_json(r) from (select ${columns} from ${join.from} where ${where}${first} limit 1) r)`;
  }
  const order =
    populate.sort.length > 0 ? compileOrder(compilation, join.target, populate.sort) : join.order.join(", ");
  const range = rangeOfList(populate);
  if (range === "" && !compilation.isWatched)
    return `(select ${listOf("r", order)} from ${join.from} cross join lateral (select ${columns}) r where ${where})`;
  const rows = `select ${columns} from ${join.from} where ${where} order by ${order}${range}`;
  return compileListOf(compilation, { rows, lists: listsIn(compilation, join.target, populate.selection) });
}

function rangeOfList({ page, most }: Pick<RelationPopulate, "page" | "most">): string {
  if (page) return rangeOf(page);
  return most === undefined ? "" : ` limit ${most}`;
}

/** The part of a list to return, as SQL after its order. */
export function rangeOf({ start, limit }: { readonly start: Slot; readonly limit: Slot }): string {
  return ` limit ${parameter(limit, "int8")} offset ${parameter(start, "int8")}`;
}

/** The rows of an alias as a JSON list; an empty list where there are none. */
const listOf = (alias: string, order = "") =>
  `coalesce(json_agg(row_to_json(${alias})${order ? ` order by ${order}` : ""}), '[]'::json)`;

function joinShown(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  { visible }: RelationPopulate | CountPopulate,
): RelationJoin {
  const isVisible = (target: Scope) => compileVisible(compilation, target, visible);
  return joinRelation(compilation, scope, attribute, { purpose: "show", isVisible });
}

function whereOf(
  compilation: Compilation,
  join: RelationJoin,
  { filter, visible }: RelationPopulate | CountPopulate,
): string {
  const wanted = [filter, visible].flatMap((item) => (item ? [compileFilter(compilation, join.target, item)] : []));
  return allOf([join.where, ...wanted]);
}

function populateCount(compilation: Compilation, scope: Scope, populate: CountPopulate): string {
  const attribute = attributeOf(scope.row.shape, populate.field);
  if (attribute.kind === "component")
    return countOf(`jsonb_array_length(${jsonList(scope.row.stored(attribute.name))})`);
  const relation = relationOf(scope, populate.field);
  if (!hasTarget(compilation, relation)) return countOf("0");
  const join = joinShown(compilation, scope, relation, populate);
  return countOf(`(select count(*) from ${join.from} where ${whereOf(compilation, join, populate)})`);
}

const countOf = (count: string) => `json_build_object('count', ${count})`;

function relationOf(scope: Scope, field: string): RelationAttribute {
  const attribute = attributeOf(scope.row.shape, field);
  if (attribute.kind === "relation" || attribute.kind === "media") return attribute;
  throw new UncompilableError({ uid: scope.row.shape.uid, field });
}

function populateComponent(compilation: Compilation, scope: Scope, populate: ComponentPopulate): string {
  const attribute = attributeOf(scope.row.shape, populate.field) as ComponentAttribute;
  const stored = scope.row.stored(attribute.name);
  if (!attribute.repeatable) {
    const item = insideComponent(compilation, scope, attribute, stored);
    const matches = populate.filter ? ` and ${compileFilter(compilation, item, populate.filter)}` : "";
    return `(select row_to_json(r) from (select ${compileSelection(compilation, item, populate.selection)}) r where jsonb_typeof(${stored}) = 'object'${matches})`;
  }
  const alias = newAlias();
  const item = insideComponent(compilation, scope, attribute, `${alias}.item`);
  const order = itemOrder(compilation, item, populate.sort, `${alias}.position`);
  const where = populate.filter ? ` where ${compileFilter(compilation, item, populate.filter)}` : "";
  const items = `jsonb_array_elements(${jsonList(stored)}) with ordinality ${alias}(item, position)`;
  const columns = compileSelection(compilation, item, populate.selection);
  const range = rangeOfList(populate);
  if (range === "" && !compilation.isWatched)
    return `(select ${listOf("r", order)} from ${items} cross join lateral (select ${columns}) r${where})`;
  const rows = `select ${columns} from ${items}${where} order by ${order}${range}`;
  return compileListOf(compilation, { rows, lists: listsIn(compilation, item, populate.selection) });
}

function itemOrder(compilation: Compilation, item: Scope, sort: readonly Sort[], position: string): string {
  return sort.length > 0 ? `${compileOrder(compilation, item, sort)}, ${position}` : position;
}

/** Items of a zone differ in form, so each component has an object of its own in a `case`. */
function populateZone(compilation: Compilation, scope: Scope, populate: ZonePopulate): string {
  if (populate.items.length === 0) return "'[]'::json";
  const alias = newAlias();
  const name = `${alias}.item ->> '__component'`;
  const inItem = ({ component }: { readonly component: string }) =>
    insideComponent(compilation, scope, { component }, `${alias}.item`);
  const forms = populate.items.map((form) => {
    const columns = compileSelection(compilation, inItem(form), form.selection);
    const kind = populate.isBare ? "" : `${literal(form.component)} as "__component"${columns && ", "}`;
    return `when ${literal(form.component)} then (select row_to_json(r) from (select ${kind}${columns}) r)`;
  });
  const listed = populate.items.map(({ component }) => literal(component)).join(", ");
  const wanted = populate.items.flatMap((form) =>
    form.filter
      ? [`when ${literal(form.component)} then ${compileFilter(compilation, inItem(form), form.filter)}`]
      : [],
  );
  const matches = wanted.length > 0 ? ` and case ${name} ${wanted.join(" ")} else true end` : "";
  const items = `jsonb_array_elements(${jsonList(scope.row.stored(populate.field))}) with ordinality ${alias}(item, position)`;
  const item = `case ${name} ${forms.join(" ")} end`;
  const rows = `from ${items} where ${name} in (${listed})${matches}`;
  if (!compilation.isWatched)
    return `(select coalesce(json_agg(${item} order by ${alias}.position), '[]'::json) ${rows})`;
  return compileListOf(compilation, {
    rows: `select ${item} as form ${rows} order by ${alias}.position`,
    lists: [],
    item: "r.form",
  });
}

/**
 * Polymorphic targets as references `{ __type, documentId }` with the locale they are read in; the reader completes
 * them by one statement per type present.
 *
 * @source core/decisions/0005-one-statement-per-read.md#consequences, polymorphic relations
 */
function populateMorph(compilation: Compilation, scope: Scope, populate: MorphPopulate): string {
  const attribute = relationOf(scope, populate.field);
  const inLocale = (type: string, document: string, locale: string) =>
    `json_build_object('__type', ${type}, 'documentId', ${document}, 'locale', ${locale})`;
  if (attribute.storage === "uses") return compileUses(compilation, scope, populate, inLocale);
  const reference = (type: string, document: string) => inLocale(type, document, scope.locales[0] ?? "''");
  const { alias } = scope.row;
  if (attribute.storage === "embedded") return embeddedReferences(scope, attribute, reference);
  if (attribute.storage === "column") {
    const column = attribute.column ?? "";
    const document = `${alias}.${identifier(column)}`;
    return `case when ${document} is not null then ${reference(`${alias}.${identifier(`${column}_type`)}`, document)} end`;
  }
  const table = tableOf(compilation.layout, scope.row.shape.uid);
  const link = newAlias();
  const where = `${link}.source = ${alias}.id and ${link}.attribute = ${linkCode(table, attribute.name)}`;
  const list = `json_agg(${reference(`${link}.target_type`, `${link}.target`)} order by ${link}.position)`;
  return `(select coalesce(${list}, '[]'::json) from ${readTable(table.links ?? "")} ${link} where ${where})`;
}

function embeddedReferences(
  scope: Scope,
  attribute: RelationAttribute,
  reference: (type: string, document: string) => string,
): string {
  const stored = scope.row.stored(attribute.name);
  const of = (item: string) => reference(`${item} ->> '__type'`, `${item} ->> 'documentId'`);
  if (!attribute.isMany) return `case when jsonb_typeof(${stored}) = 'object' then ${of(stored)} end`;
  const alias = newAlias();
  const items = `jsonb_array_elements(${jsonList(stored)}) with ordinality ${alias}(item, position)`;
  return `(select coalesce(json_agg(${of(`${alias}.item`)} order by ${alias}.position), '[]'::json) from ${items})`;
}
