import type { Component, ContentType } from "@plinth/core/schema";
import nexus from "nexus";
import { relationCollectionName, rootCollectionName, typeName } from "../names.js";
import type { TypePlan } from "../plan.js";
import { DELETED } from "./fixed-types.js";
import type { Generation } from "./generation.js";
import { type OutputField, outputFields } from "./output-fields.js";
import { hasOperation } from "./root-fields.js";

/** The type of a content-type or component. */
export function entryType(generation: Generation, shape: ContentType | Component) {
  const name = typeName(shape);
  generation.names.claim(name, shape.uid);
  const fields = outputFields(generation, shape);
  checkFieldNames(generation, shape, fields);
  const isDeletable = shape.shape === "content-type" && hasOperation(generation, shape, "delete");
  return nexus.objectType({
    name,
    description: describe(shape),
    extensions: { plinth: planOf(shape) },
    definition(t) {
      if (isDeletable) t.implements(DELETED);
      for (const { name: field, type, args, attribute, form } of fields) {
        const plan = { kind: "attribute", attribute, form } as const;
        const resolve = generation.resolvers.attribute(plan);
        t.field(field, { type, args, extensions: { plinth: plan }, resolve });
      }
    },
  });
}

function planOf({ shape, uid }: ContentType | Component): TypePlan {
  return { kind: shape === "component" ? "component" : "entry", uid };
}

function describe(shape: ContentType | Component): string {
  if (shape.shape === "component") return `The component ${shape.displayName}.`;
  return shape.kind === "singleType"
    ? `The one document of ${shape.displayName}.`
    : `A document of ${shape.displayName}.`;
}

function checkFieldNames(
  { names }: Generation,
  { uid }: ContentType | Component,
  fields: readonly OutputField[],
): void {
  const owners = new Map<string, string>();
  for (const { name, attribute } of fields) {
    const other = owners.get(name);
    if (other !== undefined) names.clash(`${uid}.${name}`, `its attribute ${attribute}`, `its attribute ${other}`);
    owners.set(name, attribute);
  }
}

/** What lists of a content-type answer with: at the root with `pageInfo`, below it without. */
export function collectionTypes({ names }: Generation, type: ContentType) {
  const plan: TypePlan = { kind: "collection", uid: type.uid };
  const make = (name: string, hasPages: boolean) => {
    names.claim(name, `the lists of ${type.uid}`);
    return nexus.objectType({
      name,
      extensions: { plinth: plan },
      definition(t) {
        t.field("nodes", { type: nexus.nonNull(nexus.list(nexus.nonNull(typeName(type)))) });
        if (hasPages) t.field("pageInfo", { type: nexus.nonNull("Pagination") });
      },
    });
  };
  return [make(rootCollectionName(type), true), make(relationCollectionName(type), false)];
}
