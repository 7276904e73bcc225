import { baseKeymap, chainCommands, deleteSelection, joinTextblockBackward, toggleMark } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { undoInputRule } from "prosemirror-inputrules";
import type { Command } from "prosemirror-state";
import {
  enterInCode,
  exitBlock,
  insertLine,
  moveBlock,
  paragraphAtStart,
  selectBeside,
  setKind,
} from "./block-commands.js";
import { indent, listAround, outdent, splitItem, stepOutAtStart, toggleList } from "./list-commands.js";
import { LEVELS, type Modifier, schema } from "./schema.js";

/** Sets or clears a mark; code blocks hold plain text. */
export const toggleModifier =
  (name: Modifier): Command =>
  (state, dispatch) =>
    state.selection.$from.parent.type !== schema.nodes.codeBlock && toggleMark(schema.marks[name])(state, dispatch);

/** In a list Tab is a key of the editor also where it can do nothing; elsewhere it moves the focus on. */
const inList =
  (command: Command): Command =>
  (state, dispatch) =>
    listAround(state.selection.$from) !== undefined && (command(state, dispatch) || true);

/**
 * What keys do. `Tab` is one of them in lists only.
 *
 * @param openLink - shows the form of a link
 */
export const keyCommands = (openLink: Command): Readonly<Record<string, Command>> => ({
  ...baseKeymap,
  "Mod-b": toggleModifier("bold"),
  "Mod-i": toggleModifier("italic"),
  "Mod-u": toggleModifier("underline"),
  "Mod-Shift-x": toggleModifier("strikethrough"),
  "Mod-e": toggleModifier("code"),
  "Mod-k": openLink,
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Alt-ArrowUp": moveBlock(-1),
  "Alt-ArrowDown": moveBlock(1),
  "Mod-Alt-0": setKind("paragraph"),
  ...Object.fromEntries(LEVELS.map((level) => [`Mod-Alt-${level}`, setKind(`heading${level}`)])),
  "Mod-Shift-7": toggleList("ordered"),
  "Mod-Shift-8": toggleList("unordered"),
  "Shift-Enter": chainCommands(enterInCode, insertLine),
  "Mod-Enter": exitBlock,
  Enter: chainCommands(enterInCode, splitItem, baseKeymap["Enter"] as Command),
  Backspace: chainCommands(
    undoInputRule,
    deleteSelection,
    stepOutAtStart,
    paragraphAtStart,
    selectBeside(-1),
    joinTextblockBackward,
    baseKeymap["Backspace"] as Command,
  ),
  Delete: chainCommands(deleteSelection, selectBeside(1), baseKeymap["Delete"] as Command),
  Tab: inList(indent),
  "Shift-Tab": inList(outdent),
});
