import type { Ability, Document } from "@plinth/core";
import { type PreparedRead, parseReadParams, type ReadSelection } from "@plinth/core/reads";
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
} from "graphql";
import type { Arguments, GraphqlContext, Resolver } from "../contract.js";
import { requestOf } from "../graphql-context.js";
import type { RootPlan } from "../plan.js";
import { collectFields, type SelectionContext, selectionSetsOf } from "./collect-fields.js";
import { markGenerated } from "./generated-resolvers.js";
import { listLimits } from "./limits.js";
import { argumentAliasesOf } from "./argument-aliases.js";
import { reasonsOf } from "./missing-reasons.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { type PageInfo, pageInfoOf } from "./page-info.js";
import { planRoot, type Planning, type RootField } from "./plan-selection.js";
import { readRootArguments } from "./read-arguments.js";
import { noteVersion } from "./request-version.js";
import { selectRows } from "./select-rows.js";

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
  return markGenerated(async (_parent: unknown, args: Arguments, context, info) => {
    const prepared = prepareRead(tools, plan, args, { context, info });
    noteVersion(context.state, info, prepared.query.status);
    const result = await requestOf(context).allowance.read(tools.app.documents(type.uid), prepared);
    if (plan.operation === "one") return result.rows()[0] ?? null;
    if (plan.operation === "list") return result.rows();
    const collection: Collection = { nodes: result.rows(), pageInfo: pageInfoOf(prepared.pagination, result.total) };
    return collection;
  });
}

/** A call of a resolver, without parent and arguments. */
export interface Call {
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** What a call plans selections with. */
export function planningOf({ app }: OperationTools, { info }: Call): Planning {
  const { schema, fragments, variableValues } = info;
  return { app, schema, fragments, variableValues };
}

/** What is selected of the entries that a root field returns. */
export function selectionOf(tools: OperationTools, plan: RootPlan, call: Call): ReadSelection {
  const { app, config } = tools;
  const entries = planRoot(planningOf(tools, call), plan, call.info, call.context);
  const request = selectRows({ app, keys: argumentAliasesOf(call.context.state) }, entries);
  return { ...request, limits: listLimits(config, false) };
}

function prepareRead(tools: OperationTools, plan: RootPlan, args: Arguments, call: Call): PreparedRead {
  const isCounted = plan.operation === "connection" && asksForTotal(planningOf(tools, call), call.info);
  const { ability, state } = call.context;
  const prepared = prepareRoot(tools, plan, args, {
    schema: call.info.schema,
    ability,
    isCounted,
    selection: selectionOf(tools, plan, call),
  });
  reasonsOf(state).note(prepared.deniedFields);
  return prepared;
}

/** What a read of a root field depends on beside its arguments. */
export interface RootRead {
  readonly schema: GraphQLSchema;
  readonly ability: Ability;
  readonly isCounted: boolean;
  readonly selection: ReadSelection;
}

/** The read of a root field. @throws PLINTH_QUERY_* (400) */
export function prepareRoot(tools: OperationTools, plan: RootPlan, args: Arguments, read: RootRead): PreparedRead {
  const { model } = tools.app;
  const { documentId } = args;
  const type = typeOfPlan(tools, plan);
  return parseReadParams(model, type, readRootArguments({ app: tools.app, schema: read.schema }, type, args), {
    visibility: "public",
    budget: tools.app.readBudget,
    ability: read.ability,
    kind: plan.operation === "one" ? "one" : "list",
    limits: listLimits(tools.config, read.isCounted),
    defaultStatus: "published",
    // The fault of a field is an error at the path of that field.
    selection: { ...read.selection, leavesOutFaults: true },
    ...(typeof documentId === "string" ? { documentId } : {}),
  });
}

/** Whether the number of all rows is asked for; counting them costs. */
export function asksForTotal(context: SelectionContext, { returnType, fieldNodes }: RootField): boolean {
  const collection = getNamedType(returnType) as GraphQLObjectType;
  const pageInfo = collection.getFields()["pageInfo"];
  const pages = collectFields(context, collection, selectionSetsOf(fieldNodes)).filter(isNamed("pageInfo"));
  if (!pageInfo || pages.length === 0) return false;
  const asked = collectFields(context, getNamedType(pageInfo.type) as GraphQLObjectType, selectionSetsOf(pages));
  return asked.some(isNamed("total", "pageCount"));
}

const isNamed =
  (...names: readonly string[]) =>
  ({ name }: FieldNode): boolean =>
    names.includes(name.value);
