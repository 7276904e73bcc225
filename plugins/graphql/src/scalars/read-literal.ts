import { type ValueNode, visit } from "graphql";

/**
 * The value of a literal in a document. During validation variables have no values: a literal with variables counts as
 * valid then, and is read at execution.
 *
 * @param read - throws for a value that is not good.
 */
export function readLiteral(
  node: ValueNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
  read: () => unknown,
): unknown {
  return !variables && hasVariables(node) ? {} : read();
}

function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, {
    Variable: () => {
      found = true;
    },
  });
  return found;
}
