import { type Attribute, type Component, type ContentType, isVirtual } from "@plinth/core/schema";

/** A content-type as JSON: `{ uid, apiID, schema: { kind, displayName, ..., attributes } }`. */
export function describeType(type: ContentType): object {
  const { uid, kind, singularName, pluralName, displayName, table: collectionName, hasDrafts: draftAndPublish } = type;
  const names = { kind, singularName, pluralName, displayName, collectionName };
  return { uid, apiID: singularName, schema: { ...names, draftAndPublish, attributes: describeAttributes(type) } };
}

/** A component as JSON: `{ uid, category, schema: { displayName, attributes } }`. */
export function describeComponent(component: Component): object {
  const { uid, category, displayName } = component;
  return { uid, category, schema: { displayName, attributes: describeAttributes(component) } };
}

function describeAttributes({ attributes }: ContentType | Component): Readonly<Record<string, object>> {
  const described = [...attributes.values()].filter((attribute) => !isVirtual(attribute)).map(describeAttribute);
  return Object.fromEntries(described);
}

/** What is false or absent is left out, as in a schema file. */
function describeAttribute(attribute: Attribute): [string, object] {
  const { name, kind: type, required, isPrivate, displayName, customField } = attribute;
  const options = {
    ...{ displayName, customField },
    ...optionsOf(attribute),
    ...(required ? { required } : {}),
    ...(isPrivate ? { private: true } : {}),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  return [name, { type, ...Object.fromEntries(given) }];
}

function optionsOf(attribute: Attribute): object {
  switch (attribute.kind) {
    case "relation": {
      const { relation, target, inversedBy, mappedBy } = attribute;
      return { relation, target, inversedBy, mappedBy };
    }
    case "media":
      return { multiple: attribute.isMany, allowedTypes: attribute.allowedTypes };
    case "component": {
      const { component, repeatable, min, max } = attribute;
      return { component, repeatable, min, max };
    }
    case "dynamiczone": {
      const { components, min, max } = attribute;
      return { components, min, max };
    }
    default: {
      const { unique, min, max, minLength, maxLength, regex, targetField, defaultValue } = attribute;
      const values = attribute.kind === "enumeration" ? { enum: attribute.values } : {};
      return { unique, min, max, minLength, maxLength, regex, targetField, default: defaultValue, ...values };
    }
  }
}
