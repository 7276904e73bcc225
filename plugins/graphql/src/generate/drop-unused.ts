import { type GraphQLNamedType, GraphQLSchema, isScalarType } from "graphql";
import { zoneInputsOf } from "../scalars/zone-input.js";

/**
 * A schema without unused generated types. The components'
 * inputs that a dynamic zone checks its items by stay with the zone, although no field names them.
 */
export function dropUnused(schema: GraphQLSchema, droppable: ReadonlySet<string>): GraphQLSchema {
  const config = schema.toConfig();
  const kept = config.types.filter(({ name }) => !droppable.has(name));
  const reached = new GraphQLSchema({ ...config, types: kept });
  const named = Object.values(reached.getTypeMap()).flatMap((type) => (isScalarType(type) ? zoneInputsOf(type) : []));
  const inputs = [...new Set(named)].map((name) => schema.getType(name));
  const used = inputs.filter((type): type is GraphQLNamedType => type !== undefined);
  return used.length === 0 ? reached : new GraphQLSchema({ ...config, types: [...kept, ...used] });
}
