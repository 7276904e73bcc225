import type { ApolloServerPlugin } from "@apollo/server";
import { type DocumentNode, GraphQLError, getNamedType, getVariableValues, isLeafType, Kind, visit } from "graphql";
import { type ComplexityEstimator, getComplexity } from "graphql-query-complexity";
import type { GraphqlContext } from "../contract.js";

/** What a field with fields of its own costs: in the database it is a join or a statement. */
const JOIN_COST = 10;

const estimate: ComplexityEstimator = ({ field, childComplexity }) => {
  if (field.name.startsWith("__")) return 0;
  return childComplexity + (isLeafType(getNamedType(field.type)) ? 1 : JOIN_COST);
};

/**
 * Refuses operations whose fields cost more than the limit, fragments counted wherever they are spread. How many rows
 * there are is not part of it: amountLimit bounds every list.
 */
export function createCostLimit(limit: number): ApolloServerPlugin<GraphqlContext> {
  const accepted = new WeakSet<DocumentNode>();
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ schema, document, operation, operationName, request }) => {
        if (accepted.has(document)) return;
        // The engine says what is wrong with them, right after this.
        if (getVariableValues(schema, operation?.variableDefinitions ?? [], request.variables ?? {}).errors) return;
        const cost = getComplexity({
          schema,
          query: document,
          estimators: [estimate],
          ...(operationName ? { operationName } : {}),
          variables: request.variables ?? {},
        });
        if (cost > limit) throw tooCostly(cost, limit);
        if (isFixed(document)) accepted.add(document);
      },
    }),
  };
}

/** Whether the cost is the same for all variables and every operation of the document. */
function isFixed(document: DocumentNode): boolean {
  let [operations, directives] = [0, 0];
  visit(document, {
    [Kind.OPERATION_DEFINITION]: () => {
      operations += 1;
    },
    [Kind.DIRECTIVE]: () => {
      directives += 1;
    },
  });
  return operations === 1 && directives === 0;
}

function tooCostly(cost: number, limit: number): GraphQLError {
  return new GraphQLError(`The operation costs ${cost}, and ${limit} is the limit; ask for less at once`, {
    extensions: { code: "GRAPHQL_VALIDATION_FAILED", http: { status: 400 } },
  });
}
