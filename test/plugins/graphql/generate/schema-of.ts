import { type GraphQLSchema, lexicographicSortSchema, printType } from "graphql";
import nexus from "nexus";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { SchemaChanges } from "#plugins/graphql/src/extension/schema-changes.js";
import { generateTypes } from "#plugins/graphql/src/generate/generate-types.js";
import type { Resolvers } from "#plugins/graphql/src/plan.js";
import { modelOf } from "../../../core/schema/raw-schemas.js";

/** Answers every field with nothing: these tests are about types. */
const NOTHING: Resolvers = { root: () => () => null, attribute: () => () => null, typeOf: () => undefined };

/** The generated schema of some schema files. */
export function schemaOf(
  contentTypes: RawContentType[],
  components: RawComponent[] = [],
  change: (schema: GraphqlExtension) => unknown = () => undefined,
): GraphQLSchema {
  const changes = new SchemaChanges();
  change(changes);
  const generated = generateTypes(modelOf(contentTypes, components), changes.shadowCrud.rules(true), NOTHING);
  return generated.finish(nexus.makeSchema({ types: [...generated.types], shouldGenerateArtifacts: false }));
}

/** A type of a schema in SDL, its fields in alphabetical order and without descriptions. */
export function sdlOf(schema: GraphQLSchema, name: string): string | undefined {
  const type = lexicographicSortSchema(schema).getType(name);
  return (
    type &&
    printType(type)
      .replace(/^\s*""".*?"""\n/gms, "")
      .replace(/\n\n/g, "\n")
  );
}

/** Names of the fields of a type; undefined when the schema does not have it. */
export function fieldsOf(schema: GraphQLSchema, name: string): readonly string[] | undefined {
  const type = schema.getType(name);
  return type && "getFields" in type ? Object.keys(type.getFields()).sort() : undefined;
}
