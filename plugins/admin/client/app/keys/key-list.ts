import type { MessageKey } from "../../messages/text.js";

/** Keys of a screen, or of a part of one. */
export interface KeySection {
  readonly title: MessageKey;
  /** Whether the screen at an address below `/admin` has them; nothing: they are of all. */
  readonly isOf?: (path: string) => boolean;
  /** `Mod` is Ctrl, and Command on a Mac. */
  readonly keys: readonly (readonly [keys: string, text: MessageKey])[];
}

const isList = (path: string): boolean => /\/content\/[^/]+\/?$/.test(path);
const isForm = (path: string): boolean => /\/(?:content\/[^/]+\/[^/]+|single\/[^/]+)\/?$/.test(path);

/** All keys of the page, by screen: a screen that has keys of its own adds them here. */
export const KEY_SECTIONS: readonly KeySection[] = [
  {
    title: "keys.everywhere",
    keys: [
      ["Mod+K", "keys.palette"],
      ["?", "keys.help"],
      ["Esc", "keys.escape"],
    ],
  },
  {
    title: "keys.list",
    isOf: isList,
    keys: [
      ["J", "keys.down"],
      ["K", "keys.up"],
      ["X", "keys.select"],
      ["Enter", "keys.open"],
      ["N", "keys.new"],
      ["/", "keys.search"],
      ["Alt+↑ ↓", "keys.column"],
    ],
  },
  {
    title: "keys.form",
    isOf: isForm,
    keys: [
      ["Mod+S", "keys.save"],
      ["Mod+Shift+Enter", "keys.publish"],
      ["Alt+↑ ↓", "keys.card"],
    ],
  },
  {
    title: "keys.blocks",
    isOf: isForm,
    keys: [
      ["/", "keys.slash"],
      ["Mod+B", "keys.bold"],
      ["Mod+I", "keys.italic"],
      ["Mod+U", "keys.underline"],
      ["Mod+Shift+X", "keys.strike"],
      ["Mod+E", "keys.code"],
      ["Mod+K", "keys.link"],
      ["Mod+Alt+1…6", "keys.heading"],
      ["Mod+Shift+7", "keys.ordered"],
      ["Mod+Shift+8", "keys.unordered"],
      ["Mod+Enter", "keys.exit"],
      ["Mod+Z", "keys.undo"],
      ["Mod+Shift+Z", "keys.redo"],
      ["Esc Tab", "keys.leave"],
    ],
  },
];

/** The sections, those of the screen that is shown first. @param path - of the address */
export function sectionsFor(path: string): readonly KeySection[] {
  const own = KEY_SECTIONS.filter(({ isOf }) => isOf?.(path));
  return [...own, ...KEY_SECTIONS.filter((section) => !own.includes(section))];
}
