import type { RelationAttribute } from "../../schema/model.js";
import { linkCode, tableOf } from "../layout/layout.js";
import type { Populate, Query, RelationPopulate } from "./query.js";
import { askedLocales } from "./compile-conditions.js";
import { compileFilter } from "./compile-filter.js";
import { compilePopulate, compileSelection } from "./compile-selection.js";
import { type Compilation, hasTarget, type Scope, tableScope, versionCondition } from "./relation-join.js";
import { attributeOf, tableRow } from "./row-source.js";
import { allOf, identifier, newAlias, readTable } from "../sql/sql.js";

/** Name of the common table with the rows of the page; no table's name has a dot. */
const ROWS = identifier("page.rows");

/** Column of it that says which row of the page it is. */
const NUMBER = identifier("row.number");

/** SQL of a page whose relations are read for all of its rows at once. */
export interface CompiledSets {
  /** Common tables, the rows of the page first. */
  readonly with: readonly string[];
  /** What the rows of the page are read from, under the alias that they have in the scope. */
  readonly from: string;
  /** Their order. */
  readonly order: string;
  /** Values of what is populated this way. */
  readonly values: ReadonlyMap<Populate, string>;
}

/** One populated relation of all rows. */
interface RelationSet {
  readonly with: readonly string[];
  readonly join: string;
  readonly value: string;
}

/**
 * Relations of a long page set by set: each related document is looked up and written out once, however many rows lead
 * to it. What this form does not support is left to sub-selects per row: see isSet.
 *
 * @param page - SQL of the rows of the page, in order.
 * @returns undefined for a short page, and where no relation can be read so.
 */
export function compileSets(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  page: string,
): CompiledSets | undefined {
  if (!query.page?.isLong) return undefined;
  const sets = new Map<Populate, RelationSet>();
  for (const populate of query.selection.populate)
    if (isSet(compilation, scope, query, populate)) sets.set(populate, compileSet(compilation, scope, query, populate));
  if (sets.size === 0) return undefined;
  const { alias } = scope.holder;
  const all = [...sets.values()];
  const rows = `${ROWS} as materialized (select p.*, row_number() over () as ${NUMBER} from (${page}) p)`;
  return {
    with: [rows, ...all.flatMap((set) => set.with)],
    from: [`${ROWS} ${alias}`, ...all.map(({ join }) => join)].join(" "),
    order: `${alias}.${NUMBER}`,
    values: new Map([...sets].map(([populate, { value }]) => [populate, value])),
  };
}

/**
 * Whether targets depend on nothing of a row but its link to them: no part of a list or other order than the links', no
 * locale that differs from row to row.
 */
function isSet(compilation: Compilation, scope: Scope, query: Query, populate: Populate): populate is RelationPopulate {
  if (populate.kind !== "relation" || populate.page || populate.sort.length > 0 || compilation.fallback) return false;
  const attribute = attributeOf(scope.row.shape, populate.field) as RelationAttribute;
  if (!hasTarget(compilation, attribute)) return false;
  if (attribute.storage !== (attribute.isMany ? "links" : "column")) return false;
  const { type } = tableOf(compilation.layout, attribute.target ?? "");
  return !type.isLocalized || localesOf(compilation, scope, query)?.length === 1;
}

/** The locales that targets of all rows are in; undefined where each row has its own. Only for targets that have locales. */
function localesOf(compilation: Compilation, scope: Scope, query: Query): readonly string[] | undefined {
  return scope.holder.type.isLocalized ? askedLocales(compilation, query) : scope.locales;
}

function compileSet(compilation: Compilation, scope: Scope, query: Query, populate: RelationPopulate): RelationSet {
  const { type, alias } = scope.holder;
  const attribute = attributeOf(type, populate.field) as RelationAttribute;
  const { isLocalized } = tableOf(compilation.layout, attribute.target ?? "").type;
  const target: SetTarget = {
    attribute,
    alias: newAlias(),
    locales: isLocalized ? localesOf(compilation, scope, query) : undefined,
  };
  const targets = `"${target.alias}.targets"`;
  if (!attribute.isMany) {
    const documents = `select ${tableRow(type, ROWS).stored(attribute.name)} from ${ROWS}`;
    return {
      with: [`${targets} as materialized (${compileTargets(compilation, populate, target, documents)})`],
      join: `left join ${targets} on ${targets}.document_id = ${scope.row.stored(attribute.name)}`,
      value: `${targets}.json`,
    };
  }
  const links = `"${target.alias}.links"`;
  const lists = `"${target.alias}.lists"`;
  const json = `json_agg(${targets}.json order by ${links}.position, ${targets}.id)`;
  return {
    with: [
      `${links} as materialized (${compileLinks(compilation, scope, attribute)})`,
      `${targets} as materialized (${compileTargets(compilation, populate, target, `select target from ${links}`)})`,
      `${lists} as materialized (select ${links}.source, ${json} as json${populate.most === undefined ? "" : ", count(*) as entries"} from ${links} join ${targets} on ${targets}.document_id = ${links}.target group by ${links}.source)`,
    ],
    join: `left join ${lists} on ${lists}.source = ${alias}.id`,
    value: cutValue(compilation, scope, populate, lists),
  };
}

/**
 * A list that is longer than it may be is read again by itself: that is rare, and limiting all lists would cost each.
 */
function cutValue(compilation: Compilation, scope: Scope, populate: RelationPopulate, lists: string): string {
  const whole = `coalesce(${lists}.json, '[]'::json)`;
  if (populate.most === undefined) return whole;
  return `case when ${lists}.entries > ${populate.most} then ${compilePopulate(compilation, scope, populate)} else ${whole} end`;
}

/** The links of all rows of the page. */
function compileLinks({ layout }: Compilation, scope: Scope, attribute: RelationAttribute): string {
  const owner = tableOf(layout, scope.holder.type.uid);
  const link = newAlias();
  const where = `${link}.source = any(array(select id from ${ROWS})) and ${link}.attribute = ${linkCode(owner, attribute.name)}`;
  return `select ${link}.source, ${link}.target, ${link}.position from ${readTable(owner.links ?? "")} ${link} where ${where}`;
}

interface SetTarget {
  readonly attribute: RelationAttribute;
  readonly alias: string;
  readonly locales: readonly string[] | undefined;
}

/**
 * Related documents, each once. The ids are a list, not a join: for every page PostgreSQL looks them up in the
 * index, and never walks from all documents back to the page.
 */
function compileTargets(
  compilation: Compilation,
  { selection, filter, visible }: RelationPopulate,
  { attribute, alias, locales }: SetTarget,
  documents: string,
): string {
  const { layout, status } = compilation;
  const { type } = tableOf(layout, attribute.target ?? "");
  const scope = tableScope(compilation, type, alias, status);
  const where = allOf(
    [
      `${alias}.document_id = any(array(${documents}))`,
      versionCondition(compilation, { type, alias }, { status, locales }),
      ...[filter, visible].flatMap((item) => (item ? [compileFilter(compilation, scope, item)] : [])),
    ].filter((condition) => condition !== "true"),
  );
  const columns = compileSelection(compilation, scope, selection);
  return `select ${alias}.id, ${alias}.document_id, row_to_json(r) as json from ${readTable(type.table)} ${alias} cross join lateral (select ${columns}) r where ${where}`;
}
