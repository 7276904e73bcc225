import { type ASTVisitor, GraphQLError, Kind, type OperationDefinitionNode, type ValidationContext } from "graphql";
import type { GraphqlConfig } from "../config.js";
import { DocumentMeasure } from "./measure-document.js";

type Limits = Pick<GraphqlConfig, "depthLimit" | "aliasLimit" | "directiveLimit" | "rootFieldLimit">;

/**
 * The validation rule of what a document may ask for at most. It decides before any other rule has looked at the
 * document, because those cost more than the document's length for documents that are made for it; so it throws.
 *
 * @throws GraphQLError with the code GRAPHQL_VALIDATION_FAILED and status 400, from the rule
 */
export function createDocumentLimits(limits: Limits): (context: ValidationContext) => ASTVisitor {
  return (context) => {
    const document = context.getDocument();
    const measure = new DocumentMeasure(document);
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const problem = problemOf(definition, measure, limits) ?? unknownOperation(definition, context);
      if (problem !== undefined) throw refuse(problem, definition);
    }
    return {};
  };
}

/** @source wire.md section 12, "Depth" */
function problemOf(operation: OperationDefinitionNode, measure: DocumentMeasure, limits: Limits): string | undefined {
  const { depth, aliases, directives } = measure.measure(operation);
  const name = `'${operation.name?.value ?? ""}'`;
  if (depth > limits.depthLimit) return `${name} exceeds maximum operation depth of ${limits.depthLimit}`;
  if (aliases > limits.aliasLimit) return `${name} has more than ${limits.aliasLimit} aliases`;
  if (directives > limits.directiveLimit) return `${name} has more than ${limits.directiveLimit} directives`;
  const rootFields = measure.countRootFields(operation);
  if (rootFields > limits.rootFieldLimit) return `${name} has more than ${limits.rootFieldLimit} root fields`;
  return undefined;
}

/** The engine finds out only when it executes, and then takes it for a fault of the server. */
function unknownOperation({ operation }: OperationDefinitionNode, context: ValidationContext): string | undefined {
  return context.getSchema().getRootType(operation) ? undefined : `The schema has no ${operation} operations`;
}

function refuse(message: string, nodes: OperationDefinitionNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: "GRAPHQL_VALIDATION_FAILED", http: { status: 400 } } });
}
