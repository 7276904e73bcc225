import type { Filter, Output, Populate, Selection, Slot } from "../../database/query.js";
import { findField } from "../../schema/find-field.js";
import type { Attribute, ComponentAttribute, RelationAttribute, ZoneAttribute } from "../../schema/model.js";
import { parseFilters } from "./parse-filters.js";
import { parsePagination, rangeOf } from "./parse-pagination.js";
import { parseSort } from "./parse-sort.js";
import {
  canFindTarget,
  componentOf,
  type Field,
  invalidKey,
  isReadable,
  isScalar,
  mostOf,
  type Reading,
  type ReadShape,
  targetOf,
  wholeOf,
} from "./reading.js";
import type { Refusable, Wanted, WantedField, WantedPopulate, WantedRead } from "./wanted.js";

/** What is the same for all that one read wants. */
interface Scope {
  readonly reading: Reading;
  readonly limits: WantedRead["limits"];
  readonly refused: Set<Refusable>;
}

/**
 * Turns what is wanted into a Selection, each name looked up, with the rules of the actor in it.
 *
 * @returns the selection, and what was left out of it because the actor may not see it.
 * @throws PLINTH_QUERY_INVALID_KEY (400) for names that do not exist, and those of parseFilters, parseSort and
 * parsePagination (400)
 */
export function parseWanted(
  reading: Reading,
  shape: ReadShape,
  wanted: WantedRead,
): { readonly selection: Selection; readonly refused: ReadonlySet<Refusable> } {
  const scope: Scope = { reading, limits: wanted.limits, refused: new Set() };
  return { selection: select(scope, shape, wanted), refused: scope.refused };
}

function select(scope: Scope, shape: ReadShape, { fields, populate, order }: Wanted): Selection {
  const seen = <Kind extends Refusable>(item: Kind): boolean => {
    if (isSeen(scope, shape, item)) return true;
    scope.refused.add(item);
    return false;
  };
  const selection = {
    fields: fields.filter(seen).map((field) => outputOf(scope, shape, field)),
    populate: populate.filter(seen).map((item) => populateOne(scope, shape, item)),
  };
  return order ? { ...selection, order } : selection;
}

/** @throws PLINTH_QUERY_INVALID_KEY (400) for what does not exist at all */
function isSeen({ reading }: Scope, shape: ReadShape, item: Refusable): boolean {
  const name = "constant" in item ? undefined : item.name;
  if (name === undefined) return true;
  if (!findField(wholeOf(reading, shape), name)) throw invalidKey(reading, name, []);
  const field = findField(shape, name);
  const visibility = "isForCode" in item && item.isForCode ? "code" : reading.visibility;
  if (!field || !isReadable(field, visibility)) return false;
  return !isRelation(field) || canFindTarget(reading, field);
}

const isRelation = (field: Field): field is RelationAttribute => field.kind === "relation" || field.kind === "media";

function outputOf({ reading }: Scope, shape: ReadShape, wanted: WantedField): string | Output {
  if ("constant" in wanted) return wanted;
  const { name, alias = name, form } = wanted;
  const field = findField(shape, name);
  if (!field || !isScalar(field)) throw invalidKey(reading, name, [name]);
  if (alias === name && form === undefined) return name;
  return { field: name, alias, ...(form ? { form } : {}) };
}

function populateOne(scope: Scope, shape: ReadShape, wanted: WantedPopulate): Populate {
  scope.reading.meter.count("populated", scope.reading.param);
  if (wanted.name === undefined)
    return { kind: "group", field: wanted.alias ?? "", selection: select(scope, shape, wanted.wanted) };
  const attribute = findField(shape, wanted.name) as Attribute;
  const base = { field: wanted.name, ...(wanted.alias ? { alias: wanted.alias } : {}) };
  switch (attribute.kind) {
    case "dynamiczone":
      return {
        ...{ kind: "zone", ...base, items: itemsOfZone(scope, attribute, wanted) },
        ...(wanted.isBare ? { isBare: true } : {}),
      };
    case "component":
      return { kind: "component", ...base, ...componentPart(scope, attribute, wanted) };
    case "relation":
    case "media":
      return attribute.target === undefined
        ? { kind: "morph", ...base, ...mostOf(scope.reading, attribute.isMany), items: itemsOfMorph(scope, wanted) }
        : { kind: "relation", ...base, ...relationPart(scope, attribute, wanted) };
    default:
      throw invalidKey(scope.reading, wanted.name, [wanted.name]);
  }
}

function relationPart(scope: Scope, attribute: RelationAttribute, wanted: WantedPopulate) {
  const target = targetOf(scope.reading, attribute);
  // Media as long as no plugin brings the file type.
  if (!target) return { sort: [], selection: { fields: [], populate: [] } };
  const { shape, visible } = target;
  const list = listPart(scope, shape, wanted, attribute.isMany);
  return { ...list, ...(visible ? { visible } : {}), selection: select(scope, shape, wanted.wanted) };
}

function componentPart(scope: Scope, attribute: ComponentAttribute, wanted: WantedPopulate) {
  const shape = componentOf(scope.reading, attribute.component);
  if (!shape) throw invalidKey(scope.reading, attribute.name, []);
  return { ...listPart(scope, shape, wanted, attribute.repeatable), selection: select(scope, shape, wanted.wanted) };
}

function listPart({ reading, limits }: Scope, shape: ReadShape, wanted: WantedPopulate, isMany: boolean) {
  const filter: Filter | undefined = parseFilters({ ...reading, param: "filters" }, shape, wanted.filters);
  const sort = parseSort({ ...reading, param: "sort" }, shape, wanted.sort);
  return { ...(filter ? { filter } : {}), sort, ...(isMany ? { page: pageOf(reading, limits, wanted) } : {}) };
}

function pageOf(
  reading: Reading,
  limits: WantedRead["limits"],
  { pagination }: WantedPopulate,
): { readonly start: Slot; readonly limit: Slot } {
  const page = parsePagination({ ...reading, param: "pagination" }, pagination, limits);
  if (page.style === "cursor") throw invalidKey({ ...reading, param: "pagination" }, "cursor", []);
  const { start, limit } = rangeOf(page);
  return { start: reading.values.add(start), limit: reading.values.add(limit) };
}

function itemsOfZone(scope: Scope, zone: ZoneAttribute, { on = new Map() }: WantedPopulate) {
  return zone.components.flatMap((uid) => {
    const wanted = on.get(uid);
    const shape = componentOf(scope.reading, uid);
    return wanted && shape ? [{ component: uid, selection: select(scope, shape, wanted) }] : [];
  });
}

function itemsOfMorph(scope: Scope, { on = new Map() }: WantedPopulate) {
  const { reading } = scope;
  return [...reading.model.contentTypes.values()].flatMap((type) => {
    const wanted = on.get(type.uid);
    if (!wanted || !reading.ability.can(`${type.uid}.find`)) return [];
    const { shape, visible } = reading.sightOf(type);
    return [{ type: type.uid, ...(visible ? { visible } : {}), selection: select(scope, shape, wanted) }];
  });
}
