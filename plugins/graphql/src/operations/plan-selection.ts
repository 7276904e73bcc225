import type { App } from "@plinth/core";
import type { Component, ContentType } from "@plinth/core/schema";
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getArgumentValues,
  getNamedType,
  isEnumType,
  isObjectType,
  isUnionType,
  type SelectionSetNode,
} from "graphql";
import type { Arguments, GraphqlContext } from "../contract.js";
import { type AttributePlan, fieldPlan, type RootPlan, typePlan } from "../plan.js";
import { collectFields, groupFields, type SelectionContext, selectionSetsOf } from "./collect-fields.js";
import { isGenerated } from "./generated-resolvers.js";
import { type ListArguments, readListArguments } from "./read-arguments.js";

/** What a selection is planned with. */
export interface Planning extends SelectionContext {
  readonly app: App;
}

/** What is selected of an object. */
export interface SelectionPlan {
  readonly type: GraphQLObjectType;
  /** What the type stands for. */
  readonly shape: Shape | undefined;
  /** In the order of the answer. */
  readonly fields: readonly PlannedField[];
  /**
   * Whether PostgreSQL can write the answer. It cannot where there is a field of the app's own, a replaced or guarded
   * resolver, a polymorphic relation, an enum whose names are not its values, a key that is too long for a column.
   */
  readonly isText: boolean;
}

/** One key of an answer. */
export interface PlannedField extends Pick<SelectionPlan, "isText"> {
  readonly key: string;
  /** Undefined for `__typename`. */
  readonly field: Field | undefined;
  /** Undefined for fields of the app's own. */
  readonly plan: AttributePlan | undefined;
  /** Of anything but a scalar. */
  readonly holder?: HolderPlan;
}

/** What is selected of the entries of a relation, media, component or zone. */
export interface HolderPlan extends Pick<SelectionPlan, "isText"> {
  /** Of the entries, their union, or the connection around them. */
  readonly type: GraphQLNamedType;
  readonly args: Arguments;
  /** The same arguments in the grammar of requests. */
  readonly list: ListArguments;
  /** One for each type of a union; of a connection one for each key that has `nodes`. */
  readonly entries: readonly SelectionPlan[];
  /** The keys of a connection in the answer; those of other fields than `nodes` have no entry. */
  readonly members?: readonly { readonly key: string; readonly entry: SelectionPlan | undefined }[];
}

type Field = GraphQLField<unknown, unknown>;
type Shape = ContentType | Component;

