import type { Wanted, WantedField, WantedPopulate } from "@plinth/core/reads";
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type SelectionSetNode,
} from "graphql";
import { type AttributePlan, fieldPlan, typePlan } from "../plan.js";
import { collectFields, selectionSetsOf } from "./collect-fields.js";
import { isGenerated } from "./generated-resolvers.js";
import type { RowPlanning } from "./plan-rows.js";
import { readListArguments } from "./read-arguments.js";

/** What a selection is planned with when PostgreSQL is to write the answer. */
export interface TextPlanning extends Omit<RowPlanning, "keys"> {
  /** Keys of the answer whose values must not be null; filled while planning. */
  readonly required: Set<string>;
}

/** Thrown to stop planning; never leaves this file. */
const UNFIT = Symbol("unfit");

/**
 * Names of columns may have so many bytes.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
const MAX_KEY_BYTES = 63;

type Field = GraphQLField<unknown, unknown>;

/**
 * Turns selections on one type into a read whose JSON is the answer: keys, order and form of values are those that the
 * client asked for, so that nothing has to be walked on the way out.
 *
 * @returns undefined when there is something in it that PostgreSQL cannot write: a field of the app's own, a replaced
 * resolver, a polymorphic relation, an enum whose names are not its values.
 */
export function planText(
  planning: TextPlanning,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Wanted | undefined {
  try {
    return planObject(planning, type, sets);
  } catch (error) {
    if (error === UNFIT) return undefined;
    throw error;
  }
}

/** The fields that are asked of an object, by the keys of the answer. */
export function groupFields(
  planning: Omit<RowPlanning, "keys" | "app">,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const groups = new Map<string, FieldNode[]>();
  for (const node of collectFields(planning, type, sets)) {
    const key = node.alias?.value ?? node.name.value;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return groups;
}

function planObject(planning: TextPlanning, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Wanted {
  const fields: WantedField[] = [];
  const populate: WantedPopulate[] = [];
  const groups = groupFields(planning, type, sets);
  for (const [key, nodes] of groups) {
    const [node] = nodes as readonly [FieldNode];
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw UNFIT;
    if (node.name.value === "__typename") {
      fields.push({ constant: type.name, alias: key });
      continue;
    }
    const field = type.getFields()[node.name.value];
    const plan = field && fieldPlan(field);
    if (plan?.kind !== "attribute" || !isGenerated(field?.resolve)) throw UNFIT;
    if (isNonNullType(field?.type)) noteRequired(planning, key, plan);
    if (plan.form === "scalar") fields.push(scalarOf(field as Field, plan, key));
    else populate.push(populateOf(planning, field as Field, plan, { key, nodes }));
  }
  return { fields, populate, order: [...groups.keys()] };
}

/** Lists and document ids are never null, whatever is stored. */
function noteRequired({ required }: TextPlanning, key: string, { attribute, form }: AttributePlan): void {
  const isSure = form === "list" || form === "connection" || attribute === "documentId" || attribute === "id";
  if (!isSure) required.add(key);
}

function scalarOf(field: Field, { attribute: name }: AttributePlan, alias: string): WantedField {
  const type = getNamedType(field.type);
  if (isEnumType(type) && type.getValues().some((value) => value.name !== value.value)) throw UNFIT;
  const form = FORMS.get(type.name);
  return form ? { name, alias, form } : { name, alias };
}

/** The scalars whose values are in another form than over REST. */
const FORMS: ReadonlyMap<string, "text" | "long" | "time"> = new Map([
  ["ID", "text"],
  ["Long", "long"],
  ["Time", "time"],
]);

interface Place {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

function populateOf(planning: TextPlanning, field: Field, plan: AttributePlan, place: Place): WantedPopulate {
  const sets = selectionSetsOf(place.nodes);
  const type = getNamedType(field.type);
  const base = { name: plan.attribute, alias: place.key };
  if (plan.form === "morph") throw UNFIT;
  if (isUnionType(type))
    return { ...base, wanted: NOTHING, on: planUnion(planning, type.getTypes(), sets), isBare: true };
  if (!isObjectType(type)) throw UNFIT;
  const args = getArgumentValues(field, place.nodes[0] as FieldNode, planning.variableValues);
  if (plan.form === "connection") return groupOf(planning, type, { ...place, args, plan });
  return {
    ...base,
    ...readListArguments(planning, shapeOf(planning, type), args),
    wanted: planObject(planning, type, sets),
  };
}

const NOTHING: Wanted = Object.freeze({ fields: [], populate: [] });

interface ConnectionPlace extends Place {
  readonly args: Readonly<Record<string, unknown>>;
  readonly plan: AttributePlan;
}

/** An object around the entries; each alias of `nodes` is a list of its own. */
function groupOf(
  planning: TextPlanning,
  collection: GraphQLObjectType,
  { key, nodes, args, plan }: ConnectionPlace,
): WantedPopulate {
  const fields: WantedField[] = [];
  const populate: WantedPopulate[] = [];
  const groups = groupFields(planning, collection, selectionSetsOf(nodes));
  for (const [alias, inner] of groups) {
    const name = inner[0]?.name.value;
    if (name === "__typename") fields.push({ constant: collection.name, alias });
    else if (name === "nodes") populate.push(nodesOf(planning, collection, inner, { alias, args, plan }));
    else throw UNFIT;
  }
  return { name: undefined, alias: key, wanted: { fields, populate, order: [...groups.keys()] } };
}

function nodesOf(
  planning: TextPlanning,
  collection: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { alias, args, plan }: { readonly alias: string } & Pick<ConnectionPlace, "args" | "plan">,
): WantedPopulate {
  const field = collection.getFields()["nodes"];
  const type = field && getNamedType(field.type);
  if (!isObjectType(type) || !isPlainField(field)) throw UNFIT;
  const list = readListArguments(planning, shapeOf(planning, type), args);
  return { name: plan.attribute, alias, ...list, wanted: planObject(planning, type, selectionSetsOf(nodes)) };
}

/** Whether a field of a collection is read by its name. */
export function isPlainField(field: Field | undefined): boolean {
  return field?.resolve === undefined || field.resolve === defaultFieldResolver;
}

function planUnion(planning: TextPlanning, types: readonly GraphQLObjectType[], sets: readonly SelectionSetNode[]) {
  const on = new Map<string, Wanted>();
  for (const type of types) {
    const plan = typePlan(type);
    if (plan?.kind === "component") on.set(plan.uid, planObject(planning, type, sets));
  }
  return on;
}

function shapeOf({ app }: TextPlanning, type: GraphQLObjectType) {
  const plan = typePlan(type);
  if (plan?.kind === "entry") return app.model.contentTypes.get(plan.uid);
  return plan?.kind === "component" ? app.model.components.get(plan.uid) : undefined;
}
