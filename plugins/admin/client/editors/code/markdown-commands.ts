import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type StateCommand,
  type TransactionSpec,
} from "@codemirror/state";

/** Puts signs around what is selected, or takes them away. */
export const toggleAround =
  (signs: string): StateCommand =>
  ({ state, dispatch }) => {
    const width = signs.length;
    const spec = state.changeByRange((range) => {
      const { from, to } = range;
      const isOutside = hasSigns(state, from - width, signs) && hasSigns(state, to, signs);
      if (!isOutside) {
        const changes = [
          { from, insert: signs },
          { from: to, insert: signs },
        ];
        return { changes, range: EditorSelection.range(range.anchor + width, range.head + width) };
      }
      const changes = [
        { from: from - width, to: from },
        { from: to, to: to + width },
      ];
      return { changes, range: EditorSelection.range(range.anchor - width, range.head - width) };
    });
    return run(state, dispatch, spec);
  };

/** Whether signs stand at a place, and not as a part of longer ones: `*` is none in `**`. */
function hasSigns(state: EditorState, from: number, signs: string): boolean {
  if (from < 0 || state.sliceDoc(from, from + signs.length) !== signs) return false;
  if (signs.length > 1) return true;
  return state.sliceDoc(from - 1, from) !== signs && state.sliceDoc(from + 1, from + 2) !== signs;
}

/** Headings, in the order in which the button goes through them: a page has its title from elsewhere. */
const HEADINGS = ["", "## ", "### ", "#### ", "# "];

/** Makes a heading of the lines, of a heading another one, and text in the end. */
export const nextHeading: StateCommand = ({ state, dispatch }) => {
  const changes = selectedLines(state).map(({ from, text }) => {
    const old = /^#{1,6} +/.exec(text)?.[0] ?? "";
    const next = HEADINGS[(HEADINGS.indexOf(old) + 1) % HEADINGS.length] ?? "";
    return { from, to: from + old.length, insert: next };
  });
  return run(state, dispatch, { changes });
};

/** What stands at the start of each line of a list or quote. */
export type LineSign = "- " | "1. " | "> ";

const LINE_SIGNS: Readonly<Record<LineSign, RegExp>> = {
  "- ": /^(\s*)([-*+] )/,
  "1. ": /^(\s*)(\d+[.)] )/,
  "> ": /^()(> ?)/,
};

/** Starts the lines by a sign, in place of another one; where all have it, it is taken away. */
export const toggleLines =
  (sign: LineSign): StateCommand =>
  ({ state, dispatch }) => {
    const lines = selectedLines(state);
    const filled = lines.filter(({ text }) => text.trim() !== "");
    const chosen = filled.length > 0 ? filled : lines;
    const isOn = chosen.every(({ text }) => LINE_SIGNS[sign].test(text));
    const changes = chosen.map(({ from, text }, index): ChangeSpec => {
      const found = (isOn || sign === "> " ? [LINE_SIGNS[sign]] : [LINE_SIGNS["- "], LINE_SIGNS["1. "]])
        .map((pattern) => pattern.exec(text))
        .find((match) => match !== null);
      const indent = found?.[1]?.length ?? /^\s*/.exec(text)?.[0].length ?? 0;
      const start = from + (sign === "> " ? 0 : indent);
      const old = isOn || sign !== "> " ? (found?.[2]?.length ?? 0) : 0;
      return { from: start, to: start + old, insert: isOn ? "" : sign === "1. " ? `${index + 1}. ` : sign };
    });
    return run(state, dispatch, { changes });
  };

/** Marks code: within a line by backticks, lines by a fence. */
export const toggleCode: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  if (first.number === last.number) return toggleAround("`")({ state, dispatch });
  const { lineBreak } = state;
  const changes = [
    { from: first.from, insert: state.toText(`\`\`\`${lineBreak}`) },
    { from: last.to, insert: state.toText(`${lineBreak}\`\`\``) },
  ];
  return run(state, dispatch, { changes });
};

/** Writes a link of what is selected; what is missing of it is selected then. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const isUrl = /^(?:https?:\/\/|mailto:|\/)\S*$/.test(text);
  const insert = isUrl ? `[](${text})` : `[${text}]()`;
  const cursor = from + (isUrl || text === "" ? 1 : text.length + 3);
  return run(state, dispatch, { changes: { from, to, insert: state.toText(insert) }, selection: { anchor: cursor } });
};

/** Writes a picture, with what is selected as its alternative text. */
export const insertImage =
  (url: string): StateCommand =>
  ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const address = /[\s()]/.test(url) ? `<${url}>` : url;
    const insert = state.toText(`![${state.sliceDoc(from, to)}](${address})`);
    return run(state, dispatch, {
      changes: { from, to, insert },
      selection: { anchor: from + 2, head: from + 2 + to - from },
    });
  };

/** Enter in a list or a quote goes on with it; in an item that is empty it ends it. */
export const continueLine: StateCommand = ({ state, dispatch }) => {
  const { from, empty } = state.selection.main;
  const line = state.doc.lineAt(from);
  const match = /^(\s*(?:> ?)*)((?:[-*+]|(\d+)([.)])) +(?:\[[ xX]\] +)?)?/.exec(line.text);
  const [signs = "", around = "", item = "", number, point] = match ?? [];
  if (!empty || signs.trim() === "" || from < line.from + signs.length) return false;
  if (line.text.trim() === signs.trim()) return run(state, dispatch, { changes: { from: line.from, to: line.to } });
  const next = number ? `${Number(number) + 1}${point} ` : item.replace(/\[[xX]\]/, "[ ]");
  const insert = `${state.lineBreak}${around}${next}`;
  const anchor = from + 1 + around.length + next.length;
  return run(state, dispatch, { changes: { from, insert: state.toText(insert) }, selection: { anchor } });
};

function selectedLines(state: EditorState) {
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
}

function run(state: EditorState, dispatch: Parameters<StateCommand>[0]["dispatch"], spec: TransactionSpec): boolean {
  dispatch(state.update(spec, { scrollIntoView: true, userEvent: "input" }));
  return true;
}
