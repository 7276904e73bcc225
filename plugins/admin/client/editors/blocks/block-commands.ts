import { createParagraphNear, exitCode, newlineInCode, setBlockType } from "prosemirror-commands";
import type { Node, NodeType } from "prosemirror-model";
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { inOneStep } from "./in-one-step.js";
import { leaveList, listAround, moveBeside, moveItem } from "./list-commands.js";
import { type Keys, NO_KEYS, schema } from "./schema.js";

const { nodes } = schema;

/** Kinds of blocks that text may be turned into, beside lists. */
export type TextKind = "paragraph" | "quote" | "codeBlock" | `heading${1 | 2 | 3 | 4 | 5 | 6}`;

/** The kind of the block that holds the cursor; of pictures and of what the editor does not know there is none. */
export type BlockKind = TextKind | "ordered" | "unordered" | "";

/** The kind of the block at the start of the selection. */
export function kindOf({ selection }: EditorState): BlockKind {
  const { $from } = selection;
  const list = listAround($from);
  if (list) return list.node.attrs["format"];
  const { type, attrs } = $from.parent;
  if (selection instanceof NodeSelection || !type.isTextblock) return "";
  return (type === nodes.heading ? `heading${attrs["level"]}` : type.name) as BlockKind;
}

/** Makes another kind of block of the selected ones; items of a list leave it. Keys of a block stay. */
export const setKind =
  (kind: TextKind): Command =>
  (state, dispatch) => {
    if (listAround(state.selection.$from)) return inOneStep(leaveList, setKind(kind))(state, dispatch);
    const level = kind.startsWith("heading") ? Number(kind.slice(-1)) : undefined;
    const type = level ? nodes.heading : (nodes[kind as keyof typeof nodes] as NodeType);
    if (!setBlockType(type, level ? { level } : null)(state)) return kindOf(state) === kind;
    const { from, to } = state.selection;
    const { tr } = state;
    tr.setBlockType(from, to, type, ({ attrs: { keys } }) => ({ ...(level && { level }), keys }));
    if (kind === "codeBlock") clearMarks(tr);
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** Code has no marks. */
function clearMarks(tr: Transaction): void {
  const { from, to } = tr.selection;
  tr.doc.nodesBetween(from, to, (node, pos) => {
    if (node.isTextblock) tr.removeMark(pos + 1, pos + 1 + node.content.size);
  });
}

/** Backspace at the start of a heading, quote or code makes a paragraph of it. */
export const paragraphAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.parent.type === nodes.paragraph) return false;
  return $from.depth === 1 && setKind("paragraph")(state, dispatch);
};

/** A line break inside of the block: a character, as in the JSON. */
export const insertLine: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.isTextblock) return false;
  dispatch?.(state.tr.insertText("\n").scrollIntoView());
  return true;
};

/** Enter in code: another line; on an empty last line a paragraph below. */
export const enterInCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { parent, parentOffset, pos } = $from;
  if (parent.type !== nodes.codeBlock) return false;
  const isAtEnd = empty && parentOffset === parent.content.size && parent.textContent.endsWith("\n");
  if (!isAtEnd) return newlineInCode(state, dispatch);
  const withoutLine: Command = (before, run) => {
    run?.(before.tr.delete(pos - 1, pos));
    return true;
  };
  return inOneStep(withoutLine, exitCode)(state, dispatch);
};

/** Leaves a block: a paragraph below it. */
export const exitBlock: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if (state.selection instanceof NodeSelection) return createParagraphNear(state, dispatch);
  if ($from.depth === 0) return false;
  const after = $to.after(1);
  const tr = state.tr.insert(after, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** Swaps the selected blocks with the one beside them: of a list its items, and at its ends the list. */
export const moveBlock =
  (step: -1 | 1): Command =>
  (state, dispatch) => {
    if (moveItem(step)(state, dispatch)) return true;
    const { $from, $to } = state.selection;
    const range = $from.blockRange($to, (node) => node.type === nodes.doc) ?? undefined;
    const other = range && state.doc.maybeChild(step < 0 ? range.startIndex - 1 : range.endIndex);
    if (!range || !other) return false;
    dispatch?.(moveBeside(state.tr, range, other, step).scrollIntoView());
    return true;
  };

/** Puts a block below the one with the cursor, or in place of an empty paragraph. */
export const insertBlock =
  (block: Node): Command =>
  (state, dispatch) => {
    const { $to } = state.selection;
    if (!dispatch) return true;
    const isEmpty = $to.depth === 1 && $to.parent.type === nodes.paragraph && $to.parent.content.size === 0;
    const { tr } = state;
    const at = isEmpty ? $to.before(1) : $to.depth > 0 ? $to.after(1) : $to.pos;
    const isLast = $to.depth > 0 ? $to.after(1) === state.doc.content.size : $to.pos === state.doc.content.size;
    // Below a picture at the end there has to be a place to go on writing.
    const blocks = isLast ? [block, nodes.paragraph.create()] : [block];
    tr.replaceWith(at, isEmpty ? $to.after(1) : at, blocks);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at + block.nodeSize), 1)).scrollIntoView());
    return true;
  };

/** Backspace or Delete beside a picture selects it first: it takes a second key to delete it. */
export const selectBeside =
  (side: -1 | 1): Command =>
  (state, dispatch) => {
    const { $head, empty } = state.selection;
    if (!empty || $head.depth !== 1 || $head.parentOffset !== (side < 0 ? 0 : $head.parent.content.size)) return false;
    const beside = state.doc.maybeChild($head.index(0) + side);
    if (!beside?.isAtom) return false;
    const pos = side < 0 ? $head.before(1) - beside.nodeSize : $head.after(1);
    dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, pos)).scrollIntoView());
    return true;
  };

/** Typing over a selected picture writes below it; a key must not delete a picture. */
export const typeBelow =
  (text: string): Command =>
  (state, dispatch) => {
    if (!(state.selection instanceof NodeSelection) || state.selection.node.isInline) return false;
    const { to } = state.selection;
    const tr = state.tr.insert(to, nodes.paragraph.create(null, schema.text(text)));
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, to + 1 + text.length)).scrollIntoView());
    return true;
  };

/** The language of a block of code; nothing takes it away. */
export const setLanguage =
  (language: string): Command =>
  (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type !== nodes.codeBlock) return false;
    const { language: _old, ...rest } = $from.parent.attrs["keys"] as Keys;
    const keys = language === "" ? rest : { ...rest, language };
    dispatch?.(state.tr.setNodeAttribute($from.before(), "keys", Object.keys(keys).length > 0 ? keys : NO_KEYS));
    return true;
  };
