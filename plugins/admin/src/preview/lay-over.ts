import type { App } from "@plinth/core";
import type { PreparedRead, Query } from "@plinth/core/reads";
import type { ContentType, Shape } from "@plinth/core/schema";
import { layLinks } from "./lay-links.js";
import type { Laying, Populated, Row } from "./laying.js";
import { LinkedRows } from "./linked-rows.js";
import { below, keyOfId, listOf, type Typed, type TypedItem } from "./typed.js";
import { typedValue } from "./typed-value.js";

type Selection = Query["selection"];

/** A row, or an item of a component, with what is shown of it. */
interface Part {
  readonly shape: Shape;
  readonly selection: Selection;
  /** Undefined: it is new. */
  readonly row: Row | undefined;
  readonly path: string;
}

/**
 * Lays what somebody typed over a document that was read: only what the read shows, so that nothing comes in that its
 * parameters or the ability leave out. New items have no id yet.
 *
 * @param prepared - what the row was read by
 */
export async function layOver(
  app: App,
  {
    type,
    prepared,
    row,
    typed,
  }: { readonly type: ContentType; readonly prepared: PreparedRead; readonly row: Row; readonly typed: Typed },
): Promise<Row> {
  const links = new LinkedRows(app, prepared);
  const laying: Laying = { app, prepared, typed, links };
  const whole: Part = { shape: type, selection: prepared.query.selection, row, path: "" };
  // The first time what is linked is named, the second time it is there.
  layPart(laying, whole);
  await links.load();
  return layPart(laying, whole);
}

function layPart(laying: Laying, { shape, selection, row, path }: Part): Row {
  const laid: Record<string, unknown> = { ...row };
  for (const field of selection.fields) {
    if (typeof field !== "string") continue;
    const attribute = shape.attributes.get(field);
    const change = attribute && laying.typed.at(below(path, field));
    if (change) laid[field] = typedValue(attribute, change.mine, row?.[field] ?? null);
    else if (!row) laid[field] = null;
  }
  for (const populate of selection.populate) {
    const attribute = shape.attributes.get(populate.field);
    if (!attribute || populate.alias !== undefined) continue;
    const place = below(path, populate.field);
    laid[populate.field] = layPopulated(laying, { attribute, populate, place, stored: row?.[populate.field] });
  }
  return laid;
}

function layPopulated(laying: Laying, populated: Populated): unknown {
  const { populate, attribute } = populated;
  const isList = attribute.kind === "dynamiczone" || (attribute.kind === "component" && attribute.repeatable);
  if (populate.kind !== "component" && populate.kind !== "zone") return layLinks(laying, populated);
  const items = layItems(laying, populated);
  return isList ? items : (items[0] ?? null);
}

function layItems(laying: Laying, populated: Populated): readonly Row[] {
  const { place, stored } = populated;
  const known = listOf(stored) as readonly Row[];
  const typed = laying.typed.itemsAt(place);
  if (!typed) return known.map((row) => layItem(laying, populated, { row, key: keyOfId(row["id"]) }) ?? row);
  return typed.flatMap(({ id, key, component }): readonly Row[] => {
    const row = id === null ? undefined : known.find((item) => item["id"] === id);
    // An item that somebody else took out meanwhile is gone, or the read leaves it out.
    if (id !== null && !row) return [];
    const laid = layItem(laying, populated, { row, key, component });
    return laid ? [laid] : [];
  });
}

interface LaidItem extends Pick<TypedItem, "key"> {
  readonly row: Row | undefined;
  /** Of a new one. */
  readonly component?: string;
}

/** An item with what was typed into it; undefined for one of a component that the read leaves out. */
function layItem(laying: Laying, populated: Populated, { row, key, component }: LaidItem): Row | undefined {
  const { attribute, populate, place } = populated;
  const { components } = laying.app.model;
  const path = below(place, key);
  if (attribute.kind === "component" && populate.kind === "component") {
    const shape = components.get(attribute.component);
    return shape && layPart(laying, { shape, selection: populate.selection, row, path });
  }
  if (populate.kind !== "zone") return undefined;
  const uid = row ? String(row["__component"]) : component;
  const form = populate.items.find((item) => item.component === uid);
  const shape = components.get(uid ?? "");
  if (!form || !shape) return undefined;
  return { __component: uid, ...layPart(laying, { shape, selection: form.selection, row, path }) };
}
