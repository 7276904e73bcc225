import type { JsonSchema } from "@plinth/core/http";
import {
  type Attribute,
  type Component,
  type ContentType,
  type FilterOperator,
  isScalarKind,
  SCALAR_TRAITS,
  type ScalarKind,
  traitsOf,
} from "@plinth/core/schema";
import { isShown } from "./entry-schema.js";
import { comparedSchema } from "./scalar-schema.js";

/** What `filters` may ask of a type or component: its attributes, by value or operators, and all that joins them. */
export const filtersSchema = (shape: ContentType | Component): JsonSchema => objectOf(filtersOf(shape));

/** What `filters` may ask of a list: conditions on one entry, and what some, none or every one of them fulfils. */
export function listFiltersSchema(shape: ContentType | Component): JsonSchema {
  const conditions: JsonSchema = { $ref: `${shape.uid}#filters` };
  const id = comparedSchema("string");
  const entries =
    shape.shape === "component" ? conditions : { anyOf: [conditions, id, { type: "array", items: id, minItems: 1 }] };
  return objectOf({ ...filtersOf(shape), $some: entries, $none: entries, $every: entries });
}

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
});

function filtersOf(shape: ContentType | Component): Readonly<Record<string, JsonSchema>> {
  const self: JsonSchema = { $ref: `${shape.uid}#filters` };
  const system = shape.shape === "content-type" ? [...shape.systemFields.values()] : [];
  const fields = [...system, ...[...shape.attributes.values()].filter(isShown)];
  return {
    $and: { type: "array", items: self },
    $or: { type: "array", items: self },
    $not: self,
    ...Object.fromEntries(
      fields.map((field) => [field.name, field.kind === "id" ? filterOf("integer") : fieldFilter(field)]),
    ),
  };
}

function fieldFilter(attribute: Attribute): JsonSchema {
  switch (attribute.kind) {
    case "relation":
    case "media":
      if (attribute.target === undefined) return { $ref: "any#filters" };
      return { $ref: `${attribute.target}#${attribute.isMany ? "list-filters" : "filters"}` };
    case "component":
      return { $ref: `${attribute.component}#${attribute.repeatable ? "list-filters" : "filters"}` };
    case "dynamiczone":
      return { $ref: "any#filters" };
    default:
      return filterOf(attribute.kind);
  }
}

const filterOf = (kind: ScalarKind): JsonSchema => ({ $ref: `${kind}#filter` });

/** The filter of each kind of attribute: a value, or operators. */
export const FILTER_SCHEMAS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.keys(SCALAR_TRAITS)
    .filter(isScalarKind)
    .map((kind) => [`${kind}#filter`, kindFilter(kind)]),
);

function kindFilter(kind: ScalarKind): JsonSchema {
  const { operators } = traitsOf({ kind });
  const properties = Object.fromEntries(
    operators.map((operator) => [operator, operandOf(operator, comparedSchema(kind))]),
  );
  const object = { type: "object", additionalProperties: false, properties };
  return operators.includes("$eq") ? { anyOf: [plainValue(kind), object] } : object;
}

/** A value in place of operators, of JSON too: an object there is operators, and a text has to be JSON itself. */
function plainValue(kind: ScalarKind): JsonSchema {
  const isAnything = SCALAR_TRAITS[kind].columnType === "jsonb";
  return isAnything ? { type: ["number", "boolean"] } : comparedSchema(kind);
}

function operandOf(operator: FilterOperator, value: JsonSchema): JsonSchema {
  switch (operator) {
    case "$null":
    case "$notNull":
      return { type: "boolean" };
    case "$in":
    case "$notIn":
      return { type: "array", items: value };
    case "$between":
      return { type: "array", items: value, minItems: 2, maxItems: 2 };
    default:
      return value;
  }
}

/** A name for `fields`. */
export function fieldNames(type: ContentType): JsonSchema {
  const own = [...type.attributes.values()].filter((attribute) => isShown(attribute) && isScalarKind(attribute.kind));
  return { type: "string", enum: ["*", ...type.systemFields.keys(), ...own.map(({ name }) => name)] };
}

/** A name for `populate`; a path leads further. */
export function populateNames(type: ContentType): JsonSchema {
  const own = [...type.attributes.values()].filter((attribute) => isShown(attribute) && !isScalarKind(attribute.kind));
  return { anyOf: [{ enum: ["*", ...own.map(({ name }) => name)] }, { type: "string", pattern: "\\." }] };
}

/** An item of `sort`; a path leads through relations and components. */
export function sortNames(type: ContentType): JsonSchema {
  const own = [...type.attributes.values()].filter((attribute) => isShown(attribute) && isSortable(attribute));
  const names = [...type.systemFields.keys(), ...own.map(({ name }) => name)];
  const pattern = `^(${names.join("|")})(:(asc|desc))?$`;
  return {
    anyOf: [
      { type: "string", pattern },
      { type: "string", pattern: "\\." },
    ],
  };
}

function isSortable({ kind }: Attribute): boolean {
  return isScalarKind(kind) && traitsOf({ kind }).isSortable;
}
