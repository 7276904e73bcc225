import {
  type Attribute,
  type Component,
  type ContentType,
  type RelationAttribute,
  type ScalarAttribute,
  traitsOf,
} from "@plinth/core/schema";
import nexus from "nexus";
import { connectionName, enumName, relationCollectionName, typeName, zoneName } from "../names.js";
import type { AttributeForm } from "../plan.js";
import { enabledName, enabledShape, type Generation } from "./generation.js";
import { type FieldArguments, listArguments, type TypeRef } from "./list-arguments.js";

/** Name of the union of everything that a relation without a type may lead to. */
export const MORPH = "GenericMorph";

/** A field of a generated type. */
export interface OutputField {
  readonly name: string;
  readonly type: TypeRef;
  readonly args: FieldArguments;
  readonly attribute: string;
  readonly form: AttributeForm;
}

type Owner = ContentType | Component;

/** The fields of a content-type or component, in the order of its attributes, after what every entry has. */
export function outputFields(generation: Generation, owner: Owner): readonly OutputField[] {
  const own = [...owner.attributes.values()].filter(
    (attribute) => isReadable(attribute) && generation.rules.field(owner.uid, attribute.name).hasOutput,
  );
  return [...systemFields(owner), ...own.flatMap((attribute) => attributeFields(generation, owner, attribute))];
}

/** Private attributes and passwords are left out. @source plugins/content-api/WIRE.md#graphql-types */
export function isReadable(attribute: Attribute): boolean {
  return !attribute.isPrivate && (!isScalar(attribute) || traitsOf(attribute).isReadable);
}

/** Whether an attribute holds one value in one column. */
export function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  return "unique" in attribute;
}

function systemFields(owner: Owner): readonly OutputField[] {
  if (owner.shape === "component") return [scalarField("id", nexus.nonNull("ID"))];
  return [
    scalarField("documentId", nexus.nonNull("ID")),
    ...["createdAt", "updatedAt", "publishedAt"].map((name) => scalarField(name, "DateTime")),
    ...(owner.isLocalized ? [scalarField("locale", "String")] : []),
  ];
}

function scalarField(name: string, type: TypeRef): OutputField {
  return { name, type, args: {}, attribute: name, form: "scalar" };
}

function attributeFields(generation: Generation, owner: Owner, attribute: Attribute): readonly OutputField[] {
  const { name } = attribute;
  if (isScalar(attribute))
    return [scalarField(name, required(generation, { owner, attribute }, scalarType(owner, attribute)))];
  if (attribute.kind === "component") {
    const component = enabledShape(generation, attribute.component);
    if (!component) return [];
    const type = attribute.repeatable ? nexus.list(typeName(component)) : typeName(component);
    const args = attribute.repeatable ? listArguments(component) : {};
    return [{ name, type: required(generation, { owner, attribute }, type), args, attribute: name, form: "component" }];
  }
  if (attribute.kind === "dynamiczone") {
    if (!attribute.components.some((uid) => enabledShape(generation, uid))) return [];
    return [{ name, type: nexus.list(zoneName(owner, name)), args: {}, attribute: name, form: "zone" }];
  }
  return relationFields(generation, attribute);
}

/** Name of the type of a scalar attribute's values. */
export function scalarType(owner: Owner, attribute: ScalarAttribute): string {
  return attribute.kind === "enumeration" ? enumName(owner, attribute) : traitsOf(attribute).graphqlScalar;
}

/** Required attributes are non-null, but not in drafts. @source plugins/content-api/WIRE.md#graphql-types */
function required(
  { draftable }: Generation,
  { owner, attribute }: { readonly owner: Owner; readonly attribute: Attribute },
  type: Exclude<TypeRef, ReturnType<typeof nexus.nonNull>>,
): TypeRef {
  return attribute.required && !draftable.has(owner.uid) ? nexus.nonNull(type) : type;
}

/**
 * A link to a type that is not in the schema is left out; a to-one link may always be null, if its target has no such
 * version.
 */
function relationFields(generation: Generation, attribute: RelationAttribute): readonly OutputField[] {
  const { name, isMany } = attribute;
  const uid = attribute.target;
  if (uid === undefined) {
    return [{ name, type: isMany ? nexus.list(MORPH) : MORPH, args: {}, attribute: name, form: "morph" }];
  }
  const target = generation.model.contentTypes.get(uid);
  const type = enabledName(generation, uid);
  if (!target || type === undefined) return [];
  if (!isMany) return [{ name, type, args: {}, attribute: name, form: "value" }];
  const args = listArguments(target);
  const connection = { name: connectionName(name), type: relationCollectionName(target) };
  return [
    { name, type: nexus.nonNull(nexus.list(type)), args, attribute: name, form: "list" },
    { ...connection, args, attribute: name, form: "connection" },
  ];
}
