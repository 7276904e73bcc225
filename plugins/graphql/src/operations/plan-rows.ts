import type { App } from "@plinth/core";
import type { Wanted, WantedPopulate } from "@plinth/core/reads";
import type { Component, ContentType } from "@plinth/core/schema";
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isObjectType,
  isUnionType,
  type SelectionSetNode,
} from "graphql";
import type { Arguments } from "../contract.js";
import { type AttributePlan, fieldPlan, typePlan } from "../plan.js";
import { collectFields, type SelectionContext, selectionSetsOf } from "./collect-fields.js";
import type { ListKeys } from "./list-keys.js";
import { addNeeded, declaredNeeds, type Need, neededBy } from "./needed-values.js";
import { readListArguments } from "./read-arguments.js";

/** What a selection is planned with. */
export interface RowPlanning extends SelectionContext {
  readonly app: App;
  readonly keys: ListKeys;
}

/** One attribute with one set of arguments, and all that is selected of its entries, by whatever aliases. */
interface Asked {
  readonly plan: AttributePlan;
  readonly args: Arguments;
  /** Type of the entries: an object type, or the union of a zone or morph relation. */
  readonly type: GraphQLNamedType;
  readonly sets: SelectionSetNode[];
}

/**
 * Turns selections on one type into what a read has to return: rows keyed by attributes, so that whoever gets a row as
 * its parent finds a document. Aliases of one attribute with equal arguments are one list; see ListKeys for others.
 */
export function planRows(planning: RowPlanning, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Wanted {
  const shape = shapeOf(planning, type);
  const fields = new Set<string>(idsOf(shape));
  const asked = new Map<string, Asked>();
  const needs: Need[] = [];
  for (const node of collectFields(planning, type, sets)) {
    const field = type.getFields()[node.name.value];
    if (!field) continue;
    const plan = fieldPlan(field);
    needs.push(...(plan ? (declaredNeeds(field) ?? []) : neededBy(field, shape)));
    if (plan?.kind !== "attribute") continue;
    if (plan.form === "scalar") fields.add(plan.attribute);
    else ask(planning, asked, { field, plan }, node);
  }
  const populate = [...asked].map(([key, item]) => populateOf(planning, shape, key, item));
  return addNeeded(planning.app.model, shape, { fields: [...fields].map((name) => ({ name })), populate }, needs);
}

/** What one field of one type needs, for a parent that was read without it. */
export function planField(
  planning: RowPlanning,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  args: Arguments,
): Wanted {
  const shape = shapeOf(planning, type);
  const field = type.getFields()[nodes[0]?.name.value ?? ""];
  const plan = field && fieldPlan(field);
  if (!field || plan?.kind !== "attribute") return { fields: idFields(shape), populate: [] };
  if (plan.form === "scalar") return { fields: [...idFields(shape), { name: plan.attribute }], populate: [] };
  const sets = selectionSetsOf(nodes);
  const item = { plan, args, type: entryType(field, plan), sets: entrySets(planning, field, plan, sets) };
  const key = planning.keys.keyOf(plan, args);
  return { fields: idFields(shape), populate: [populateOf(planning, shape, key, item)] };
}

interface Planned {
  readonly field: GraphQLField<unknown, unknown>;
  readonly plan: AttributePlan;
}

function ask(planning: RowPlanning, asked: Map<string, Asked>, { field, plan }: Planned, node: FieldNode): void {
  const args = getArgumentValues(field, node, planning.variableValues);
  const key = planning.keys.keyOf(plan, args);
  const known = asked.get(key) ?? { plan, args, type: entryType(field, plan), sets: [] };
  asked.set(key, known);
  known.sets.push(...entrySets(planning, field, plan, selectionSetsOf([node])));
}

/** A connection holds its entries as `nodes`. */
function entryType(field: GraphQLField<unknown, unknown>, plan: AttributePlan): GraphQLNamedType {
  const type = getNamedType(field.type);
  return plan.form === "connection" ? nodesType(type as GraphQLObjectType) : type;
}

/** The type of the entries of a collection. */
export function nodesType(collection: GraphQLObjectType): GraphQLObjectType {
  return getNamedType(collection.getFields()["nodes"]?.type) as GraphQLObjectType;
}

function entrySets(
  planning: RowPlanning,
  field: GraphQLField<unknown, unknown>,
  plan: AttributePlan,
  sets: readonly SelectionSetNode[],
): SelectionSetNode[] {
  if (plan.form !== "connection") return [...sets];
  return nodesSets(planning, getNamedType(field.type) as GraphQLObjectType, sets);
}

/** What is selected of the entries of a collection. */
export function nodesSets(
  context: SelectionContext,
  collection: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): SelectionSetNode[] {
  const nodes = collectFields(context, collection, sets).filter(({ name }) => name.value === "nodes");
  return [...selectionSetsOf(nodes)];
}

function populateOf(
  planning: RowPlanning,
  shape: Shape | undefined,
  key: string,
  { plan, args, type, sets }: Asked,
): WantedPopulate {
  const { attribute: name } = plan;
  const base = { name, ...(key === name ? {} : { alias: key }) };
  if (isUnionType(type)) return { ...base, wanted: NOTHING, on: planUnion(planning, type.getTypes(), sets) };
  const target = isObjectType(type) ? shapeOf(planning, type) : undefined;
  const wanted = isObjectType(type) ? planRows(planning, type, sets) : NOTHING;
  const list = readListArguments(planning, target ?? targetOf(planning, shape, name), args);
  return { ...base, ...list, wanted };
}

const NOTHING: Wanted = Object.freeze({ fields: [], populate: [] });

function planUnion(planning: RowPlanning, types: readonly GraphQLObjectType[], sets: readonly SelectionSetNode[]) {
  const on = new Map<string, Wanted>();
  for (const type of types) {
    const plan = typePlan(type);
    if (plan && "uid" in plan) on.set(plan.uid, planRows(planning, type, sets));
  }
  return on;
}

type Shape = ContentType | Component;

function shapeOf({ app }: RowPlanning, type: GraphQLObjectType): Shape | undefined {
  const plan = typePlan(type);
  if (plan?.kind === "entry") return app.model.contentTypes.get(plan.uid);
  return plan?.kind === "component" ? app.model.components.get(plan.uid) : undefined;
}

function targetOf({ app }: RowPlanning, shape: Shape | undefined, name: string): Shape | undefined {
  const attribute = shape?.attributes.get(name);
  return attribute && "target" in attribute ? app.model.contentTypes.get(attribute.target ?? "") : undefined;
}

const idFields = (shape: Shape | undefined) => idsOf(shape).map((name) => ({ name }));

/** What names a row, for whatever is read of it later. */
function idsOf(shape: Shape | undefined): readonly string[] {
  if (shape?.shape !== "content-type") return [];
  return shape.isLocalized ? ["documentId", "locale"] : ["documentId"];
}
