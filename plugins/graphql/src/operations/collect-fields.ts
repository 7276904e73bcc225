import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** What a selection is read with. */
export type SelectionContext = Pick<GraphQLResolveInfo, "schema" | "fragments" | "variableValues">;

/** The selections below fields; fields without any have none. */
export function selectionSetsOf(nodes: readonly FieldNode[]): readonly SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/**
 * All fields that selections ask of an object of one type: fragments opened, what directives leave out left out. The
 * document is valid, so fragments end.
 */
export function collectFields(
  context: SelectionContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const seen = new Set<string>();
  const visit = (selection: SelectionNode): void => {
    if (!isIncluded(context, selection)) return;
    if (selection.kind === "Field") {
      fields.push(selection);
      return;
    }
    const fragment = selection.kind === "InlineFragment" ? selection : openOnce(context, seen, selection.name.value);
    if (fragment && meets(context, fragment.typeCondition?.name.value, type))
      fragment.selectionSet.selections.forEach(visit);
  };
  for (const { selections } of sets) selections.forEach(visit);
  return fields;
}

/** The same fields by the keys of the answer. */
export function groupFields(
  context: SelectionContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const groups = new Map<string, FieldNode[]>();
  for (const node of collectFields(context, type, sets)) {
    const key = node.alias?.value ?? node.name.value;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return groups;
}

function openOnce({ fragments }: SelectionContext, seen: Set<string>, name: string) {
  if (seen.has(name)) return undefined;
  seen.add(name);
  return fragments[name];
}

function isIncluded({ variableValues }: SelectionContext, selection: SelectionNode): boolean {
  if (!selection.directives || selection.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.["if"] !== true && include?.["if"] !== false;
}

function meets({ schema }: SelectionContext, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && schema.isSubType(abstract, type);
}
