import { type Document, type PreparedRead, parseReadParams, type WantedRead } from "@plinth/core";
import { getNamedType, type GraphQLObjectType, type GraphQLResolveInfo } from "graphql";
import type { Arguments, GraphqlContext, Resolver } from "../contract.js";
import type { RootPlan } from "../plan.js";
import { collectFields, selectionSetsOf } from "./collect-fields.js";
import { listLimits } from "./limits.js";
import { listKeysOf } from "./list-keys.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { type PageInfo, pageInfoOf } from "./page-info.js";
import { nodesSets, nodesType, planRows, type RowPlanning } from "./plan-rows.js";
import { readRootArguments } from "./read-arguments.js";
import { noteVersion } from "./request-version.js";

/** A page of entries, as a collection type resolves it. */
export interface Collection {
  readonly nodes: readonly Document[];
  readonly pageInfo?: PageInfo;
}

/**
 * Answers a field of Query by one statement, all of its selection included.
 *
 * @throws PLINTH_QUERY_* (400)
 */
export function createReadResolver(tools: OperationTools, plan: RootPlan): Resolver {
  const type = typeOfPlan(tools, plan);
  return async (_parent: unknown, args: Arguments, context, info) => {
    const prepared = prepareRoot(tools, plan, args, { context, info });
    noteVersion(context.state, info, prepared.query.status);
    const result = await tools.app.documents(type.uid).read(prepared);
    if (plan.operation === "one") return result.rows()[0] ?? null;
    if (plan.operation === "list") return result.rows();
    const collection: Collection = { nodes: result.rows(), pageInfo: pageInfoOf(prepared.pagination, result.total) };
    return collection;
  };
}

/** A call of a resolver, without parent and arguments. */
export interface Call {
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** What a call plans rows with. */
export function planningOf({ app }: OperationTools, { context, info }: Call): RowPlanning {
  const { schema, fragments, variableValues } = info;
  return { app, schema, fragments, variableValues, keys: listKeysOf(context.state) };
}

/** What is selected of the entries that a root field returns. */
export function wantedOf(tools: OperationTools, plan: RootPlan, call: Call): WantedRead {
  const planning = planningOf(tools, call);
  const type = getNamedType(call.info.returnType) as GraphQLObjectType;
  const sets = selectionSetsOf(call.info.fieldNodes);
  const wanted =
    plan.operation === "connection"
      ? planRows(planning, nodesType(type), nodesSets(planning, type, sets))
      : planRows(planning, type, sets);
  return { ...wanted, limits: listLimits(tools.config, false) };
}

function prepareRoot(tools: OperationTools, plan: RootPlan, args: Arguments, call: Call): PreparedRead {
  const { model } = tools.app;
  const type = typeOfPlan(tools, plan);
  const { documentId } = args;
  const params = readRootArguments(model, type, args);
  return parseReadParams(model, type, params, {
    visibility: "public",
    ability: call.context.ability,
    kind: plan.operation === "one" ? "one" : "list",
    limits: listLimits(tools.config, isCounted(tools, plan, call)),
    defaultStatus: "published",
    wanted: wantedOf(tools, plan, call),
    ...(typeof documentId === "string" ? { documentId } : {}),
  });
}

/** Whether the number of all rows is asked for; counting them costs. */
function isCounted(tools: OperationTools, { operation }: RootPlan, call: Call): boolean {
  if (operation !== "connection") return false;
  const planning = planningOf(tools, call);
  const collection = getNamedType(call.info.returnType) as GraphQLObjectType;
  const pages = collectFields(planning, collection, selectionSetsOf(call.info.fieldNodes)).filter(
    ({ name }) => name.value === "pageInfo",
  );
  const pageInfo = collection.getFields()["pageInfo"];
  if (!pageInfo || pages.length === 0) return false;
  const asked = collectFields(planning, getNamedType(pageInfo.type) as GraphQLObjectType, selectionSetsOf(pages));
  return asked.some(({ name }) => name.value === "total" || name.value === "pageCount");
}
