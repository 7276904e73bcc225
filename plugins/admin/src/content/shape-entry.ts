import type { Attribute, ContentModel, Shape } from "@plinth/core/schema";
import type { Entry, Facts } from "../wire/content.js";
import { FIRST_RELATED } from "./entry-selection.js";
import { factsOf, type StoredFacts } from "./facts.js";
import { viewOfMedia } from "./file-view.js";
import { relationOf } from "./related.js";

type Row = Readonly<Record<string, unknown>>;

/** What entrySelection read, as the page gets it. */
export function shapeEntry(model: ContentModel, shape: Shape, row: Row): Entry {
  const { _facts, ...values } = row;
  const facts: Facts = factsOf(_facts as StoredFacts);
  return { ...shapeValues(model, shape, values), _facts: facts } as unknown as Entry;
}

function shapeValues(model: ContentModel, shape: Shape, row: Row): Row {
  const shaped = Object.entries(row).flatMap(([name, value]) => {
    const attribute = shape.attributes.get(name);
    const shown = attribute ? shapeValue(model, attribute, value) : value;
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(shaped);
}

function shapeValue(model: ContentModel, attribute: Attribute, value: unknown): unknown {
  switch (attribute.kind) {
    case "relation":
      return relationOf(value, FIRST_RELATED);
    case "media":
      return viewOfMedia(value);
    case "component":
      return shapeItems(model, value, () => attribute.component);
    case "dynamiczone":
      return shapeItems(model, value, (item) => String(item["__component"]));
    default:
      return value;
  }
}

/** One item of a component, or a list of them. */
function shapeItems(model: ContentModel, value: unknown, uidOf: (item: Row) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shapeItems(model, item, uidOf));
  const component = value === null ? undefined : model.components.get(uidOf(value as Row));
  return component ? shapeValues(model, component, value as Row) : value;
}
