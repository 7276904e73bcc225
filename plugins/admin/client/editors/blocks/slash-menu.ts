import { type Command, type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { schema } from "./schema.js";

/** The menu that `/` opens at the start of a block. */
export interface SlashMenu {
  /** Where the `/` is; what was typed after it stands behind. */
  readonly from: number;
  readonly query: string;
  /** Of the entry that Enter chooses. */
  readonly index: number;
}

const key = new PluginKey<SlashMenu | undefined>("slash-menu");

/** The menu while it is open. */
export const slashMenuOf = (state: EditorState): SlashMenu | undefined => key.getState(state);

/** Marks another entry, or closes the menu. */
export const changeSlashMenu =
  (change: { readonly index: number } | "close"): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.setMeta(key, change));
    return true;
  };

/** Takes what was typed for the menu out of the text, which closes it. */
export const removeQuery: Command = (state, dispatch) => {
  const menu = slashMenuOf(state);
  if (menu) dispatch?.(state.tr.delete(menu.from, menu.from + 1 + menu.query.length));
  return menu !== undefined;
};

interface MenuKeys {
  /** How many entries there are of what was typed. */
  count(query: string): number;
  choose(index: number): void;
}

/** Keeps the menu: it opens as `/` is typed into an empty block, and goes when the text or the cursor leaves it. */
export function slashMenu({ count, choose }: MenuKeys): Plugin<SlashMenu | undefined> {
  return new Plugin<SlashMenu | undefined>({
    key,
    state: { init: () => undefined, apply: nextMenu },
    props: {
      handleDOMEvents: {
        blur: (view) => {
          if (slashMenuOf(view.state)) changeSlashMenu("close")(view.state, view.dispatch);
          return false;
        },
      },
      handleKeyDown(view, event) {
        const menu = slashMenuOf(view.state);
        const entries = menu ? count(menu.query) : 0;
        if (!menu || entries === 0 || event.isComposing) return false;
        const change = changeOf(event.key, menu.index, entries);
        if (change === undefined) return false;
        if (change === "choose") choose(menu.index);
        else changeSlashMenu(change)(view.state, view.dispatch);
        event.stopPropagation();
        return true;
      },
    },
  });
}

function changeOf(pressed: string, index: number, entries: number): { index: number } | "close" | "choose" | undefined {
  if (pressed === "ArrowDown") return { index: (index + 1) % entries };
  if (pressed === "ArrowUp") return { index: (index + entries - 1) % entries };
  if (pressed === "Enter") return "choose";
  return pressed === "Escape" || pressed === "Tab" ? "close" : undefined;
}

function nextMenu(tr: Transaction, menu: SlashMenu | undefined, before: EditorState, state: EditorState) {
  const change = tr.getMeta(key) as { readonly index: number } | "close" | undefined;
  if (change === "close") return undefined;
  if (change) return menu && { ...menu, ...change };
  const found = queryAt(state);
  if (!found) return undefined;
  // Moving the cursor into such a text opens nothing, nor does typing on after the menu was closed.
  if (!menu && (found.query !== "" || !tr.docChanged || queryAt(before))) return undefined;
  return found.query === menu?.query ? menu : { ...found, index: 0 };
}

function queryAt({ selection }: EditorState): Omit<SlashMenu, "index"> | undefined {
  const { $from, empty } = selection;
  if (!empty || $from.depth !== 1 || $from.parent.type !== schema.nodes.paragraph) return undefined;
  const query = /^\/([^\s/]{0,20})$/.exec($from.parent.textBetween(0, $from.parentOffset, undefined, "\0"))?.[1];
  return query === undefined ? undefined : { from: $from.start(), query };
}
