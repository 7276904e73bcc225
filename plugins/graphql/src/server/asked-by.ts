import type { App } from "@plinth/core";
import type { GraphQLError, GraphQLSchema } from "graphql";
import { rootAction } from "../operations/root-action.js";
import { fieldPlan } from "../plan.js";

/**
 * What a field needed that failed: the action of a generated field of Query or Mutation, `api::note.note.create`; of another
 * one its name, `Mutation.login`, and of a field below it `author`.
 *
 * @param operation - of the document: `query` or `mutation`.
 * @returns undefined for an error of no field
 */
export function askedBy(
  { model }: App,
  schema: GraphQLSchema,
  { path, nodes }: GraphQLError,
  operation: string | undefined,
): string | undefined {
  const node = nodes?.[0];
  if (!path || node?.kind !== "Field") return undefined;
  const name = node.name.value;
  if (path.length > 1) return name;
  const root = operation === "mutation" ? schema.getMutationType() : schema.getQueryType();
  const field = root?.getFields()[name];
  const plan = field && fieldPlan(field);
  const type = plan?.kind === "root" ? model.contentTypes.get(plan.uid) : undefined;
  return type && plan?.kind === "root" ? rootAction(type, plan.operation) : `${root?.name}.${name}`;
}
