import { isPlinthError } from "@plinth/core";
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
} from "graphql";
import type { Arguments, GraphqlContext } from "../contract.js";
import { fieldPlan, type RootPlan } from "../plan.js";
import { groupFields, type SelectionContext, selectionSetsOf } from "./collect-fields.js";
import { isGenerated } from "./generated-resolvers.js";
import { listLimits } from "./limits.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { type PageInfo, pageInfoOf } from "./page-info.js";
import { isPlainField, planRoot } from "./plan-selection.js";
import { asksForTotal, prepareRoot } from "./read-root.js";
import type { RequestAllowance } from "./request-allowance.js";
import { rootAction } from "./root-action.js";
import { selectText } from "./select-text.js";

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
}

/** Plans one field of Query. @returns undefined when the engine has to answer it, or report its errors */
export function planTextRoot(tools: OperationTools, asked: AskedRoot, context: GraphqlContext): TextRoot | undefined {
  try {
    return planTextField(tools, asked, context);
  } catch (error) {
    if (error instanceof GraphQLError || isPlinthError(error)) return undefined;
    throw error;
  }
}

function planTextField(tools: OperationTools, asked: AskedRoot, context: GraphqlContext): TextRoot | undefined {
  const { key, nodes, type } = asked;
  const [node] = nodes as readonly [FieldNode];
  if (node.name.value === "__typename")
    return { key, nodes, isRequired: true, isReusable: true, read: async () => JSON.stringify(type.name) };
  const field = type.getFields()[node.name.value];
  const plan = field && fieldPlan(field);
  if (!field || plan?.kind !== "root" || !isGenerated(field.resolve)) return undefined;
  if (!context.ability.can(rootAction(typeOfPlan(tools, plan), plan.operation))) return undefined;
  const args = getArgumentValues(field, node, asked.selection.variableValues);
  const root = { ...asked, field, plan, args };
  const collection = plan.operation === "connection" ? planCollection(root) : undefined;
  if (collection && !collection.isText) return undefined;
  const entries = prepareEntries(tools, root, context);
  if (!entries) return undefined;
  return {
    ...{ key, nodes, isRequired: isNonNullType(field.type), isReusable: !entries.prepared.hasRules },
    read: collection ? collectionReader(tools, root, entries, collection) : entriesReader(tools, root, entries),
  };
}

interface FoundRoot extends AskedRoot {
  readonly field: GraphQLField<unknown, unknown>;
  readonly plan: RootPlan;
  readonly args: Arguments;
}

interface Entries {
  readonly prepared: PreparedRead;
  /** Keys, as JSON, whose values must not be null: the schema has none for them. */
  readonly required: readonly string[];
}

function prepareEntries(tools: OperationTools, root: FoundRoot, context: GraphqlContext): Entries | undefined {
  const { selection, field, nodes, plan, args } = root;
  const place = { returnType: field.type, fieldNodes: nodes };
  const entries = planRoot({ app: tools.app, ...selection }, plan, place, context);
  if (!entries.isText) return undefined;
  const required = new Set<string>();
  const request = selectText(entries, required);
  const prepared = prepareRoot(tools, plan, args, {
    schema: selection.schema,
    ability: context.ability,
    isCounted: plan.operation === "connection" && asksForTotal(selection, place),
    selection: { ...request, limits: listLimits(tools.config, false) },
  });
  if (prepared.deniedFields.size > 0 || tools.app.documents(plan.uid).hasOutputHooks(prepared)) return undefined;
  return { prepared, required: [...required].map((key) => JSON.stringify(key)) };
}

// What a reader holds is kept with its plan: nothing of a request.
function entriesReader(tools: OperationTools, root: FoundRoot, entries: Entries): TextRoot["read"] {
  return async (allowance) => (await readEntries(tools, root, entries, allowance))?.text;
}

async function readEntries(
  tools: OperationTools,
  { plan }: FoundRoot,
  { prepared, required }: Entries,
  allowance: RequestAllowance,
) {
  const { text, total } = await allowance.read(tools.app.documents(plan.uid), prepared);
  return hasNull(text, required) ? undefined : { text, total };
}

/** Nulls are looked for first, and then their keys: a text has fewer nulls than beginnings of a key. */
function hasNull(text: string, keys: readonly string[]): boolean {
  if (keys.length === 0) return false;
  for (let at = text.indexOf(NULL); at >= 0; at = text.indexOf(NULL, at + NULL.length))
    if (keys.some((key) => text.endsWith(key, at))) return true;
  return false;
}

const NULL = ":null";

interface CollectionPlan {
  readonly type: GraphQLObjectType;
  readonly groups: readonly (readonly [key: string, nodes: readonly FieldNode[]])[];
  /** Whether it is put together from one list of entries and what is known of its page. */
  readonly isText: boolean;
}

function planCollection({ selection, field, nodes }: FoundRoot): CollectionPlan {
  const type = getNamedType(field.type) as GraphQLObjectType;
  const groups = [...groupFields(selection, type, selectionSetsOf(nodes))];
  const lists = groups.filter(([, [node]]) => node?.name.value === "nodes");
  const isPlain = groups.every(([, [node]]) => isPlainField(type.getFields()[node?.name.value ?? ""]));
  const isText = lists.length <= 1 && isPlain && isObjectType(getNamedType(type.getFields()["nodes"]?.type));
  return { type, groups, isText };
}

/** A collection is put together from the text of its entries and the place of its page. */
function collectionReader(
  tools: OperationTools,
  root: FoundRoot,
  entries: Entries,
  { type, groups }: CollectionPlan,
): TextRoot["read"] {
  return async (allowance) => {
    const result = await readEntries(tools, root, entries, allowance);
    if (!result) return undefined;
    const pageInfo = pageInfoOf(entries.prepared.pagination, result.total);
    const members = groups.map(([key, nodes]) => [key, memberOf(root, type, nodes, { text: result.text, pageInfo })]);
    return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
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
