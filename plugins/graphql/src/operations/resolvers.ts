import type { Arguments, Resolver } from "../contract.js";
import { type AttributePlan, type Resolvers, type RootPlan, typePlan } from "../plan.js";
import { argumentAliasesOf } from "./argument-aliases.js";
import { markGenerated } from "./generated-resolvers.js";
import { loadAttribute, type MissingAttribute } from "./load-attribute.js";
import { reasonsOf } from "./missing-reasons.js";
import type { OperationTools } from "./operation-tools.js";
import { createReadResolver } from "./read-root.js";
import { createCreateResolver, createDeleteResolver, createUpdateResolver } from "./write-root.js";

const ROOTS: Readonly<Record<RootPlan["operation"], (tools: OperationTools, plan: RootPlan) => Resolver>> = {
  one: createReadResolver,
  list: createReadResolver,
  connection: createReadResolver,
  create: createCreateResolver,
  update: createUpdateResolver,
  delete: createDeleteResolver,
};

/**
 * The resolvers of the generated fields of an app's schema. Permissions are checked before; see
 * rootAction.
 */
export function createResolvers(app: OperationTools["app"], config: OperationTools["config"]): Resolvers {
  const tools: OperationTools = { app, config };
  return {
    root: (plan) => ROOTS[plan.operation](tools, plan),
    attribute: (plan) => createAttributeResolver(tools, plan),
    typeOf: (item) => {
      const { __component, __type } = item as { readonly __component?: string; readonly __type?: string };
      return __component ?? __type;
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Answers a field of an entry or component from the row that the root field read. A missing value is read by a
 * statement of its own: below fields of the app's own, and where a middleware changed the arguments.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for what the actor may not see, PLINTH_QUERY_* (400) for what is asked in a wrong way
 * @source plugins/content-api/WIRE.md#graphql-errors
 */
function createAttributeResolver(tools: OperationTools, plan: AttributePlan): Resolver {
  const { attribute, form } = plan;
  if (form === "scalar")
    return markGenerated((parent: Row, args: Arguments, context, info) => {
      const value = parent[attribute];
      return value === undefined ? missing(tools, attribute, { plan, parent, args, call: { context, info } }) : value;
    });
  const shaped = form === "connection" ? (value: unknown) => (value === null ? null : { nodes: value }) : same;
  return markGenerated((parent: Row, args: Arguments, context, info) => {
    const key = argumentAliasesOf(context.state).keyOf(plan, args);
    const value = parent[key];
    if (value !== undefined) return shaped(value);
    return missing(tools, key, { plan, parent, args, call: { context, info } }).then(shaped);
  });
}

const same = (value: unknown): unknown => value;

/** @param key - what the row would hold it under. */
async function missing(
  tools: OperationTools,
  key: string,
  asked: Omit<MissingAttribute, "uid" | "documentId">,
): Promise<unknown> {
  const type = typePlan(asked.call.info.parentType);
  const { documentId } = asked.parent;
  if (type?.kind !== "entry") throw reasonsOf(asked.call.context.state).of(key);
  return typeof documentId === "string" ? await loadAttribute(tools, { ...asked, uid: type.uid, documentId }) : null;
}
