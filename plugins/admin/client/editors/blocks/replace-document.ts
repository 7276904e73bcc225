import type { Node, ResolvedPos } from "prosemirror-model";
import { type EditorState, TextSelection, type Transaction } from "prosemirror-state";

/**
 * Puts another document into the place of the one that is shown. What is the same stays, and the cursor stays in its block
 * where that is there, wherever it stands now. It is nothing that can be undone.
 *
 * @returns undefined where both are the same
 */
export function replaceDocument(state: EditorState, next: Node): Transaction | undefined {
  const { doc } = state;
  const shortest = Math.min(doc.childCount, next.childCount);
  let start = 0;
  while (start < shortest && isSame(doc.child(start), next.child(start))) start += 1;
  let tail = 0;
  while (tail < shortest - start && isSame(fromEnd(doc, tail), fromEnd(next, tail))) tail += 1;
  const [end, newEnd] = [doc.childCount - tail, next.childCount - tail];
  if (start === end && start === newEnd) return undefined;
  const tr = state.tr.replaceWith(offsetOf(doc, start), offsetOf(doc, end), next.children.slice(start, newEnd));
  const [anchor, head] = [placeIn(next, state.selection.$anchor), placeIn(next, state.selection.$head)];
  const hasText = anchor !== undefined && head !== undefined && state.selection instanceof TextSelection;
  if (hasText) tr.setSelection(TextSelection.create(tr.doc, anchor, head));
  return tr.setMeta("addToHistory", false);
}

const isSame = (a: Node, b: Node): boolean => a === b || a.eq(b);
const fromEnd = (doc: Node, index: number): Node => doc.child(doc.childCount - 1 - index);

const offsetOf = (doc: Node, index: number): number =>
  doc.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0);

/** Where a position of a block is in another document: in the same block that is next to the place it had. */
function placeIn(next: Node, $pos: ResolvedPos): number | undefined {
  if ($pos.depth === 0) return undefined;
  const [block, index] = [$pos.node(1), $pos.index(0)];
  const found = next.children
    .flatMap((other, at) => (isSame(other, block) ? [at] : []))
    .sort((a, b) => Math.abs(a - index) - Math.abs(b - index));
  const [nearest] = found;
  return nearest === undefined ? undefined : offsetOf(next, nearest) + $pos.pos - $pos.before(1);
}
