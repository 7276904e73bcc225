import { type ValueNode, visit } from "graphql";

/**
 * What a literal in a document stands for. While the document is checked its variables have no values: a literal with
 * variables in it counts as good then, and is read when the document is run.
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