/**
 * Names of columns may have so many bytes.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
const MAX_KEY_BYTES = 63;

/** Plans what selections ask of an object: for an answer as text (selectText) and for rows (selectRows). */
function planSelection(planning: Planning, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectionPlan {
  const shape = shapeOf(planning, type);
  const fields: PlannedField[] = [];
  for (const nodes of groupFields(planning, type, sets).values()) fields.push(planField(planning, type, nodes));
  const isText = fields.every((field) => field.isText && Buffer.byteLength(field.key) <= MAX_KEY_BYTES);
  return { type, shape, fields, isText };
}

/** Plans one field of a type, by its nodes of one key. @param args - in place of those in the document */
export function planField(
  planning: Planning,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  args?: Arguments,
): PlannedField {
  const [node] = nodes as readonly [FieldNode];
  const key = node.alias?.value ?? node.name.value;
  const field = type.getFields()[node.name.value];
  const plan = field && fieldPlan(field);
  if (!field || plan?.kind !== "attribute") return { key, field, plan: undefined, isText: !field };
  const isPlain = isGenerated(field.resolve);
  if (plan.form === "scalar") return { key, field, plan, isText: isPlain && hasWireNames(field) };
  const given = args ?? getArgumentValues(field, node, planning.variableValues);
  const holder = planHolder(planning, { field, plan, shape: shapeOf(planning, type) }, nodes, given);
  return { key, field, plan, holder, isText: isPlain && holder.isText };
}

/** Whether the names of an enum are its values. */
function hasWireNames({ type }: Field): boolean {
  const named = getNamedType(type);
  return !isEnumType(named) || named.getValues().every(({ name, value }) => name === value);
}

type Entries = Pick<HolderPlan, "entries" | "members" | "isText">;

function planHolder(planning: Planning, { field, plan, shape }: Holder, nodes: readonly FieldNode[], args: Arguments) {
  const type = getNamedType(field.type);
  const { entries, ...rest } = planEntries(planning, type, plan, selectionSetsOf(nodes));
  const target = isUnionType(type) ? undefined : (entries[0]?.shape ?? targetOf(planning, shape, plan.attribute));
  const list = isUnionType(type) ? {} : readListArguments(planning, target, args);
  return { type, args, list, entries, ...rest };
}

interface Holder {
  readonly field: Field;
  readonly plan: AttributePlan;
  /** Of the object that has the field. */
  readonly shape: Shape | undefined;
}

function planEntries(
  planning: Planning,
  type: GraphQLNamedType,
  { form }: AttributePlan,
  sets: readonly SelectionSetNode[],
): Entries {
  if (isObjectType(type) && form === "connection") return planConnection(planning, type, sets);
  const types = isUnionType(type)
    ? type.getTypes().filter((each) => shapeOf(planning, each))
    : [type].filter(isObjectType);
  const entries = types.map((each) => planSelection(planning, each, sets));
  const isKnown = isUnionType(type) || isObjectType(type);
  return { entries, isText: isKnown && form !== "morph" && areText(entries) };
}

const areText = (plans: readonly SelectionPlan[]) => plans.every(({ isText }) => isText);

/** A connection holds its entries as `nodes`; each alias of `nodes` is a list of its own in the answer. */
function planConnection(planning: Planning, collection: GraphQLObjectType, sets: readonly SelectionSetNode[]): Entries {
  const type = nodesType(collection);
  const members: { key: string; entry: SelectionPlan | undefined }[] = [];
  let isText = isPlainField(collection.getFields()[NODES]);
  for (const [key, nodes] of groupFields(planning, collection, sets)) {
    const name = nodes[0]?.name.value;
    const entry = name === NODES ? planSelection(planning, type, selectionSetsOf(nodes)) : undefined;
    members.push({ key, entry });
    isText &&= entry ? entry.isText : name === "__typename";
  }
  const entries = members.flatMap(({ entry }) => entry ?? []);
  return { entries: entries.length > 0 ? entries : [planSelection(planning, type, [])], members, isText };
}

const NODES = "nodes";

/** Whether a field of a collection is read by its name. */
export function isPlainField(field: Field | undefined): boolean {
  return field?.resolve === undefined || field.resolve === defaultFieldResolver;
}

/** The type of the entries of a collection. */
function nodesType(collection: GraphQLObjectType): GraphQLObjectType {
  return getNamedType(collection.getFields()[NODES]?.type) as GraphQLObjectType;
}

/** A field of Query or Mutation in a document. */
export interface RootField {
  readonly returnType: GraphQLOutputType;
  readonly fieldNodes: readonly FieldNode[];
}

const rootPlans = new WeakMap<GraphqlContext, Map<FieldNode, SelectionPlan>>();

/** Plans what is selected of the entries that a root field returns; once a request. */
export function planRoot(
  planning: Planning,
  { operation }: RootPlan,
  { returnType, fieldNodes }: RootField,
  context: GraphqlContext,
): SelectionPlan {
  const plans = rootPlans.get(context) ?? new Map<FieldNode, SelectionPlan>();
  rootPlans.set(context, plans);
  const [node] = fieldNodes as readonly [FieldNode];
  const known = plans.get(node);
  if (known) return known;
  const type = getNamedType(returnType) as GraphQLObjectType;
  const sets = selectionSetsOf(fieldNodes);
  const plan =
    operation === "connection"
      ? planSelection(planning, nodesType(type), nodesSets(planning, type, sets))
      : planSelection(planning, type, sets);
  plans.set(node, plan);
  return plan;
}

function nodesSets(planning: Planning, collection: GraphQLObjectType, sets: readonly SelectionSetNode[]) {
  return selectionSetsOf(collectFields(planning, collection, sets).filter(({ name }) => name.value === NODES));
}

/** What a type stands for. */
export function shapeOf({ app }: Planning, type: GraphQLObjectType): Shape | undefined {
  const plan = typePlan(type);
  if (plan?.kind === "entry") return app.model.contentTypes.get(plan.uid);
  return plan?.kind === "component" ? app.model.components.get(plan.uid) : undefined;
}

/** The type that an attribute leads to, for a field whose type does not say. */
function targetOf({ app }: Planning, shape: Shape | undefined, name: string): Shape | undefined {
  const attribute = shape?.attributes.get(name);
  return attribute && "target" in attribute ? app.model.contentTypes.get(attribute.target ?? "") : undefined;
}
