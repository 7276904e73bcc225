import type { JsonSchema } from "@plinth/core/http";
import { type Attribute, type Component, type ContentType, isScalarKind, traitsOf } from "@plinth/core/schema";
import { nullable, orNull, outputSchema } from "./scalar-schema.js";

/** Whether answers can have an attribute. */
export function isShown(attribute: Attribute): boolean {
  if (attribute.isPrivate) return false;
  return !isScalarKind(attribute.kind) || traitsOf({ kind: attribute.kind }).isReadable;
}

/**
 * An entry as answers have it. Only its ids are always there: `fields` may ask for less, the caller may see less, and
 * relations and components come when they are populated.
 */
export function entrySchema(type: ContentType): JsonSchema {
  const system = [...type.systemFields.values()].map((field) => [
    field.name,
    field.kind === "id" ? { type: "integer" } : outputSchema(field, !["documentId", "createdAt"].includes(field.name)),
  ]);
  const own = shownOf(type).map((attribute) => [attribute.name, valueSchema(attribute, !type.hasDrafts)]);
  return {
    title: type.displayName,
    type: "object",
    required: ["id", "documentId"],
    properties: { ...Object.fromEntries(system), ...Object.fromEntries(own), __type: { const: type.uid } },
  };
}

/** A component as answers have it; items of dynamic zones say which they are. */
export function componentSchema(component: Component): JsonSchema {
  const own = shownOf(component).map((attribute) => [attribute.name, valueSchema(attribute, false)]);
  return {
    title: component.displayName,
    type: "object",
    required: ["id"],
    properties: { id: { type: "integer" }, __component: { const: component.uid }, ...Object.fromEntries(own) },
  };
}

function shownOf({ attributes }: ContentType | Component): readonly Attribute[] {
  return [...attributes.values()].filter(isShown);
}

/** @param isFinished - whether what is required is there: drafts may lack it. */
function valueSchema(attribute: Attribute, isFinished: boolean): JsonSchema {
  switch (attribute.kind) {
    case "relation":
    case "media": {
      const target: JsonSchema = { $ref: attribute.target ?? "any#entry" };
      return attribute.isMany ? { type: "array", items: target } : orNull(target);
    }
    case "component": {
      const item: JsonSchema = { $ref: attribute.component };
      return attribute.repeatable ? nullable({ type: "array", items: item }, true) : orNull(item);
    }
    case "dynamiczone":
      return nullable({ type: "array", items: zoneItem(attribute.components) }, true);
    default:
      return outputSchema(attribute, !(isFinished && attribute.required));
  }
}

function zoneItem(uids: readonly string[]): JsonSchema {
  return {
    anyOf: uids.map((uid) => ({
      allOf: [
        { $ref: uid },
        { type: "object", required: ["__component"], properties: { __component: { const: uid } } },
      ],
    })),
  };
}
