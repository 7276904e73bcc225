import type { Component, ContentType, ZoneAttribute } from "@plinth/core/schema";
import type { GraphQLScalarType } from "graphql";
import nexus from "nexus";
import { inputName, typeName, zoneInputName, zoneName } from "../names.js";
import { morphInput } from "../scalars/morph-input.js";
import { type InputOf, zoneInput } from "../scalars/zone-input.js";
import { ZONE_ERROR } from "./fixed-types.js";
import { enabledComponents, enabledName, enabledShape, enabledTypes, type Generation } from "./generation.js";
import { MORPH } from "./output-fields.js";

/** The union of a dynamic zone's items. */
export function zoneType(generation: Generation, owner: ContentType | Component, zone: ZoneAttribute) {
  const name = zoneName(owner, zone.name);
  generation.names.claim(name, `${zone.name} of ${owner.uid}`);
  const components = componentsOf(generation, zone);
  const known = new Map(components.map((component) => [component.uid, typeName(component)]));
  return nexus.unionType({
    name,
    description: `An item of ${zone.name} of ${owner.displayName}.`,
    extensions: { plinth: { kind: "zone", components: [...known.keys()] } },
    resolveType: (item) => known.get(generation.resolvers.typeOf(item) ?? "") ?? ZONE_ERROR,
    definition: (t) => t.members(...known.values(), ZONE_ERROR),
  });
}

/** What writes of a dynamic zone take for each item. */
export function zoneInputType(
  generation: Generation,
  owner: ContentType | Component,
  zone: ZoneAttribute,
  inputOf: InputOf,
): GraphQLScalarType {
  const name = zoneInputName(owner, zone.name);
  generation.names.claim(name, `what writes of ${zone.name} of ${owner.uid} take`);
  const components = componentsOf(generation, zone).map((component) => {
    return { uid: component.uid, type: typeName(component), input: inputName(component) };
  });
  return zoneInput(name, components, inputOf);
}

function componentsOf(generation: Generation, { components }: ZoneAttribute): readonly Component[] {
  const enabled = components.map((uid) => enabledShape(generation, uid));
  return enabled.filter((shape): shape is Component => shape?.shape === "component");
}

/** The dynamic zones of a content-type or component of which the schema has some component. */
export function zonesOf(generation: Generation, owner: ContentType | Component): readonly ZoneAttribute[] {
  const zones = [...owner.attributes.values()].filter(({ kind }) => kind === "dynamiczone") as ZoneAttribute[];
  return zones.filter((zone) => componentsOf(generation, zone).length > 0);
}

/** The union of everything that a relation without a type may lead to, and what writes of such a relation take. */
export function morphTypes(generation: Generation) {
  const types = enabledTypes(generation);
  const members = [...types, ...enabledComponents(generation)].map(typeName);
  if (members.length === 0) return [];
  const uids = new Map(types.map((type) => [typeName(type), type.uid]));
  const union = nexus.unionType({
    name: MORPH,
    description: "What a relation without a type may lead to.",
    extensions: { plinth: { kind: "morph" } },
    resolveType: (item) => enabledName(generation, generation.resolvers.typeOf(item)) ?? null,
    definition: (t) => t.members(...members),
  });
  return [union, morphInput((name) => uids.get(name))];
}
