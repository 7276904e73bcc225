import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  GraphQLSchema,
  isObjectType,
  isTypeDefinitionNode,
  Kind,
  parse,
  type TypeDefinitionNode,
  type TypeExtensionNode,
} from "graphql";

const EXTENSION_OF: Readonly<Record<TypeDefinitionNode["kind"], TypeExtensionNode["kind"]>> = {
  [Kind.SCALAR_TYPE_DEFINITION]: Kind.SCALAR_TYPE_EXTENSION,
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
};

/**
 * Adds types written in SDL to a schema, all at once: each time makes every type again. A definition of a type that is
 * there, or was defined before, extends it.
 *
 * @throws the GraphQLError of the parser, or of a rule of SDL
 */
export function extendWithSdl(schema: GraphQLSchema, typeDefs: readonly string[]): GraphQLSchema {
  if (typeDefs.length === 0) return withMutations(schema);
  const definitions = typeDefs.flatMap((sdl) => parse(sdl).definitions);
  return withMutations(extendSchema(schema, asExtension(schema, definitions)));
}

/** A type of the name Mutation is the one of mutations, also where no content-type has any. */
function withMutations(schema: GraphQLSchema): GraphQLSchema {
  const mutation = schema.getType("Mutation");
  if (schema.getMutationType() || !isObjectType(mutation)) return schema;
  return new GraphQLSchema({ ...schema.toConfig(), mutation });
}

function asExtension(schema: GraphQLSchema, given: readonly DefinitionNode[]): DocumentNode {
  const defined = new Set<string>();
  const definitions = given.map((definition): DefinitionNode => {
    if (!isTypeDefinitionNode(definition)) return definition;
    const name = definition.name.value;
    const isKnown = schema.getType(name) !== undefined || defined.has(name);
    defined.add(name);
    // A definition and its extension differ in their kind only, and in the description, which an extension has not.
    return isKnown ? ({ ...definition, kind: EXTENSION_OF[definition.kind] } as TypeExtensionNode) : definition;
  });
  return { kind: Kind.DOCUMENT, definitions };
}
