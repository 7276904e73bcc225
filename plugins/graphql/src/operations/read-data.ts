import type { Component, ContentModel, ContentType } from "@plinth/core";
import { typeName } from "../names.js";

type Shape = ContentType | Component;
type Input = Readonly<Record<string, unknown>>;

/**
 * Turns the data of a mutation into the body of a request: items of zones name their component by `__component`, not by
 * the name of its type. Everything else has the same form in both.
 *
 * @source wire.md section 12, "Inputs"
 */
export function readData(model: ContentModel, shape: Shape, data: Input): Input {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, readValue(model, shape, name, value)]));
}

function readValue(model: ContentModel, shape: Shape, name: string, value: unknown): unknown {
  const attribute = shape.attributes.get(name);
  if (attribute?.kind === "component") return eachInput(value, (item) => readItem(model, attribute.component, item));
  if (attribute?.kind === "dynamiczone")
    return eachInput(value, (item) => readZoneItem(model, attribute.components, item));
  return value;
}

function readItem(model: ContentModel, uid: string, item: Input): Input {
  const component = model.components.get(uid);
  return component ? readData(model, component, item) : item;
}

function readZoneItem(model: ContentModel, components: readonly string[], item: Input): Input {
  const { __typename: name, __component: named, ...data } = item;
  const uid = named ?? components.find((known) => nameOf(model, known) === name);
  return { __component: uid ?? name, ...(typeof uid === "string" ? readItem(model, uid, data) : data) };
}

function nameOf(model: ContentModel, uid: string): string | undefined {
  const component = model.components.get(uid);
  return component && typeName(component);
}

function eachInput(value: unknown, read: (input: Input) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => eachInput(item, read));
  return typeof value === "object" && value !== null ? read(value as Input) : value;
}
