import type { FormSelection, MorphPopulate, ZonePopulate } from "../../database/query.js";
import { findField } from "../../schema/find-field.js";
import type { Component, ContentType, RelationAttribute, ZoneAttribute } from "../../schema/model.js";
import { type Ask, type Asks, NO_ASKS } from "./parse-asks.js";
import { hiddenLinks } from "./hidden-links.js";
import { componentOf, invalidKey, mostOf, type Reading, type ReadShape } from "./reading.js";

type ParseForm = (shape: ReadShape, ask: Ask) => FormSelection;

/**
 * What to return of a dynamic zone: the components listed in `on`, each by what is asked of it there, or all, each with
 * its scalars and, by `populate=*` or a dotted name, what is inside.
 *
 * @returns undefined for an empty `on`, which leaves the zone out.
 * @throws PLINTH_QUERY_INVALID_KEY (400) for components that the zone does not list, and options that need one form of entry
 * @source plugins/content-api/WIRE.md#dynamic-zones
 */
export function populateZone(
  reading: Reading,
  zone: ZoneAttribute,
  ask: Ask,
  parse: ParseForm,
): ZonePopulate | undefined {
  const shapes = zone.components.map((uid) => componentOf(reading, uid)).filter((shape) => shape !== undefined);
  const items = asksByShape(reading, shapes, ask).map(([shape, of]) => ({
    component: shape.uid,
    ...parse(shape, of),
  }));
  return items.length === 0 ? undefined : { kind: "zone", field: zone.name, items };
}

/**
 * What to return of a polymorphic relation: the types listed in `on`, or every one that the ability may find.
 *
 * @throws as populateZone
 */
export function populateMorph(
  reading: Reading,
  relation: RelationAttribute,
  ask: Ask,
  parse: ParseForm,
): MorphPopulate | undefined {
  const shapes = [...reading.model.contentTypes.values()];
  const items = asksByShape(reading, shapes, ask).flatMap(([type, of]) => {
    const { shape, visible } = reading.sightOf(type);
    const form = parse(shape, of);
    if (!reading.ability.can(`${type.uid}.find`)) return [];
    const hidden = hiddenLinks(reading.model, type, shape, reading.visibility);
    const unseen = hidden.length > 0 ? { hiddenLinks: hidden } : {};
    return [{ type: type.uid, ...(visible ? { visible } : {}), ...unseen, ...form }];
  });
  return items.length === 0
    ? undefined
    : { kind: "morph", field: relation.name, ...mostOf(reading, relation.isMany), items };
}

/** Pairs each form of entry that is asked for with what is asked of it. */
function asksByShape<Shape extends ContentType | Component>(
  reading: Reading,
  shapes: readonly Shape[],
  ask: Ask,
): readonly (readonly [Shape, Ask])[] {
  assertOnly(reading, ask, ask.path, ask.on ? ["on"] : ["populate"]);
  if (!ask.on)
    return shapes.map((shape) => [shape, { ...ask, populate: asksFor(reading, shapes, shape, ask) }] as const);
  for (const [uid, inner] of ask.on) {
    const path = [...ask.path, "on", uid];
    if (!shapes.some((shape) => shape.uid === uid)) throw invalidKey(reading, uid, path);
    assertOnly(reading, inner, path, ["fields", "filters", "sort", "populate"]);
  }
  const { on } = ask;
  return shapes.flatMap((shape) => {
    const inner = on.get(shape.uid);
    return inner ? [[shape, inner] as const] : [];
  });
}

/** What `populate` says of one form of entry: everything, or the dotted names that it has. */
function asksFor(reading: Reading, shapes: readonly ReadShape[], shape: ReadShape, ask: Ask): Asks {
  const names = [...ask.populate.names];
  for (const [name, inner] of names) {
    const isKnown = ask.isByName && shapes.some((known) => findField(known, name) !== undefined);
    if (!isKnown) throw invalidKey(reading, name, inner.path);
  }
  if (names.length === 0) return ask.populate.isEverything ? ask.populate : NO_ASKS;
  return { ...ask.populate, names: new Map(names.filter(([name]) => findField(shape, name) !== undefined)) };
}

type Option = "fields" | "filters" | "sort" | "count" | "populate" | "on";

function assertOnly(reading: Reading, ask: Ask, path: readonly string[], allowed: readonly Option[]): void {
  const given: Readonly<Record<Option, boolean>> = {
    fields: ask.fields !== undefined,
    filters: ask.filters !== undefined,
    sort: ask.sort !== undefined,
    count: ask.count !== undefined,
    populate: ask.populate.isEverything || ask.populate.names.size > 0,
    on: ask.on !== undefined,
  };
  for (const [option, isGiven] of Object.entries(given) as [Option, boolean][]) {
    if (isGiven && !allowed.includes(option)) throw invalidKey(reading, option, path);
  }
}
