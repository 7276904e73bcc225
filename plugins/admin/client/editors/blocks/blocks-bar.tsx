import { redo, undo } from "prosemirror-history";
import type { MessageKey } from "../../messages/text.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Select } from "../../ui/field.js";
import type { IconName } from "../../ui/icon-paths.js";
import { Bar, type BarButton } from "../bar/bar.js";
import bar from "../bar/bar.module.css";
import { moveBlock, setKind, setLanguage } from "./block-commands.js";
import type { BlocksView, Look } from "./blocks-view.js";
import { toggleModifier } from "./keys.js";
import { toggleList } from "./list-commands.js";
import type { ListFormat, Modifier } from "./schema.js";
import { BLOCK_ENTRIES, entryLabel } from "./slash-entries.js";

interface BlocksBarProps {
  readonly id: string;
  readonly editor: BlocksView;
  readonly look: Look;
  readonly hasPictures: boolean;
  readonly openLink: () => void;
}

/** Languages that a block of code may say it is in; one that is not here stays where a block has it. */
const LANGUAGES =
  "bash c cpp csharp css diff dockerfile go graphql html java javascript json kotlin markdown php plaintext powershell python ruby rust sql swift typescript xml yaml".split(
    " ",
  );

const MARKS: readonly (readonly [Modifier, IconName, string])[] = [
  ["bold", "bold", "Mod-b"],
  ["italic", "italic", "Mod-i"],
  ["underline", "underline", "Mod-u"],
  ["strikethrough", "strikethrough", "Mod-Shift-x"],
  ["code", "code", "Mod-e"],
];

/** What an author does to blocks by a click. */
export function BlocksBar({ id, editor, look, hasPictures, openLink }: BlocksBarProps) {
  return (
    <Bar
      label={t("blocks.bar")}
      controls={id}
      focusEditor={() => editor.view.focus()}
      before={<KindSelect editor={editor} look={look} />}
      groups={groupsOf(editor, look, { hasPictures, openLink })}
      after={look.language !== undefined && <LanguageSelect editor={editor} language={look.language} />}
    />
  );
}

type Extras = Pick<BlocksBarProps, "hasPictures" | "openLink">;

function groupsOf(editor: BlocksView, look: Look, { hasPictures, openLink }: Extras): BarButton[][] {
  const isCode = look.kind === "codeBlock";
  const marks = MARKS.map(
    ([name, icon, keys]): BarButton => ({
      ...named(name, icon),
      keys,
      isPressed: look.modifiers.includes(name),
      isDisabled: isCode,
      run: () => editor.run(toggleModifier(name)),
    }),
  );
  const link = { ...named("link", "link"), keys: "Mod-k", isPressed: look.isLink, isDisabled: isCode, run: openLink };
  const list = (format: ListFormat, icon: IconName, keys: string): BarButton => ({
    ...named(format, icon),
    keys,
    isPressed: look.kind === format,
    run: () => editor.run(toggleList(format)),
  });
  const image = { ...named("image", "image"), run: () => void editor.insertImage() };
  const lists = [list("unordered", "list", "Mod-Shift-8"), list("ordered", "list-ordered", "Mod-Shift-7")];
  return [
    [...marks, link],
    hasPictures ? [...lists, image] : lists,
    [
      { ...named("up", "arrow-up"), keys: "Alt-ArrowUp", run: () => editor.run(moveBlock(-1)) },
      { ...named("down", "arrow-down"), keys: "Alt-ArrowDown", run: () => editor.run(moveBlock(1)) },
    ],
    [
      { ...named("undo", "undo-2"), keys: "Mod-z", isDisabled: !look.canUndo, run: () => editor.run(undo) },
      { ...named("redo", "redo-2"), keys: "Mod-Shift-z", isDisabled: !look.canRedo, run: () => editor.run(redo) },
    ],
  ];
}

const named = (id: string, icon: IconName) => ({ id, icon, label: t(`blocks.do.${id}` as MessageKey) });

/** The kind of the block: by keys it changes with each step, and the focus stays here. */
function KindSelect({ editor, look }: Pick<BlocksBarProps, "editor" | "look">) {
  const choose = (id: string) => {
    const isTextKind = id !== "ordered" && id !== "unordered";
    const entry = BLOCK_ENTRIES.find((one) => one.id === id);
    if (entry?.command && id !== look.kind) editor.run(isTextKind ? setKind(id as "paragraph") : entry.command);
  };
  return (
    <Select
      data-bar-item=""
      className={classNames(bar.select)}
      aria-label={t("blocks.kind")}
      value={look.kind}
      onChange={({ target }) => choose(target.value)}
    >
      {look.kind === "" && <option value="">{t("blocks.kind.other")}</option>}
      {BLOCK_ENTRIES.map((entry) => (
        <option key={entry.id} value={entry.id}>
          {entryLabel(entry)}
        </option>
      ))}
    </Select>
  );
}

function LanguageSelect({ editor, language }: { readonly editor: BlocksView; readonly language: string }) {
  const languages = language === "" || LANGUAGES.includes(language) ? LANGUAGES : [...LANGUAGES, language].sort();
  return (
    <Select
      data-bar-item=""
      className={classNames(bar.select, bar.end)}
      aria-label={t("blocks.language")}
      value={language}
      onChange={({ target }) => editor.run(setLanguage(target.value))}
    >
      <option value="">{t("blocks.language.none")}</option>
      {languages.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}
