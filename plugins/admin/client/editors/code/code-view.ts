import { defaultKeymap, history, historyKeymap, redoDepth, undoDepth } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  type StateCommand,
  Transaction,
} from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { isRightToLeft } from "../../messages/text.js";
import { changeBetween } from "./change-between.js";
import { codeTheme } from "./code-theme.js";
import { type CodeLanguage, languageSupport } from "./languages.js";
import { lineBreakOf, withLineBreak } from "./line-breaks.js";
import { continueLine, insertImage, insertLink, toggleAround } from "./markdown-commands.js";
import { problemMarks } from "./problem-marks.js";

/** What the editor is given. */
export interface CodeProps {
  readonly id: string;
  readonly labelId: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid: boolean;
  readonly language: CodeLanguage;
  /** Stays as it is byte by byte, but for what the author changes. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isReadOnly: boolean;
  /** Of the content: its direction, and its spelling. */
  readonly locale: string;
  readonly placeholder?: string | undefined;
  /** Lets the author choose a picture, by its address; undefined: none was chosen. */
  readonly pickImage?: (() => Promise<string | undefined>) | undefined;
}

/** What the view asks of what is around it. */
export interface Surroundings {
  /** What the editor is given now. */
  readonly props: () => CodeProps;
  readonly onDepths: (depths: Depths) => void;
}

/** Whether there is something to undo and to redo. */
export interface Depths {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** Marks what was set from outside: the form knows it already. */
const isSetOutside = Annotation.define<boolean>();

/** The editor of a text, as CodeMirror has it. */
export class CodeView {
  readonly view: EditorView;
  readonly #changing = new Compartment();
  #value: string;

  constructor(
    place: HTMLElement,
    private readonly around: Surroundings,
  ) {
    this.#value = around.props().value;
    this.view = new EditorView({ parent: place, state: this.#stateOf(this.#value) });
    this.#tellDepths();
  }

  /** Runs a command, unless the text may only be read. */
  run(command: StateCommand): void {
    if (!this.around.props().isReadOnly) command(this.view);
  }

  /** Shows all that is given now but for the text. */
  showProps(): void {
    this.view.dispatch({ effects: this.#changing.reconfigure(changing(this.around.props())) });
  }

  /** Shows a text that was set from outside: it replaces the part that differs, and the cursor stays. */
  showValue(value: string): void {
    if (value === this.#value) return;
    this.#value = value;
    if (lineBreakOf(value) !== this.view.state.lineBreak) this.view.setState(this.#stateOf(value));
    else this.#replace(value);
    this.#tellDepths();
  }

  /** Sets the text, as an edit of the author. */
  edit(text: string): void {
    if (!this.around.props().isReadOnly) this.view.dispatch({ changes: this.#changeTo(text), userEvent: "input" });
  }

  /** Writes a picture where the cursor is, once one was chosen. */
  async insertImage(): Promise<void> {
    const url = await this.around.props().pickImage?.();
    if (url) this.run(insertImage(url));
    this.view.focus();
  }

  #replace(text: string): void {
    this.view.dispatch({
      changes: this.#changeTo(text),
      annotations: [isSetOutside.of(true), Transaction.addToHistory.of(false)],
    });
  }

  /** Positions of the editor count a line break as one. */
  #changeTo(text: string) {
    const { state } = this.view;
    const lines = (one: string) => one.split(state.lineBreak).join("\n");
    const change = changeBetween(state.doc.toString(), lines(text)) as { from: number; to: number; insert: string };
    return { ...change, insert: state.toText(change.insert.split("\n").join(state.lineBreak)) };
  }

  #stateOf(value: string): EditorState {
    const props = this.around.props();
    const lineBreak = lineBreakOf(value);
    return EditorState.create({
      doc: value,
      extensions: [
        EditorState.lineSeparator.of(lineBreak),
        EditorView.clipboardInputFilter.of((text) => withLineBreak(text, lineBreak)),
        history(),
        highlightSpecialChars(),
        codeTheme,
        languageSupport(props.language),
        props.language === "json" ? [lineNumbers(), bracketMatching(), problemMarks] : markdownKeys,
        EditorView.lineWrapping,
        keymap.of([...historyKeymap, ...defaultKeymap]),
        this.#changing.of(changing(props)),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged) this.#onChange(transactions.some((tr) => tr.annotation(isSetOutside)));
        }),
      ],
    });
  }

  #onChange(isOutside: boolean): void {
    this.#tellDepths();
    if (isOutside) return;
    this.#value = this.view.state.sliceDoc();
    this.around.props().onChange(this.#value);
  }

  #tellDepths(): void {
    const { state } = this.view;
    this.around.onDepths({ canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 });
  }
}

const markdownKeys: Extension = keymap.of([
  { key: "Mod-b", run: toggleAround("**") },
  { key: "Mod-i", run: toggleAround("*") },
  { key: "Mod-e", run: toggleAround("`") },
  { key: "Mod-k", run: insertLink, preventDefault: true },
  { key: "Enter", run: continueLine },
]);

/** What may change while the editor is there. */
function changing(props: CodeProps): Extension {
  const { id, labelId, describedBy, isInvalid, isReadOnly, language, locale } = props;
  const isJson = language === "json";
  return [
    EditorState.readOnly.of(isReadOnly),
    props.placeholder ? placeholder(props.placeholder) : [],
    EditorView.contentAttributes.of({
      id,
      "data-editable": "",
      "aria-labelledby": labelId,
      "aria-describedby": [describedBy, `${id}-keys`, isJson && `${id}-problem`].filter(Boolean).join(" "),
      dir: !isJson && isRightToLeft(locale) ? "rtl" : "ltr",
      ...(isJson ? {} : { lang: locale, spellcheck: "true", autocorrect: "on", autocapitalize: "on" }),
      ...(isInvalid && { "aria-invalid": "true" }),
      ...(isReadOnly && { "aria-readonly": "true" }),
    }),
  ];
}
