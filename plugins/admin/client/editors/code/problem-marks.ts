import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { JsonProblem } from "./json-text.js";

/** Says what is wrong; undefined: nothing. */
export const setProblem = StateEffect.define<JsonProblem | undefined>();

/** Marks the place that is wrong, and its line, until the text is changed there or checked again. */
export const problemMarks: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const effect = effects.findLast((one) => one.is(setProblem));
    if (!effect) return marks.map(changes);
    const problem = effect.value as JsonProblem | undefined;
    if (!problem || problem.to > state.doc.length) return Decoration.none;
    const line = Decoration.line({ class: "cm-problemLine" }).range(state.doc.lineAt(problem.from).from);
    const { from, to } = problem;
    return Decoration.set(from < to ? [line, Decoration.mark({ class: "cm-problem" }).range(from, to)] : [line], true);
  },
  provide: (field) => EditorView.decorations.from(field),
});
