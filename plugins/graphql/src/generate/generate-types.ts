import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import { type GraphQLInputObjectType, type GraphQLNamedType, GraphQLSchema, isScalarType } from "graphql";
import { TakenNamesError } from "../errors.js";
import { NameTable } from "../names.js";
import type { Resolvers, ShadowRules } from "../plan.js";
import { scalars } from "../scalars/scalars.js";
import { type InputOf, zoneInputsOf } from "../scalars/zone-input.js";
import { collectionTypes, entryType } from "./entry-types.js";
import { filtersType, listFiltered, operatorTypes } from "./filter-types.js";
import { fixedTypes } from "./fixed-types.js";
import { enabledComponents, enabledTypes, type Generation, listDraftable } from "./generation.js";
import { enumTypes, inputType } from "./input-types.js";
import { rootFields } from "./root-fields.js";
import { morphTypes, zoneInputType, zonesOf, zoneType } from "./zone-types.js";

/** Names of types that are there without the model. */
const SERVERS_OWN = ["Query", "Mutation", "Subscription", "ID", "String", "Int", "Float", "Boolean"];

/** The types of a content model. */
export interface GeneratedTypes {
  /** For makeSchema, together with those of extensions. */
  readonly types: readonly unknown[];
  /** The schema without generated types that nothing in it leads to; to be called once, on what makeSchema made. */
  finish(schema: GraphQLSchema): GraphQLSchema;
}

/**
 * Makes the types of every content-type and component that the rules let into the schema.
 *
 * @param resolvers - what answers the fields.
 * @throws PLINTH_GRAPHQL_NAMES_TAKEN (500) details `{ problems }`
 */
export function generateTypes(model: ContentModel, rules: ShadowRules, resolvers: Resolvers): GeneratedTypes {
  const names = new NameTable();
  const generation: Generation = {
    model,
    rules,
    resolvers,
    names,
    draftable: listDraftable(model),
    listed: listFiltered({ model, rules }),
  };
  let finished: GraphQLSchema | undefined;
  const inputOf: InputOf = (name) => finished?.getType(name) as GraphQLInputObjectType;
  const fixed = [...scalars, ...fixedTypes(), ...operatorTypes()];
  for (const name of [...SERVERS_OWN, ...fixed.map((type) => type.name)]) names.claim(name, "a type of the server");
  const shapes = [...enabledTypes(generation), ...enabledComponents(generation)];
  const types = [
    ...fixed,
    ...shapes.flatMap((shape) => typesOf(generation, shape, inputOf)),
    ...morphTypes(generation),
  ];
  const { problems, taken } = names;
  const droppable = new Set([...taken].filter((name) => !SERVERS_OWN.includes(name)));
  if (problems.length > 0) throw new TakenNamesError({ problems });
  return {
    types,
    finish: (schema) => {
      finished = dropUnused(schema, droppable);
      return finished;
    },
  };
}

function typesOf(generation: Generation, shape: ContentType | Component, inputOf: InputOf): readonly unknown[] {
  const zones = zonesOf(generation, shape);
  const common = [
    entryType(generation, shape),
    filtersType(generation, shape),
    inputType(generation, shape),
    ...enumTypes(generation, shape),
    ...zones.map((zone) => zoneType(generation, shape, zone)),
    ...zones.map((zone) => zoneInputType(generation, shape, zone, inputOf)),
  ];
  return shape.shape === "component"
    ? common
    : [...common, ...collectionTypes(generation, shape), ...rootFields(generation, shape)];
}

/**
 * A schema without unused generated types. The components'
 * inputs that a dynamic zone checks its items by stay with the zone, although no field names them.
 */
function dropUnused(schema: GraphQLSchema, droppable: ReadonlySet<string>): GraphQLSchema {
  const config = schema.toConfig();
  const kept = config.types.filter(({ name }) => !droppable.has(name));
  const reached = new GraphQLSchema({ ...config, types: kept });
  const named = Object.values(reached.getTypeMap()).flatMap((type) => (isScalarType(type) ? zoneInputsOf(type) : []));
  const inputs = [...new Set(named)].map((name) => schema.getType(name));
  const used = inputs.filter((type): type is GraphQLNamedType => type !== undefined);
  return used.length === 0 ? reached : new GraphQLSchema({ ...config, types: [...kept, ...used] });
}
