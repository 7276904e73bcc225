import { Fragment, type Node, type NodeRange, type ResolvedPos } from "prosemirror-model";
import { type Command, type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { type ListFormat, NO_KEYS, schema } from "./schema.js";

const { list: LIST, listItem: ITEM, paragraph: PARAGRAPH } = schema.nodes;

/** The list that holds the selected items, as a range of its children. */
function selectedItems({ selection: { $from, $to } }: Pick<EditorState, "selection">): NodeRange | null {
  return $from.blockRange($to, (node) => node.type === LIST);
}

/** The list around a place, the innermost. */
export function listAround($pos: ResolvedPos): { readonly node: Node; readonly pos: number } | undefined {
  for (let depth = $pos.depth; depth > 0; depth -= 1)
    if ($pos.node(depth).type === LIST) return { node: $pos.node(depth), pos: $pos.before(depth) };
  return undefined;
}

/** Puts the selected items into a list of their own, below the item before them, with the lists that come after. */
export const indent: Command = (state, dispatch) => {
  const range = selectedItems(state);
  if (!range || range.startIndex === 0) return false;
  const isBefore = range.parent.child(range.startIndex - 1).type === LIST;
  const isAfter = range.endIndex < range.parent.childCount && range.parent.child(range.endIndex).type === LIST;
  const keys = { indentLevel: depthOf(range) + 1 };
  const { tr } = state;
  tr.wrap(range, [{ type: LIST, attrs: { format: range.parent.attrs["format"], keys } }]);
  if (isAfter) tr.join(range.end + 2);
  if (isBefore) tr.join(range.start);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** How many lists stand around the list of a range. */
const depthOf = ({ $from, depth }: NodeRange): number =>
  Array.from({ length: depth }, (_, index) => $from.node(index)).filter(({ type }) => type === LIST).length;

/** Takes the selected items out of their list, into the one around it. */
export const outdent: Command = (state, dispatch) => {
  const range = selectedItems(state);
  if (!range || depthOf(range) === 0) return false;
  dispatch?.(state.tr.lift(range, range.depth - 1).scrollIntoView());
  return true;
};

/** Makes paragraphs of the selected items; those of a list in a list step out of it first. */
export const leaveList: Command = (state, dispatch) => {
  const range = selectedItems(state);
  if (!range) return false;
  if (!dispatch) return true;
  const { tr } = state;
  for (let depth = depthOf(range); depth > 0; depth -= 1) liftOnce(tr);
  const last = selectedItems(tr);
  if (last) replaceItems(tr, last);
  dispatch(tr.scrollIntoView());
  return true;
};

function liftOnce(tr: Transaction): void {
  const range = selectedItems(tr);
  if (range) tr.lift(range, range.depth - 1);
}

/** The list of a range falls apart: items before, paragraphs, items after. */
function replaceItems(tr: Transaction, { $from, depth, parent, startIndex, endIndex }: NodeRange): void {
  const [before, chosen, after] = [
    parent.children.slice(0, startIndex),
    parent.children.slice(startIndex, endIndex),
    parent.children.slice(endIndex),
  ];
  const part = (children: readonly Node[]) => (children.length > 0 ? [parent.copy(Fragment.from(children))] : []);
  const blocks = chosen.map((node) => (node.type === ITEM ? asParagraph(node) : node));
  const shift = before.length > 0 ? 1 : -1;
  replaceBlocks(tr, { from: $from.before(depth), to: $from.after(depth), shift }, [
    ...part(before),
    ...blocks,
    ...part(after),
  ]);
}

const asParagraph = (item: Node): Node => PARAGRAPH.create({ keys: item.attrs["keys"] }, item.content);

interface Place {
  readonly from: number;
  readonly to: number;
  /** By how much the selected text moves. */
  readonly shift: number;
}

/** Puts blocks into the place of others whose texts are the same, and selects the same text. */
function replaceBlocks(tr: Transaction, { from, to, shift }: Place, blocks: readonly Node[]): void {
  const { anchor, head } = tr.selection;
  tr.replaceWith(from, to, blocks);
  tr.setSelection(TextSelection.create(tr.doc, anchor + shift, head + shift));
}

/** Makes a list of the selected blocks of text; of a list another format; and paragraphs of a list that has it. */
export const toggleList =
  (format: ListFormat): Command =>
  (state, dispatch) => {
    const around = listAround(state.selection.$from);
    if (!around) return makeList(format, state, dispatch);
    if (around.node.attrs["format"] === format) return leaveList(state, dispatch);
    dispatch?.(state.tr.setNodeAttribute(around.pos, "format", format));
    return true;
  };

function makeList(format: ListFormat, state: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const { $from, $to } = state.selection;
  const range = $from.blockRange($to);
  if (!range || range.depth > 0 || !(state.selection instanceof TextSelection)) return false;
  const blocks = range.parent.children.slice(range.startIndex, range.endIndex);
  if (!blocks.every(({ isTextblock }) => isTextblock)) return false;
  if (!dispatch) return true;
  const items = blocks.map(({ attrs, content }) => ITEM.create({ keys: attrs["keys"] }, content));
  const { tr } = state;
  const { start, end } = range;
  replaceBlocks(tr, { from: start, to: end, shift: 1 }, [LIST.create({ format, keys: NO_KEYS }, items)]);
  dispatch(tr.scrollIntoView());
  return true;
}

/** Enter in a list: another item; from an empty one a step out. */
export const splitItem: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if ($from.parent.type !== ITEM || !$from.sameParent($to)) return false;
  if ($from.parent.content.size === 0) return outdent(state, dispatch) || leaveList(state, dispatch);
  const { tr } = state;
  tr.deleteSelection().split(tr.mapping.map($from.pos), 1, [{ type: ITEM, attrs: { keys: NO_KEYS } }]);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Backspace at the start of an item: a step out. */
export const stepOutAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== ITEM || $from.parentOffset > 0) return false;
  return outdent(state, dispatch) || leaveList(state, dispatch);
};

/** Swaps the selected items with the one beside them. */
export const moveItem =
  (step: -1 | 1): Command =>
  (state, dispatch) => {
    const range = selectedItems(state);
    const index = step < 0 ? (range?.startIndex ?? 0) - 1 : (range?.endIndex ?? 0);
    const other = range?.parent.maybeChild(index);
    if (!range || !other) return false;
    dispatch?.(moveBeside(state.tr, range, other, step).scrollIntoView());
    return true;
  };

/** Moves the neighbour to the other side: so the blocks that are moved stay the same nodes, and the selection within them. */
export function moveBeside(tr: Transaction, { start, end }: NodeRange, other: Node, step: -1 | 1): Transaction {
  if (step < 0) return tr.delete(start - other.nodeSize, start).insert(end - other.nodeSize, other);
  return tr.insert(start, other).delete(end + other.nodeSize, end + 2 * other.nodeSize);
}
