import type { IncomingHttpHeaders } from "node:http";
import type { Component, ContentModel, ContentType } from "@plinth/core/schema";

type Row = Readonly<Record<string, unknown>>;

/** Whether a request asks for the older format of answers. @source plugins/content-api/WIRE.md#response-format-v4 */
export function isWrappedFormat(headers: IncomingHttpHeaders): boolean {
  return headers["strapi-response-format"] === "v4";
}

/**
 * An entry in the older format: `{ id, documentId, attributes: { ... } }`, relations and media as `{ data }`, also inside
 * components, which stay flat themselves.
 *
 * @source plugins/content-api/WIRE.md#response-format-v4
 */
export function wrapEntry(model: ContentModel, type: ContentType, { id, documentId, ...row }: Row): Row {
  return { id, documentId, attributes: wrapValues(model, type, row) };
}

function wrapValues(model: ContentModel, shape: ContentType | Component, row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wrapValue(model, shape, name, value)]));
}

function wrapValue(model: ContentModel, shape: ContentType | Component, name: string, value: unknown): unknown {
  const attribute = shape.attributes.get(name);
  if (attribute?.kind === "relation" || attribute?.kind === "media")
    return wrapRelation(model, attribute.target, value);
  if (attribute?.kind !== "component" && attribute?.kind !== "dynamiczone") return value;
  const uid = attribute.kind === "component" ? attribute.component : undefined;
  return eachOf(value, (item) => wrapComponent(model, uid ?? String(item["__component"]), item));
}

function wrapComponent(model: ContentModel, uid: string, item: Row): Row {
  const component = model.components.get(uid);
  return component ? wrapValues(model, component, item) : item;
}

/** A count in place of the entries stays as it is: it is not an entry. */
function wrapRelation(model: ContentModel, target: string | undefined, value: unknown): unknown {
  if (isRow(value) && "count" in value && !("documentId" in value)) return value;
  const data = eachOf(value, (item) => {
    const type = model.contentTypes.get(target ?? String(item["__type"]));
    return type ? wrapEntry(model, type, item) : item;
  });
  return { data };
}

function eachOf(value: unknown, change: (item: Row) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isRow(item) ? change(item) : item));
  return isRow(value) ? change(value) : value;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
