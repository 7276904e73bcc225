import { type Attribute, type Component, type ContentType, isVirtual, type ScalarAttribute } from "@plinth/core/schema";
import nexus from "nexus";
import { enumName, enumValueNames, inputName, zoneInputName } from "../names.js";
import { MORPH_INPUT } from "../scalars/morph-input.js";
import { enabledShape, type Generation } from "./generation.js";
import type { TypeRef } from "./list-arguments.js";
import { isScalar, scalarType } from "./output-fields.js";

type Owner = ContentType | Component;

interface InputField {
  readonly name: string;
  readonly type: TypeRef;
  readonly description?: string;
}

/** What writes of a content-type or component take. Nothing is required here: that is checked with the document's version. */
export function inputType(generation: Generation, owner: Owner) {
  const name = inputName(owner);
  generation.names.claim(name, `what writes of ${owner.uid} take`);
  const fields = inputFields(generation, owner);
  return nexus.inputObjectType({
    name,
    description: `Values for ${owner.displayName}; what is left out stays as it is.`,
    definition(t) {
      for (const { name: field, ...config } of fields) t.field(field, config);
    },
  });
}

function inputFields(generation: Generation, owner: Owner): readonly InputField[] {
  const own = [...owner.attributes.values()].filter(
    (attribute) => isWritable(attribute) && generation.rules.field(owner.uid, attribute.name).hasInput,
  );
  const typed = own.flatMap((attribute): readonly InputField[] => {
    const type = inputTypeOf(generation, owner, attribute);
    return type === undefined ? [] : [{ name: attribute.name, type }];
  });
  return [...systemInputs(owner), ...typed];
}

const isWritable = (attribute: Attribute): boolean => attribute.isWritable && !isVirtual(attribute);

/** @source plugins/content-api/WIRE.md#principles, `locale` and `publishedAt` in a body are ignored */
function systemInputs(owner: Owner): readonly InputField[] {
  if (owner.shape === "component")
    return [{ name: "id", type: "ID", description: "The item to change; without it a new one takes its place." }];
  return [
    { name: "publishedAt", type: "DateTime", description: "Has no effect: the server sets it." },
    ...(owner.isLocalized ? [] : [{ name: "locale", type: "String", description: "Has no effect." }]),
  ];
}

function inputTypeOf(generation: Generation, owner: Owner, attribute: Attribute): TypeRef | undefined {
  if (isScalar(attribute)) return scalarType(owner, attribute);
  if (attribute.kind === "component") {
    const component = enabledShape(generation, attribute.component);
    if (!component) return undefined;
    return attribute.repeatable ? nexus.list(inputName(component)) : inputName(component);
  }
  if (attribute.kind === "dynamiczone") {
    if (!attribute.components.some((uid) => enabledShape(generation, uid))) return undefined;
    return nexus.list(nexus.nonNull(zoneInputName(owner, attribute.name)));
  }
  const { target } = attribute;
  if (target !== undefined && !enabledShape(generation, target)) return undefined;
  const type = target === undefined ? MORPH_INPUT : "ID";
  return attribute.isMany ? nexus.list(type) : type;
}

/**
 * The enums of a content-type's or component's enumerations; their values are those of the schema file. Several of one
 * `enumName` and the same values are one.
 */
export function enumTypes({ names }: Generation, owner: Owner) {
  const enumerations = [...owner.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => attribute.kind === "enumeration",
  );
  return enumerations.flatMap((attribute) => {
    const { values } = attribute;
    const name = enumName(owner, attribute);
    const place = `${attribute.name} of ${owner.uid}`;
    if (!names.claim(name, attribute.enumName === undefined ? place : `an enumeration of ${values.join(", ")}`))
      return [];
    const valueNames = enumValueNames(values);
    const members = values.map((value, index) => ({ name: valueNames[index] ?? value, value }));
    return [nexus.enumType({ name, description: `The values of ${attribute.name} of ${owner.displayName}.`, members })];
  });
}
