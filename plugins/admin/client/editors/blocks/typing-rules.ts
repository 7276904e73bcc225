import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Command, Plugin } from "prosemirror-state";
import { setKind, type TextKind } from "./block-commands.js";
import { append, transactionOf } from "./in-one-step.js";
import { toggleList } from "./list-commands.js";
import { type Modifier, schema } from "./schema.js";

/** What Markdown writes around a text, as it is typed at its end. */
const AROUND: readonly (readonly [Modifier, RegExp])[] = [
  ["bold", /(?:^|[^*])(\*\*([^\s*](?:[^*]*[^\s*])?)\*\*)$/],
  ["bold", /(?:^|[^\w_])(__([^\s_](?:[^_]*[^\s_])?)__)$/],
  ["italic", /(?:^|[^*])(\*([^\s*](?:[^*]*[^\s*])?)\*)$/],
  ["italic", /(?:^|[^\w_])(_([^\s_](?:[^_]*[^\s_])?)_)$/],
  ["strikethrough", /(?:^|[^~])(~~([^\s~](?:[^~]*[^\s~])?)~~)$/],
  ["code", /(?:^|[^`])(`([^`]+)`)$/],
];

/** What Markdown has at the start of a block. */
export const typingRules: Plugin = inputRules({
  rules: [
    atStart(/^(#{1,6}) $/, ([, signs = ""]) => setKind(`heading${signs.length}` as TextKind)),
    atStart(/^> $/, () => setKind("quote")),
    atStart(/^```$/, () => setKind("codeBlock")),
    atStart(/^[-*+] $/, () => toggleList("unordered")),
    atStart(/^\d{1,3}[.)] $/, () => toggleList("ordered")),
    ...AROUND.map(([mark, pattern]) => around(mark, pattern)),
  ],
});

/** A rule for a block that is not in a list, where those signs are text. */
function atStart(pattern: RegExp, commandOf: (match: RegExpMatchArray) => Command): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    if (state.selection.$from.depth !== 1) return null;
    const emptied = state.tr.delete(start, end);
    const next = transactionOf(commandOf(match), state.apply(emptied));
    return next ? append(emptied, next) : null;
  });
}

/** Marks a text and takes the signs around it away; what is typed next is plain. */
function around(name: Modifier, pattern: RegExp): InputRule {
  const mark = schema.marks[name];
  return new InputRule(pattern, (state, match, start, end) => {
    const [whole, signs = "", text = ""] = match;
    const from = start + whole.length - signs.length;
    const width = signs.indexOf(text);
    const { tr } = state;
    // The last sign is being typed: it is not in the document yet.
    tr.delete(from + width + text.length, end).delete(from, from + width);
    tr.addMark(from, from + text.length, mark.create()).removeStoredMark(mark);
    return tr;
  });
}
