import { undoDepth, redoDepth, history } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { type Command, EditorState, Plugin, TextSelection, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet, EditorView } from "prosemirror-view";
import { isRightToLeft } from "../../messages/text.js";
import { insertBlock, kindOf, type BlockKind, typeBelow } from "./block-commands.js";
import { blocksOf, documentOf, isEmpty } from "./convert.js";
import { keyCommands } from "./keys.js";
import { listView } from "./list-view.js";
import { completeUrl, linkRange, setLink } from "./link-commands.js";
import { pastedParser } from "./pasted-parser.js";
import { type Keys, MODIFIERS, type Modifier, schema } from "./schema.js";
import { replaceDocument } from "./replace-document.js";
import { entriesOf } from "./slash-entries.js";
import { removeQuery, slashMenu, slashMenuOf, type SlashMenu } from "./slash-menu.js";
import { typingRules } from "./typing-rules.js";

/** What the editor is given. */
export interface BlocksProps {
  readonly id: string;
  readonly labelId: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid: boolean;
  readonly value: readonly unknown[] | null;
  readonly onChange: (value: readonly unknown[] | null) => void;
  readonly isReadOnly: boolean;
  /** Of the content: its direction, and its spelling. */
  readonly locale: string;
  readonly placeholder?: string | undefined;
  /** Lets the author choose a picture; undefined: none was chosen. */
  readonly pickImage?: (() => Promise<object | undefined>) | undefined;
}

/** What the bar and the menus show of the editor. */
export interface Look {
  readonly kind: BlockKind;
  readonly modifiers: readonly Modifier[];
  readonly isLink: boolean;
  /** Of a block of code. */
  readonly language: string | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly slash: SlashMenu | undefined;
}

/** What the view asks of what is around it. */
export interface Surroundings {
  /** What the editor is given now. */
  readonly props: () => BlocksProps;
  readonly onLook: (look: Look) => void;
  readonly openLink: () => void;
  /** Says where a block was moved to. */
  readonly onMoved: (place: number, count: number) => void;
}

/** The editor of blocks, as ProseMirror has it. */
export class BlocksView {
  readonly view: EditorView;
  #value: readonly unknown[] | null;

