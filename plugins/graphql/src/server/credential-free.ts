/** Mutations that clients ask for because their credentials have expired, such as `login`. */
import { GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode, parse } from "graphql";
import { isTooNested } from "./document-limits.js";

const MARK = "plinthCredentialFree";

/** Marks a field as one that expired credentials are no obstacle to. */
export function markCredentialFree(field: { extensions: object }): void {
  field.extensions = { ...field.extensions, [MARK]: true };
}

/** What a client asks for. */
export interface AskedOperation {
  readonly text: string;
  readonly operationName?: unknown;
}

/**
 * Whether an operation is a mutation of nothing but such fields.
 *
 * @param maxTokens - a text with more is none.
 */
export function isCredentialFree(schema: GraphQLSchema, asked: AskedOperation, maxTokens: number): boolean {
  const fields = schema.getMutationType()?.getFields();
  const operation = operationOf(asked, maxTokens);
  if (!fields || operation?.operation !== "mutation") return false;
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && fields[selection.name.value]?.extensions[MARK] === true,
  );
}

/** The operation that is asked for; undefined for a text that the engine refuses. */
function operationOf({ text, operationName }: AskedOperation, maxTokens: number): OperationDefinitionNode | undefined {
  try {
    if (isTooNested(text, maxTokens)) return undefined;
    const operations = parse(text, { maxTokens }).definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const isNamed = operationName !== undefined && operationName !== null;
    if (!isNamed) return operations.length === 1 ? operations[0] : undefined;
    return operations.find(({ name }) => name?.value === operationName);
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
