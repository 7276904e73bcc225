import type { Command } from "prosemirror-state";
import type { MessageKey } from "../../messages/text.js";
import { t } from "../../messages/text.js";
import type { IconName } from "../../ui/icon-paths.js";
import { type BlockKind, setKind, type TextKind } from "./block-commands.js";
import { toggleList } from "./list-commands.js";
import { LEVELS } from "./schema.js";

/** A kind of block that an author may choose. */
export interface BlockEntry {
  readonly id: BlockKind | "image";
  readonly icon: IconName;
  /** None: a picture has to be chosen first. */
  readonly command?: Command;
}

const text = (id: TextKind, icon: IconName): BlockEntry => ({ id, icon, command: setKind(id) });

const HEADING_ICONS: readonly IconName[] = ["heading-1", "heading-2", "heading-3"];

/** Kinds of blocks, in the order of the menus. */
export const BLOCK_ENTRIES: readonly BlockEntry[] = [
  text("paragraph", "pilcrow"),
  ...LEVELS.map((level) => text(`heading${level}`, HEADING_ICONS[level - 1] ?? "heading")),
  { id: "unordered", icon: "list", command: toggleList("unordered") },
  { id: "ordered", icon: "list-ordered", command: toggleList("ordered") },
  text("quote", "quote"),
  text("codeBlock", "code"),
];

const IMAGE: BlockEntry = { id: "image", icon: "image" };

/** The name of a kind of block. */
export const entryLabel = ({ id }: BlockEntry): string => t(`blocks.kind.${id}` as MessageKey);

/** Entries of the `/` menu whose name, in the reader's language or by its id, has what was typed. */
export function entriesOf(query: string, hasPictures: boolean): readonly BlockEntry[] {
  const wanted = query.toLowerCase();
  return (hasPictures ? [...BLOCK_ENTRIES, IMAGE] : BLOCK_ENTRIES).filter(
    (entry) =>
      entry.id.toLowerCase().includes(wanted) || entryLabel(entry).toLowerCase().replaceAll(" ", "").includes(wanted),
  );
}
