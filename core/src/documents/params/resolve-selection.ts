import { ForbiddenError } from "../../access/errors.js";
import { isPlinthError } from "../../base/error.js";
import type { Filter, FormSelection, Output, Populate, Selection, Sort } from "../../database/reads/query.js";
import { findField, isClosedName } from "../../schema/find-field.js";
import type {
  Attribute,
  ComponentAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from "../../schema/model.js";
import { assertOptions, entryForms } from "./entry-forms.js";
import { withFacts } from "./facts.js";
import { FragmentError, type ParamName, TooManyError, unseen } from "./errors.js";
import { hiddenLinks } from "./hidden-links.js";
import { parseFields } from "./parse-fields.js";
import { parseFilters } from "./parse-filters.js";
import { type Limits, parsePagination, rangeOf } from "./parse-pagination.js";
import { plainNode } from "./parse-populate.js";
import { parseSort } from "./parse-sort.js";
import {
  assertShown,
  canFindTarget,
  componentOf,
  type Field,
  invalidKey,
  isReadable,
  isScalar,
  mostOf,
  type ParseContext,
  type ReadShape,
  targetOf,
  wholeOf,
} from "./parse-context.js";
import type { EntryRequest, FieldRequest, PopulateNode, ReadSelection, SelectionRequest } from "./selection-request.js";

/** A part of a selection that may be left out. */
export type DeniedField = FieldRequest | PopulateNode;

/** What was left out of a selection, each with its error. */
export type DeniedFields = ReadonlyMap<DeniedField, Error>;

/** A selection, each name of it looked up. */
export interface ResolvedSelection {
  readonly selection: Selection;
  /**
   * What was left out, the very objects of the request, and why: the actor may not see it, or, with `leavesOutFaults`, it is
   * asked for in a wrong way. Names of clients are not listed.
   */
  readonly deniedFields: DeniedFields;
}

/** What is the same for all of one selection. */
interface Resolution {
  readonly reading: ParseContext;
  readonly limits: Limits | undefined;
  readonly leavesOutFaults: boolean;
  readonly deniedFields: Map<DeniedField, Error>;
}

type Populatable = Exclude<Attribute, ScalarAttribute>;

/**
 * Looks up what a read is to return, and applies what the actor may see: types that the ability may not find and what a
 * rule leaves out are left out, and the rules on rows are joined. This is the only place where that is decided for what
 * is returned.
 *
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_FRAGMENT, PLINTH_QUERY_TOO_MANY and those of parseFilters, parseSort,
 * parseFields, parsePagination (400)
 * @source plugins/content-api/WIRE.md#populate
 */
export function resolveSelection(reading: ParseContext, shape: ReadShape, request: ReadSelection): ResolvedSelection {
  const { limits, leavesOutFaults = false } = request;
  const resolution: Resolution = { reading, limits, leavesOutFaults, deniedFields: new Map() };
  return { selection: select(resolution, shape, request), deniedFields: resolution.deniedFields };
}

function select(resolution: Resolution, shape: ReadShape, request: SelectionRequest): Selection {
  const fields = request.names
    ? parseFields(resolution.reading, shape, request.names.fields)
    : outputsOf(resolution, shape, request.fields);
  const selection = { fields, populate: populateAll(resolution, shape, request) };
  return request.order ? { ...selection, order: request.order } : selection;
}

function outputsOf(
  { reading, deniedFields }: Resolution,
  shape: ReadShape,
  fields: readonly FieldRequest[],
): readonly (string | Output)[] {
  return fields.flatMap((request): readonly (string | Output)[] => {
    if ("constant" in request) return [request];
    const { name, alias = name, form, isForCode } = request;
    const field = findField(wholeOf(reading, shape), name);
    if (!field || !isScalar(field)) throw invalidKey(reading, name, field ? [name] : []);
    if (!isSeen(reading, shape, field, isForCode)) {
      deniedFields.set(request, new ForbiddenError({}));
      return [];
    }
    return alias === name && form === undefined ? [name] : [{ field: name, alias, ...(form ? { form } : {}) }];
  });
}

/** Whether a field is visible to the actor. */
function isSeen(reading: ParseContext, shape: ReadShape, field: Field, isForCode = false): boolean {
  if (!findField(shape, field.name) || !isReadable(field, isForCode || reading.withPrivate)) return false;
  return (field.kind !== "relation" && field.kind !== "media") || canFindTarget(reading, field);
}

function populateAll(resolution: Resolution, shape: ReadShape, request: SelectionRequest): readonly Populate[] {
  const { reading, deniedFields } = resolution;
  const found: Populate[] = [];
  for (const node of nodesOf(reading, shape, request)) {
    const attribute = node.name === undefined ? undefined : findField(wholeOf(reading, shape), node.name);
    const isDenied = attribute !== undefined && !isSeen(reading, shape, attribute);
    if (isDenied && !node.place) deniedFields.set(node, new ForbiddenError({}));
    else {
      const populate = populateOrLeaveOut(resolution, shape, attribute as Populatable | undefined, node);
      if (populate && !isDenied) found.push(populate);
    }
  }
  return found;
}

/** What names ask for comes in the order of the schema, so that the same selection is the same Query however it is written. */
function nodesOf(
  reading: ParseContext,
  shape: ReadShape,
  { names, populate }: SelectionRequest,
): readonly PopulateNode[] {
  if (populate.length === 0 && !names?.isEverything) return populate;
  const whole = wholeOf(reading, shape);
  for (const node of populate) if (node.name !== undefined) assertPopulatable(reading, whole, node.name, node);
  if (!names) return populate;
  const nodes: PopulateNode[] = [];
  for (const attribute of whole.attributes.values()) {
    if (isScalar(attribute) || !isReadable(attribute, reading.withPrivate)) continue;
    const named = populate.find(({ name }) => name === attribute.name);
    if (named?.isLeftOut) continue;
    if (named) nodes.push(named);
    else if (names.isEverything) nodes.push(plainNode(attribute.name));
  }
  return nodes;
}

function assertPopulatable(reading: ParseContext, shape: ReadShape, name: string, node: PopulateNode): void {
  const { place, isByName } = node;
  const field = findField(shape, name);
  const isHidden = field && place && !isReadable(field, reading.withPrivate);
  if (isHidden) assertShown(reading, field, place.attributes.slice(0, -1));
  if (field && !isScalar(field) && !isHidden) return;
  if (!place) throw invalidKey(reading, name, []);
  const isKnown = isHidden || isClosedName(shape, name);
  // A comma list below the root is not a name that could be known.
  const isAsWritten = field ? isScalar(field) : isByName && !isKnown && !name.includes(",");
  if (isAsWritten) throw invalidKey(reading, name, [place.written]);
  throw invalidKey(reading, name, isKnown ? place.attributes : place.attributes.slice(0, -1));
}

/** A field that is asked for in a wrong way is an error of its own over GraphQL; what counts for the read as a whole fails it. */
function populateOrLeaveOut(
  resolution: Resolution,
  shape: ReadShape,
  attribute: Populatable | undefined,
  node: PopulateNode,
): Populate | undefined {
  if (!resolution.leavesOutFaults) return populateOne(resolution, shape, attribute, node);
  try {
    return populateOne(resolution, shape, attribute, node);
  } catch (error) {
    if (!isPlinthError(error) || error.status !== 400 || TooManyError.is(error)) throw error;
    resolution.deniedFields.set(node, error);
    return undefined;
  }
}

function populateOne(
  resolution: Resolution,
  shape: ReadShape,
  attribute: Populatable | undefined,
  node: PopulateNode,
): Populate | undefined {
  const { reading } = resolution;
  reading.meter.count("populated", reading.param);
  if (!attribute) return { kind: "group", field: node.alias ?? "", selection: select(resolution, shape, node) };
  if (attribute.kind === "dynamiczone") return populateZone(resolution, attribute, node);
  if (attribute.kind !== "component" && attribute.target === undefined)
    return populateMorph(resolution, attribute, node);
  assertFragments(reading, node);
  if (node.on) throw new FragmentError(unseen({ field: attribute.name, uid: shape.uid }));
  return attribute.kind === "component"
    ? populateComponent(resolution, attribute, node)
    : populateRelation(resolution, attribute, node);
}

/** A type or component that the app does not have is reported before what `on` is not for. */
function assertFragments(reading: ParseContext, { on, place }: PopulateNode): void {
  const { components, contentTypes } = reading.model;
  for (const uid of on?.keys() ?? [])
    if (place && !components.has(uid) && !contentTypes.has(uid))
      throw invalidKey(reading, uid, [`${place.written}.on.${uid}`]);
}

const baseOf = (field: string, { alias }: PopulateNode) => (alias ? { field, alias } : { field });

function populateComponent(
  resolution: Resolution,
  attribute: ComponentAttribute,
  node: PopulateNode,
): Populate | undefined {
  const { reading, limits } = resolution;
  const shape = componentOf(reading, attribute.component);
  if (!shape) return undefined;
  assertOptions(reading, shape, node);
  if (node.count) throw invalidKey(reading, "count", node.place?.attributes ?? []);
  const filter = filterOf(reading, shape, node);
  const sort = sortOf(reading, shape, node);
  const page = limits && attribute.repeatable ? { page: pageOf(reading, limits, node) } : {};
  const base = baseOf(attribute.name, node);
  const selection = select(resolution, shape, node);
  return { kind: "component", ...base, ...(filter ? { filter } : {}), sort, ...page, selection };
}

function populateRelation(resolution: Resolution, attribute: RelationAttribute, node: PopulateNode): Populate {
  const { reading, limits } = resolution;
  const base = baseOf(attribute.name, node);
  const target = targetOf(reading, attribute);
  if (!target) return node.count ? { kind: "count", ...base } : { kind: "relation", ...base, ...NO_TARGET };
  const { shape, visible } = target;
  assertOptions(reading, shape, node);
  const filter = filterOf(reading, shape, node);
  const rows = { ...(filter ? { filter } : {}), ...(visible ? { visible } : {}) };
  const sort = sortOf(reading, shape, node);
  const page = limits && attribute.isMany ? { page: pageOf(reading, limits, node) } : {};
  const selection = withFacts(reading.model, select(resolution, shape, node), node.facts, target);
  if (node.count) return { kind: "count", ...base, ...rows };
  const most = limits ? {} : mostOf(reading, attribute.isMany);
  return { kind: "relation", ...base, ...rows, sort, ...page, ...most, selection };
}

/** Media before the file type exists: null or an empty list, for any selection of files. */
const NO_TARGET = { sort: [], selection: { fields: ["id", "documentId"], populate: [] } } as const;

/** The arguments of GraphQL have names of their own in errors; what a `populate` holds is part of it. */
const readingOf = (reading: ParseContext, { place }: EntryRequest, param: ParamName): ParseContext =>
  place ? reading : { ...reading, param };

function filterOf(reading: ParseContext, shape: ReadShape, entry: EntryRequest): Filter | undefined {
  return entry.filters === undefined
    ? undefined
    : parseFilters(readingOf(reading, entry, "filters"), shape, entry.filters);
}

function sortOf(reading: ParseContext, shape: ReadShape, entry: EntryRequest): readonly Sort[] {
  return entry.sort === undefined ? [] : parseSort(readingOf(reading, entry, "sort"), shape, entry.sort);
}

function pageOf(reading: ParseContext, limits: Limits, { pagination }: EntryRequest) {
  const of = { ...reading, param: "pagination" } as const;
  const page = parsePagination(of, pagination, limits);
  if (page.style === "cursor") throw invalidKey(of, "cursor", []);
  const { start, limit } = rangeOf(page);
  return { start: reading.values.add(start), limit: reading.values.add(limit) };
}

function populateZone(resolution: Resolution, zone: ZoneAttribute, node: PopulateNode): Populate | undefined {
  const { reading } = resolution;
  const shapes = zone.components.flatMap((uid) => componentOf(reading, uid) ?? []);
  const items = entryForms(reading, shapes, node).map(([shape, form]) => ({
    component: shape.uid,
    ...formOf(resolution, shape, form),
  }));
  if (isLeftOut(items, node)) return undefined;
  return { kind: "zone", ...baseOf(zone.name, node), items, ...(node.isBare ? { isBare: true } : {}) };
}

function populateMorph(resolution: Resolution, relation: RelationAttribute, node: PopulateNode): Populate | undefined {
  const { reading } = resolution;
  const types = [...reading.model.contentTypes.values()];
  const items = entryForms(reading, types, node).flatMap(([type, request]) => {
    const isDenied = !reading.ability.can(`${type.uid}.find`);
    if (isDenied && !node.place) return [];
    const seen = reading.visibleTypeOf(type);
    const { shape, visible } = seen;
    const form = formOf(resolution, shape, request);
    if (isDenied) return [];
    const hidden = hiddenLinks(reading.model, type, shape, reading.withPrivate);
    const links = hidden.length > 0 ? { hiddenLinks: hidden } : {};
    const selection = withFacts(reading.model, form.selection, node.facts, seen);
    return [{ type: type.uid, ...(visible ? { visible } : {}), ...links, ...form, selection }];
  });
  if (isLeftOut(items, node)) return undefined;
  return { kind: "morph", ...baseOf(relation.name, node), ...mostOf(reading, relation.isMany), items };
}

/** Clients do not get what cannot have an entry, such as by an empty `on`. */
const isLeftOut = (items: readonly unknown[], { place }: PopulateNode) => items.length === 0 && place !== undefined;

/** One form of entry in a list of several. Its sort is checked and no more: the list has an order of its own. */
function formOf(resolution: Resolution, shape: ReadShape, form: EntryRequest): FormSelection {
  const filter = filterOf(resolution.reading, shape, form);
  sortOf(resolution.reading, shape, form);
  return { ...(filter ? { filter } : {}), selection: select(resolution, shape, form) };
}
