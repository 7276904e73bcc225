import type { CountPopulate, FormSelection, Populate, RelationPopulate, Selection } from "../../database/query.js";
import { findField } from "../../schema/find-field.js";
import type { Attribute, ComponentAttribute, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { FragmentError, unseen } from "./errors.js";
import { type Ask, type Asks, parseAsks, plainAsk } from "./parse-asks.js";
import { parseFields } from "./parse-fields.js";
import { parseFilters } from "./parse-filters.js";
import { parseSort } from "./parse-sort.js";
import { populateMorph, populateZone } from "./populate-fragments.js";
import {
  canFindTarget,
  componentOf,
  invalidKey,
  isReadable,
  isScalar,
  mostOf,
  type Reading,
  type ReadShape,
  type Sight,
  targetOf,
  wholeOf,
} from "./reading.js";

type Populatable = Exclude<Attribute, ScalarAttribute>;

/**
 * Turns `populate` into what to return of relations, media, components and zones, each name looked up. Relations to
 * types that the ability may not find, and what a rule leaves out, are left out, also where they are named; what is
 * asked of them is checked all the same, so that whether a request is valid does not depend on who sends it.
 *
 * @returns in the order of the schema, so that the same selection is the same Query however it is written.
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_FRAGMENT and those of parseFilters, parseSort, parseFields (400)
 * @source plugins/content-api/WIRE.md#populate
 */
export function parsePopulate(reading: Reading, shape: ReadShape, input: unknown): readonly Populate[] {
  return populateAll(reading, shape, parseAsks(reading, input));
}

function populateAll(reading: Reading, shape: ReadShape, asks: Asks): readonly Populate[] {
  for (const [name, ask] of asks.names) assertPopulatable(reading, shape, name, ask);
  if (!asks.isEverything && asks.names.size === 0) return [];
  return [...wholeOf(reading, shape).attributes.values()].flatMap((attribute) => {
    if (isScalar(attribute) || !isReadable(attribute, reading.visibility)) return [];
    const ask = asks.names.get(attribute.name) ?? (asks.isEverything ? plainAsk([attribute.name]) : undefined);
    const populate = ask && populateOne(reading, shape, attribute, ask);
    return populate && isSeen(reading, shape, attribute) ? [populate] : [];
  });
}

/** Whether an attribute is there for the actor at all. */
function isSeen(reading: Reading, shape: ReadShape, attribute: Populatable): boolean {
  if (!shape.attributes.has(attribute.name)) return false;
  return (attribute.kind !== "relation" && attribute.kind !== "media") || canFindTarget(reading, attribute);
}

function assertPopulatable(reading: Reading, shape: ReadShape, name: string, ask: Ask): void {
  const field = findField(wholeOf(reading, shape), name);
  if (!field || isScalar(field) || !isReadable(field, reading.visibility)) throw invalidKey(reading, name, ask.path);
}

function populateOne(reading: Reading, shape: ReadShape, attribute: Populatable, ask: Ask): Populate | undefined {
  reading.meter.count("populated", reading.param);
  const parse = (inner: ReadShape, of: Ask) => parseForm(reading, inner, of);
  if (attribute.kind === "dynamiczone") return populateZone(reading, attribute, ask, parse);
  if (attribute.kind !== "component" && attribute.target === undefined)
    return populateMorph(reading, attribute, ask, parse);
  if (ask.on) throw new FragmentError(unseen({ field: attribute.name, uid: shape.uid }));
  return attribute.kind === "component"
    ? populateComponent(reading, attribute, ask)
    : populateRelation(reading, attribute, ask);
}

function selectionOf(reading: Reading, shape: ReadShape, ask: Ask): Selection {
  return { fields: parseFields(reading, shape, ask.fields), populate: populateAll(reading, shape, ask.populate) };
}

/** One form of entry in a list of several. Its sort is checked and no more: the list has an order of its own. */
function parseForm(reading: Reading, shape: ReadShape, ask: Ask): FormSelection {
  const filter = parseFilters(reading, shape, ask.filters);
  parseSort(reading, shape, ask.sort);
  return { ...(filter ? { filter } : {}), selection: selectionOf(reading, shape, ask) };
}

function populateComponent(reading: Reading, attribute: ComponentAttribute, ask: Ask): Populate | undefined {
  const shape = componentOf(reading, attribute.component);
  if (!shape) return undefined;
  if (ask.count) throw invalidKey(reading, "count", ask.path);
  const filter = parseFilters(reading, shape, ask.filters);
  const sort = parseSort(reading, shape, ask.sort);
  const selection = selectionOf(reading, shape, ask);
  return { kind: "component", field: attribute.name, ...(filter ? { filter } : {}), sort, selection };
}

function populateRelation(reading: Reading, attribute: RelationAttribute, ask: Ask): RelationPopulate | CountPopulate {
  const target = targetOf(reading, attribute);
  if (!target) return populateMissing(attribute, ask);
  return populateTarget(reading, attribute, target, ask);
}

/** Media before the file type exists: null or an empty list, whatever is asked of the files. */
function populateMissing({ name: field }: RelationAttribute, ask: Ask): RelationPopulate | CountPopulate {
  if (ask.count) return { kind: "count", field };
  return { kind: "relation", field, sort: [], selection: { fields: ["id", "documentId"], populate: [] } };
}

function populateTarget(
  reading: Reading,
  { name: field, isMany }: RelationAttribute,
  { shape, visible }: Sight,
  ask: Ask,
): RelationPopulate | CountPopulate {
  const filter = parseFilters(reading, shape, ask.filters);
  const rows = { ...(filter ? { filter } : {}), ...(visible ? { visible } : {}) };
  const sort = parseSort(reading, shape, ask.sort);
  const selection = selectionOf(reading, shape, ask);
  if (ask.count) return { kind: "count", field, ...rows };
  return { kind: "relation", field, ...rows, sort, ...mostOf(reading, isMany), selection };
}
