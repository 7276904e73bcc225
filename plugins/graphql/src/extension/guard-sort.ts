import type { Component, ContentModel, ContentType } from "@plinth/core";
import { type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from "graphql";
import type { GraphqlContext, Resolver } from "../contract.js";
import { HiddenSortError } from "../errors.js";
import { fieldPlan, type ShadowRules, typePlan } from "../plan.js";

type Shape = ContentType | Component;
type Field = GraphQLField<unknown, GraphqlContext>;

/**
 * Keeps lists from being sorted by what cannot be filtered by: the order of rows tells values as well as a filter does.
 * To be called where extensions switched something off; elsewhere nothing stands around the lists.
 */
export function guardSorts(schema: GraphQLSchema, model: ContentModel, rules: ShadowRules): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const shape = sortedShape(field, model);
      if (shape) field.resolve = guardSort(field.resolve as Resolver, shape, { model, rules });
    }
  }
}

/** What a generated list has in it; undefined for other fields. */
function sortedShape(field: Field, { contentTypes, components }: ContentModel): Shape | undefined {
  if (!fieldPlan(field) || !field.args.some(({ name }) => name === "sort")) return undefined;
  const named = getNamedType(field.type);
  const plan = isObjectType(named) ? typePlan(named) : undefined;
  return plan && "uid" in plan ? (contentTypes.get(plan.uid) ?? components.get(plan.uid)) : undefined;
}

interface Hiding {
  readonly model: ContentModel;
  readonly rules: ShadowRules;
}

/** @throws PLINTH_GRAPHQL_SORT_HIDDEN (400) from the resolver it returns */
function guardSort(resolver: Resolver, shape: Shape, hiding: Hiding): Resolver {
  return (parent, args: { readonly sort?: unknown }, context, info) => {
    for (const path of pathsOf(args.sort)) assertSortable(path, shape, hiding);
    return resolver(parent, args, context, info);
  };
}

/** `["author.name:desc,title"]` is `[["author", "name"], ["title"]]`. */
function pathsOf(sort: unknown): readonly (readonly string[])[] {
  const texts = (Array.isArray(sort) ? sort : [sort]).filter((text) => typeof text === "string");
  return texts.flatMap((text) =>
    text.split(",").map((each) => (each.split(":")[0] ?? "").split(".").map((name) => name.trim())),
  );
}

function assertSortable(path: readonly string[], root: Shape, { model, rules }: Hiding): void {
  let shape: Shape | undefined = root;
  for (const name of path) {
    if (!shape) return;
    if (!rules.type(shape.uid).isEnabled || !rules.field(shape.uid, name).hasFilters) {
      throw new HiddenSortError({ key: name, path: path.join("."), source: "query", param: "sort" });
    }
    shape = targetOf(shape, name, model);
  }
}

function targetOf(shape: Shape, name: string, { contentTypes, components }: ContentModel): Shape | undefined {
  const attribute = shape.attributes.get(name);
  if (attribute?.kind === "component") return components.get(attribute.component);
  return attribute && "target" in attribute ? contentTypes.get(attribute.target ?? "") : undefined;
}
