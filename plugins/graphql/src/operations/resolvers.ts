import type { Resolver } from "../contract.js";
import type { Resolvers, RootPlan } from "../plan.js";
import { createAttributeResolver } from "./attribute-resolver.js";
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