  constructor(
    place: HTMLElement,
    private readonly around: Surroundings,
  ) {
    this.#value = around.props().value;
    this.view = new EditorView(place, {
      state: EditorState.create({ doc: documentOf(this.#value), plugins: this.#plugins() }),
      editable: () => !around.props().isReadOnly,
      attributes: () => attributesOf(around.props(), this.#slash()),
      clipboardParser: pastedParser,
      nodeViews: { list: listView },
      dispatchTransaction: (tr) => this.#apply(tr),
      handleTextInput: (_view, _from, _to, text) => this.#tries(typeBelow(text)),
      handlePaste: (_view, event) => this.#pasteAddress(event),
    });
    around.onLook(this.look());
  }

  /** Runs a command, unless the value may only be read. */
  run(command: Command): boolean {
    return !this.around.props().isReadOnly && this.#tries(command);
  }

  /** Shows a value that was set from outside: what is the same stays, and with it the selection. */
  show(value: readonly unknown[] | null): void {
    this.view.setProps({});
    if (value === this.#value) return;
    this.#value = value;
    const tr = replaceDocument(this.view.state, documentOf(value));
    if (tr) this.#update(tr);
  }

  /** Puts a picture where the cursor is, once one was chosen. */
  async insertImage(): Promise<void> {
    const image = await this.around.props().pickImage?.();
    if (image && !this.view.isDestroyed) this.run(insertBlock(schema.nodes.image.create({ image })));
    if (!this.view.isDestroyed) this.view.focus();
  }

  /** Does what an entry of the `/` menu says, in place of what was typed for it. */
  choose(index: number): void {
    const entry = entriesOf(this.#slash()?.query ?? "", this.#hasPictures())[index];
    if (!entry || !this.run(removeQuery)) return;
    if (entry.command) this.run(entry.command);
    else void this.insertImage();
    this.view.focus();
  }

  look(): Look {
    const { state } = this.view;
    const { $from, empty, from, to } = state.selection;
    const marks = state.storedMarks ?? $from.marks();
    const has = (name: Modifier) => {
      const mark = schema.marks[name];
      return empty ? mark.isInSet(marks) !== undefined : state.doc.rangeHasMark(from, to, mark);
    };
    const keys = $from.parent.type === schema.nodes.codeBlock ? ($from.parent.attrs["keys"] as Keys) : undefined;
    return {
      kind: kindOf(state),
      modifiers: MODIFIERS.filter(has),
      isLink: linkRange(state).link !== undefined,
      language: keys && String(keys["language"] ?? ""),
      canUndo: undoDepth(state) > 0,
      canRedo: redoDepth(state) > 0,
      slash: this.#slash(),
    };
  }

  #plugins(): Plugin[] {
    const openLink: Command = () => {
      this.around.openLink();
      return true;
    };
    const count = (query: string) => entriesOf(query, this.#hasPictures()).length;
    return [
      slashMenu({ count, choose: (index) => this.choose(index) }),
      leaveByTab(),
      typingRules,
      keymap(keyCommands(openLink)),
      history(),
      hints(() => this.around.props().placeholder),
    ];
  }

  #slash(): SlashMenu | undefined {
    // ProseMirror asks for attributes while it is made.
    return this.view?.state ? slashMenuOf(this.view.state) : undefined;
  }

  #hasPictures(): boolean {
    return this.around.props().pickImage !== undefined;
  }

  #tries(command: Command): boolean {
    return command(this.view.state, this.view.dispatch, this.view);
  }

  #apply(tr: Transaction): void {
    const before = this.view.state;
    this.#update(tr);
    if (!tr.docChanged) return;
    const empty = this.#value && this.#value.length > 0 ? null : this.#value;
    this.#value = blocksOf(this.view.state.doc, empty);
    this.around.props().onChange(this.#value);
    const { doc, selection } = this.view.state;
    const isMove = doc.content.size === before.doc.content.size && tr.steps.length === 2;
    const place = selection.$from.index(0);
    if (isMove && place !== before.selection.$from.index(0)) this.around.onMoved(place + 1, doc.childCount);
  }

  #update(tr: Transaction): void {
    this.view.updateState(this.view.state.apply(tr));
    this.around.onLook(this.look());
  }

  /** An address that is pasted over a text is its link. */
  #pasteAddress(event: ClipboardEvent): boolean {
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const { selection } = this.view.state;
    const isAddress = /^https?:\/\/\S+$/.test(text) && completeUrl(text) !== undefined;
    const isText = selection instanceof TextSelection && !selection.empty && selection.$from.sameParent(selection.$to);
    return isAddress && isText && this.#tries(setLink(text, { ...linkRange(this.view.state), link: undefined }));
  }
}

function attributesOf(props: BlocksProps, slash: SlashMenu | undefined): Record<string, string> {
  const { id, labelId, describedBy, isInvalid, isReadOnly, locale, placeholder } = props;
  return {
    id,
    "data-editable": "",
    role: "textbox",
    "aria-multiline": "true",
    "aria-labelledby": labelId,
    "aria-describedby": [describedBy, `${id}-keys`].filter(Boolean).join(" "),
    lang: locale,
    dir: isRightToLeft(locale) ? "rtl" : "ltr",
    ...(isInvalid && { "aria-invalid": "true" }),
    ...(isReadOnly && { "aria-readonly": "true", tabindex: "0" }),
    ...(placeholder && { "aria-placeholder": placeholder }),
    ...(slash && { "aria-controls": `${id}-slash`, "aria-activedescendant": `${id}-slash-${slash.index}` }),
  };
}

/** After Escape the next Tab moves the focus on, also in a list. A window around the editor closes with the second Escape. */
function leaveByTab(): Plugin {
  let isLeaving = false;
  return new Plugin({
    props: {
      handleKeyDown(_view, event) {
        const wasLeaving = isLeaving;
        if (event.key !== "Shift") isLeaving = event.key === "Escape" && !wasLeaving;
        if (isLeaving && event.key === "Escape") event.stopPropagation();
        return false;
      },
      handleDOMEvents: {
        keydown: (_view, event) => isLeaving && event.key === "Tab",
        blur: () => {
          isLeaving = false;
          return false;
        },
      },
    },
  });
}

/** The placeholder of an editor that is empty. */
function hints(placeholder: () => string | undefined): Plugin {
  return new Plugin({
    props: {
      decorations({ doc }) {
        const text = placeholder();
        if (!text || !isEmpty(doc)) return null;
        return DecorationSet.create(doc, [Decoration.node(0, doc.content.size, { "data-placeholder": text })]);
      },
    },
  });
}
