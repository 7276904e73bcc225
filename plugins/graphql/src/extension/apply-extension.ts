import { type App, describeKnown } from "@plinth/core";
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
} from "graphql";
import type { GraphqlContext, Resolver } from "../contract.js";
import { rootAction } from "../operations/root-action.js";
import { fieldPlan, typePlan } from "../plan.js";
import { markCredentialFree } from "../server/credential-free.js";
import { bindConfig } from "./bind-guards.js";
import { guardResolver } from "./guard-field.js";
import type { MergedConfig, MergedExtension } from "./merge-extensions.js";

type Field = GraphQLField<unknown, GraphqlContext>;

const NO_CONFIG: MergedConfig = { middlewares: [], needs: [] };

/**
 * Gives the fields of a schema the resolvers of extensions, and wraps every guarded field:
 * those of Query and Mutation, and those that an extension has a config for.
 *
 * @returns what names a type, field, policy or middleware that does not exist
 */
export function applyExtension(schema: GraphQLSchema, extension: MergedExtension, app: App): readonly string[] {
  const problems: string[] = [];
  for (const [name, resolver] of extension.resolvers) replaceResolver(schema, name, resolver, problems);
  const guarded = new Set(rootNames(schema));
  for (const name of extension.configs.keys()) guarded.add(name);
  for (const name of guarded) {
    const found = findField(schema, name, `resolversConfig["${name}"]`, problems);
    if (!found) continue;
    const { type, field } = found;
    const config = extension.configs.get(name) ?? NO_CONFIG;
    if (config.auth && config.auth.expired === "public") markCredentialFree(field);
    if (config.needs.length > 0) problems.push(...declareNeeds(app, name, found, config.needs));
    field.resolve = guardResolver(resolverOf(field), {
      auth: config.auth,
      action: actionOf(app, found),
      isRoot: type === schema.getQueryType() || type === schema.getMutationType(),
      ...bindConfig(app, name, config, problems),
    });
  }
  return problems;
}

function rootNames(schema: GraphQLSchema): readonly string[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    type ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );
}

/** A replaced field has no plan: the read stops above it. Its action stays. */
function replaceResolver(schema: GraphQLSchema, name: string, resolver: Resolver, problems: string[]): void {
  const [typeName = "", fieldName = ""] = name.split(".");
  const type = schema.getType(typeName);
  if (isAbstractType(type) && fieldName === "__resolveType") {
    type.resolveType = (value, context, info) => resolver(value, {}, context, info) as string;
    return;
  }
  const found = findField(schema, name, `resolvers.${name}`, problems);
  if (!found) return;
  found.field.resolve = resolver;
  if (fieldPlan(found.field)?.kind !== "attribute") return;
  const { plinth: _plan, ...rest } = found.field.extensions;
  found.field.extensions = rest;
}

interface Found {
  readonly type: GraphQLObjectType;
  readonly field: Field;
}

function findField(schema: GraphQLSchema, name: string, where: string, problems: string[]): Found | undefined {
  const [typeName = "", fieldName = "", ...rest] = name.split(".");
  const type = schema.getType(typeName);
  if (!isObjectType(type) || rest.length > 0) {
    const known = Object.values(schema.getTypeMap()).filter(
      (each) => isObjectType(each) && !each.name.startsWith("__"),
    );
    const names = known.map((each) => each.name);
    problems.push(`${where}: there is no type "${typeName}" with resolvers. ${describeKnown(typeName, names)}`);
    return undefined;
  }
  const field = type.getFields()[fieldName];
  if (field) return { type, field };
  const known = Object.keys(type.getFields());
  problems.push(`${where}: ${typeName} has no field "${fieldName}". ${describeKnown(fieldName, known)}`);
  return undefined;
}

function resolverOf({ resolve }: Field): Resolver {
  // Both have the parent and the arguments of the field that they stand on.
  return (resolve ?? defaultFieldResolver) as Resolver;
}

/** The action for a generated field: the action of a root field, and `find` on the target of a relation. */
function actionOf(app: App, { field }: Found): string | undefined {
  const plan = fieldPlan(field);
  if (plan?.kind === "root") {
    const type = app.model.contentTypes.get(plan.uid);
    return type && rootAction(type, plan.operation);
  }
  const named = getNamedType(field.type);
  const target = plan && isObjectType(named) ? typePlan(named) : undefined;
  return target?.kind === "entry" || target?.kind === "collection" ? `${target.uid}.find` : undefined;
}

/** Lets the read above the field fetch them. */
function declareNeeds(app: App, name: string, { type, field }: Found, needs: readonly string[]): readonly string[] {
  field.extensions = { ...field.extensions, plinthNeeds: needs };
  const plan = typePlan(type);
  const uid = plan && "uid" in plan ? plan.uid : "";
  const shape = app.model.contentTypes.get(uid) ?? app.model.components.get(uid);
  const system = shape && "systemFields" in shape ? [...shape.systemFields.keys()] : [];
  const known = [...(shape?.attributes.keys() ?? []), ...system];
  return needs
    .filter((need) => !known.includes(need))
    .map(
      (need) =>
        `resolversConfig["${name}"].needs: ${type.name} has no attribute "${need}". ${describeKnown(need, known)}`,
    );
}
