import { type Ability, isPlinthError } from "@plinth/core";
import type { PreparedRead } from "@plinth/core/reads";
import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from "graphql";
import type { Arguments } from "../contract.js";
import { fieldPlan, type RootPlan } from "../plan.js";
import { type SelectionContext, selectionSetsOf } from "./collect-fields.js";
import { isGenerated } from "./generated-resolvers.js";
import { listLimits } from "./limits.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { type PageInfo, pageInfoOf } from "./page-info.js";
import { groupFields, isPlainField, planText } from "./plan-text.js";
import { asksForTotal, prepareRoot } from "./read-root.js";
import type { RequestAllowance } from "./request-allowance.js";
import { rootAction } from "./root-action.js";

/** One field of Query whose value PostgreSQL writes. */
export interface TextRoot {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  /** Whether the schema has no null for it. */
  readonly isRequired: boolean;
  /** Whether the same document, variables and ability make the same plan again. */
  readonly isReusable: boolean;
  /** JSON of the value; undefined when there is a null where none may be. */
  read(allowance: RequestAllowance): Promise<string | undefined>;
}

/** A field of Query as a document asks for it. */
export interface AskedRoot {
  readonly selection: SelectionContext;
  readonly type: GraphQLObjectType;
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly ability: Ability;
}

/** Plans one field of Query. @returns undefined when the engine has to answer it, if only to say what is wrong */
export function planTextRoot(tools: OperationTools, asked: AskedRoot): TextRoot | undefined {
  try {
    return planRoot(tools, asked);
  } catch (error) {
    if (error instanceof GraphQLError || isPlinthError(error)) return undefined;
    throw error;
  }
}

function planRoot(tools: OperationTools, asked: AskedRoot): TextRoot | undefined {
  const { key, nodes, type, ability } = asked;
  const [node] = nodes as readonly [FieldNode];
  if (node.name.value === "__typename")
    return { key, nodes, isRequired: true, isReusable: true, read: async () => JSON.stringify(type.name) };
  const field = type.getFields()[node.name.value];
  const plan = field && fieldPlan(field);
  if (!field || plan?.kind !== "root" || !isGenerated(field.resolve)) return undefined;
  if (!ability.can(rootAction(typeOfPlan(tools, plan), plan.operation))) return undefined;
  const args = getArgumentValues(field, node, asked.selection.variableValues);
  return plan.operation === "connection"
    ? planCollection(tools, { ...asked, field, plan, args })
    : planEntries(tools, { ...asked, field, plan, args });
}

interface FoundRoot extends AskedRoot {
  readonly field: GraphQLField<unknown, unknown>;
  readonly plan: RootPlan;
  readonly args: Arguments;
}

function planEntries(tools: OperationTools, root: FoundRoot): TextRoot | undefined {
  const type = getNamedType(root.field.type) as GraphQLObjectType;
  const entries = prepareEntries(tools, root, type, selectionSetsOf(root.nodes));
  if (!entries) return undefined;
  const isReusable = !entries.prepared.hasRules;
  return {
    ...placeOf(root),
    isReusable,
    read: async (allowance) => (await readEntries(tools, root, entries, allowance))?.text,
  };
}

const placeOf = ({ key, nodes, field }: FoundRoot) => ({ key, nodes, isRequired: isNonNullType(field.type) });

interface Entries {
  readonly prepared: PreparedRead;
  /** What must not be in the text: a null where the schema has none. */
  readonly nulls: readonly string[];
}

function prepareEntries(
  tools: OperationTools,
  { selection, field, nodes, plan, args, ability }: FoundRoot,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Entries | undefined {
  const required = new Set<string>();
  const wanted = planText({ app: tools.app, ...selection, required }, type, sets);
  if (!wanted) return undefined;
  const isCounted =
    plan.operation === "connection" && asksForTotal(selection, { returnType: field.type, fieldNodes: [...nodes] });
  const read = {
    schema: selection.schema,
    ability,
    isCounted,
    wanted: { ...wanted, limits: listLimits(tools.config, false) },
  };
  const prepared = prepareRoot(tools, plan, args, read);
  if (prepared.refused.size > 0 || !tools.app.documents(plan.uid).isUntouched(prepared)) return undefined;
  return { prepared, nulls: [...required].map((key) => `${JSON.stringify(key)}:null`) };
}

async function readEntries(
  tools: OperationTools,
  { plan }: FoundRoot,
  { prepared, nulls }: Entries,
  allowance: RequestAllowance,
) {
  const { text, total } = await allowance.read(tools.app.documents(plan.uid), prepared);
  return nulls.some((key) => text.includes(key)) ? undefined : { text, total };
}

/** A collection is put together from the text of its entries and the place of its page. */
function planCollection(tools: OperationTools, root: FoundRoot): TextRoot | undefined {
  const type = getNamedType(root.field.type) as GraphQLObjectType;
  const groups = [...groupFields(root.selection, type, selectionSetsOf(root.nodes))];
  const lists = groups.filter(([, [node]]) => node?.name.value === "nodes");
  const entry = getNamedType(type.getFields()["nodes"]?.type);
  const isPlain = groups.every(([, [node]]) => isPlainField(type.getFields()[node?.name.value ?? ""]));
  if (lists.length > 1 || !isPlain || !isObjectType(entry)) return undefined;
  const entries = prepareEntries(
    tools,
    root,
    entry,
    lists.flatMap(([, nodes]) => selectionSetsOf(nodes)),
  );
  if (!entries) return undefined;
  return {
    ...placeOf(root),
    isReusable: !entries.prepared.hasRules,
    read: async (allowance) => {
      const result = await readEntries(tools, root, entries, allowance);
      if (!result) return undefined;
      const pageInfo = pageInfoOf(entries.prepared.pagination, result.total);
      const members = groups.map(([key, nodes]) => [key, memberOf(root, type, nodes, { text: result.text, pageInfo })]);
      return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
    },
  };
}

function memberOf(
  { selection }: FoundRoot,
  collection: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { text, pageInfo }: { readonly text: string; readonly pageInfo: PageInfo },
): string {
  const name = nodes[0]?.name.value;
  if (name === "nodes") return text;
  if (name === "__typename") return JSON.stringify(collection.name);
  const type = getNamedType(collection.getFields()["pageInfo"]?.type) as GraphQLObjectType;
  const values: Readonly<Record<string, unknown>> = { ...pageInfo, __typename: type.name };
  const groups = [...groupFields(selection, type, selectionSetsOf(nodes))];
  return JSON.stringify(Object.fromEntries(groups.map(([key, [node]]) => [key, values[node?.name.value ?? ""]])));
}
