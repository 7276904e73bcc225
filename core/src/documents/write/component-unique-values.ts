import { createHash } from "node:crypto";
import { isScalarKind, isUnique } from "../../schema/attribute.js";
import type { Component, ComponentAttribute, ContentModel, ZoneAttribute } from "../../schema/model.js";
import { itemsOf } from "./embedded-links.js";

/** A value inside a component that may exist once among the published rows of a locale. */
export interface UniqueValue {
  /** Attribute names and indexes: `["links", "1", "label"]`. */
  readonly path: readonly string[];
  /** The path without indexes; in zones with the component: `sections.hero:title`. */
  readonly attribute: string;
  readonly value: unknown;
  /** Equal for equal values of one attribute. */
  readonly hash: string;
}

type Structured = ComponentAttribute | ZoneAttribute;

interface Place {
  readonly path: readonly string[];
  readonly attribute: string;
}

/** The unique values in the stored components of one attribute; null and empty text are never duplicates. */
export function uniqueValues(
  model: ContentModel,
  attribute: Structured,
  stored: unknown,
  parent?: Place,
): readonly UniqueValue[] {
  const isList = Array.isArray(stored);
  return itemsOf(stored).flatMap((item, index) => {
    const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
    const component = model.components.get(uid);
    if (!component) return [];
    const path = [...(parent?.path ?? []), attribute.name, ...(isList ? [String(index)] : [])];
    const name = `${parent ? `${parent.attribute}.` : ""}${attribute.name}${attribute.kind === "dynamiczone" ? `:${uid}` : ""}`;
    return valuesOf(model, component, item, { path, attribute: name });
  });
}

function valuesOf(
  model: ContentModel,
  component: Component,
  item: Readonly<Record<string, unknown>>,
  place: Place,
): readonly UniqueValue[] {
  return [...component.attributes.values()].flatMap((attribute) => {
    const value = item[attribute.name] ?? null;
    if (attribute.kind === "component" || attribute.kind === "dynamiczone")
      return uniqueValues(model, attribute, value, place);
    if (!isScalarKind(attribute.kind) || !isUnique(attribute) || value === null || value === "") return [];
    const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex");
    return [{ path: [...place.path, attribute.name], attribute: `${place.attribute}.${attribute.name}`, value, hash }];
  });
}
