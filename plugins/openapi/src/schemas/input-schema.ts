import type { JsonSchema } from "@plinth/core/http";
import {
  type Attribute,
  type Component,
  type ContentType,
  isScalarKind,
  isVirtual,
  type RelationAttribute,
  type ScalarAttribute,
} from "@plinth/core/schema";
import { inputSchema, nullable, orNull } from "./scalar-schema.js";

/**
 * The `data` of a write that is always accepted. What is required to be published is required in a new entry; a draft
 * may lack it, and a change names what is to change.
 */
export function dataSchema(type: ContentType, write: "create" | "update"): JsonSchema {
  return {
    title: type.displayName,
    type: "object",
    ...(write === "create" ? requiredOf(type) : {}),
    additionalProperties: false,
    properties: propertiesOf(type),
  };
}

/** A component of a write: with the `id` of one that is there it is changed, without it is a new one. */
export function componentInput(component: Component, place: "attribute" | "zone"): JsonSchema {
  const { required = [] } = requiredOf(component);
  const uid = place === "zone" ? { __component: { const: component.uid } } : {};
  return {
    title: component.displayName,
    type: "object",
    required: [...Object.keys(uid), ...required],
    additionalProperties: false,
    properties: {
      ...uid,
      id: { type: "integer", description: "Of a component that is there already" },
      ...propertiesOf(component),
    },
  };
}

function requiredOf({ attributes }: ContentType | Component): { readonly required?: readonly string[] } {
  const required = [...attributes.values()].filter(isRequired).map(({ name }) => name);
  return required.length > 0 ? { required } : {};
}

function isRequired(attribute: Attribute): boolean {
  if (!attribute.required || !isTaken(attribute)) return false;
  if (!isScalarKind(attribute.kind)) return true;
  const { defaultValue, autoGenerate } = attribute as ScalarAttribute;
  return defaultValue === undefined && !autoGenerate;
}

/** Whether a write may name an attribute. */
function isTaken(attribute: Attribute): boolean {
  return attribute.isWritable && !isVirtual(attribute);
}

function propertiesOf({ attributes }: ContentType | Component): Readonly<Record<string, JsonSchema>> {
  const taken = [...attributes.values()].filter(isTaken);
  return Object.fromEntries(taken.map((attribute) => [attribute.name, valueSchema(attribute)]));
}

function valueSchema(attribute: Attribute): JsonSchema {
  switch (attribute.kind) {
    case "relation":
    case "media":
      return relationSchema(attribute);
    case "component": {
      const item: JsonSchema = { $ref: `${attribute.component}#input` };
      if (attribute.repeatable) return listSchema(attribute, item);
      return attribute.required ? item : orNull(item);
    }
    case "dynamiczone":
      return listSchema(attribute, { anyOf: attribute.components.map((uid) => ({ $ref: `${uid}#zone` })) });
    default:
      return inputSchema(attribute);
  }
}

function listSchema(
  { min, max }: { readonly min: number | undefined; readonly max: number | undefined },
  items: JsonSchema,
) {
  const counts = { ...(min === undefined ? {} : { minItems: min }), ...(max === undefined ? {} : { maxItems: max }) };
  return nullable({ type: "array", items, ...counts }, false);
}

function relationSchema({ target, isMany }: RelationAttribute): JsonSchema {
  const form = `relation#${target === undefined ? "typed-" : ""}${isMany ? "many" : "one"}`;
  return { $ref: form, ...(target === undefined ? {} : { "x-plinth-target": target }) };
}

const DOCUMENT_ID = { type: "string", minLength: 1, description: "A document id" } as const;
const BY_ID = {
  type: "object",
  required: ["documentId"],
  additionalProperties: false,
  properties: { documentId: DOCUMENT_ID },
} as const;
const TYPED = {
  ...BY_ID,
  required: ["documentId", "__type"],
  properties: { documentId: DOCUMENT_ID, __type: { type: "string", description: "Uid of its content-type" } },
} as const;

function relationForm(target: JsonSchema, isMany: boolean): JsonSchema {
  const most = isMany ? {} : { maxItems: 1 };
  const list = { type: "array", items: target, ...most };
  const any = { type: "array", items: target };
  const change = (members: object) => ({
    type: "object",
    minProperties: 1,
    additionalProperties: false,
    properties: members,
  });
  return {
    description: "The targets, or what changes of them",
    anyOf: [
      { type: "null" },
      ...(isMany ? [] : [target]),
      list,
      change({ set: list }),
      change({ connect: list, disconnect: any }),
    ],
  };
}

const UNTYPED: JsonSchema = { anyOf: [DOCUMENT_ID, BY_ID] };

/** How relations are written. @source plugins/content-api/WIRE.md#relations-in-bodies */
export const RELATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  "relation#one": relationForm(UNTYPED, false),
  "relation#many": relationForm(UNTYPED, true),
  "relation#typed-one": relationForm(TYPED, false),
  "relation#typed-many": relationForm(TYPED, true),
};
