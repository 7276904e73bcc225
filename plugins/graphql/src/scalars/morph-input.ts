import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from "graphql";
import { inspectValue } from "./inspect-value.js";
import { readLiteral } from "./read-literal.js";

/** Name of what writes take for a relation to documents of any type. */
export const MORPH_INPUT = "GenericMorphInput";

/**
 * What a write takes for a target of a relation without a type: `{ __typename: "Article", documentId: "..." }`. The
 * resolver gets `{ __type: "api::article.article", documentId: "..." }`.
 *
 * @param uidOf - uid of a content-type by the name of its type.
 */
export function morphInput(uidOf: (type: string) => string | undefined): GraphQLScalarType {
  const read = (value: unknown): unknown => {
    const { __typename: type, documentId } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const uid = typeof type === "string" ? uidOf(type) : undefined;
    if (uid === undefined)
      throw new GraphQLError(`__typename cannot be ${inspectValue(type)}; write the name of a document's type.`);
    if (typeof documentId !== "string")
      throw new GraphQLError(`documentId cannot be ${inspectValue(documentId)}; write the id of a document.`);
    return { __type: uid, documentId };
  };
  return new GraphQLScalarType({
    name: MORPH_INPUT,
    description: 'A document of any type: `{ __typename: "Article", documentId: "..." }`.',
    parseValue: read,
    parseLiteral: (node, variables) => readLiteral(node, variables, () => read(valueFromASTUntyped(node, variables))),
  });
}
