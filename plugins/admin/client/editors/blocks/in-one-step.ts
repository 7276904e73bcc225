import { type Command, type EditorState, Selection, type Transaction } from "prosemirror-state";

/** A command that is two of them, one after the other, in one step of the history. It does what the first does where the second cannot be. */
export const inOneStep =
  (first: Command, second: Command): Command =>
  (state, dispatch) => {
    if (!dispatch) return first(state);
    const begun = transactionOf(first, state);
    if (!begun) return false;
    const next = transactionOf(second, state.apply(begun));
    dispatch(next ? append(begun, next) : begun);
    return true;
  };

/** Adds to a transaction what another one does to the state that comes of it. */
export function append(tr: Transaction, next: Transaction): Transaction {
  for (const step of next.steps) tr.step(step);
  if (next.selectionSet) tr.setSelection(Selection.fromJSON(tr.doc, next.selection.toJSON()));
  return tr.scrollIntoView();
}

/** What a command would dispatch. Undefined: it does not apply. */
export function transactionOf(command: Command, state: EditorState): Transaction | undefined {
  let made: Transaction | undefined;
  command(state, (tr) => {
    made = tr;
  });
  return made;
}
