import { redo, undo } from "@codemirror/commands";
import type { StateCommand } from "@codemirror/state";
import type { MessageKey } from "../../messages/text.js";
import { t } from "../../messages/text.js";
import type { IconName } from "../../ui/icon-paths.js";
import { Bar, type BarButton } from "../bar/bar.js";
import type { CodeView, Depths } from "./code-view.js";
import { formatJson, jsonProblem } from "./json-text.js";
import type { CodeLanguage } from "./languages.js";
import { insertLink, nextHeading, toggleAround, toggleCode, toggleLines } from "./markdown-commands.js";

interface CodeBarProps {
  readonly id: string;
  readonly editor: CodeView;
  readonly depths: Depths;
  readonly language: CodeLanguage;
  readonly isReadOnly: boolean;
  readonly hasPictures: boolean;
  readonly isPreview: boolean;
  readonly setPreview: (isPreview: boolean) => void;
}

/** What an author does to a text by a click. */
export function CodeBar(props: CodeBarProps) {
  const { id, editor, language } = props;
  const groups = language === "markdown" ? markdownGroups(props) : jsonGroups(props);
  if (groups.length === 0) return null;
  return <Bar label={t("code.bar")} controls={id} focusEditor={() => editor.view.focus()} groups={groups} />;
}

const named = (id: string, icon: IconName) => ({ id, icon, label: t(`code.do.${id}` as MessageKey) });

function markdownGroups({
  editor,
  depths,
  isReadOnly,
  hasPictures,
  isPreview,
  setPreview,
}: CodeBarProps): BarButton[][] {
  const button = (id: string, icon: IconName, command: StateCommand, keys?: string): BarButton => ({
    ...named(id, icon),
    ...(keys && { keys }),
    isDisabled: isPreview,
    run: () => editor.run(command),
  });
  const image = { ...named("image", "image"), isDisabled: isPreview, run: () => void editor.insertImage() };
  const preview = {
    ...named("preview", isPreview ? "eye-off" : "eye"),
    isPressed: isPreview,
    run: () => setPreview(!isPreview),
  } as const;
  if (isReadOnly) return [[preview]];
  return [
    [
      button("heading", "heading", nextHeading),
      button("bold", "bold", toggleAround("**"), "Mod-b"),
      button("italic", "italic", toggleAround("*"), "Mod-i"),
      button("code", "code", toggleCode, "Mod-e"),
      button("link", "link", insertLink, "Mod-k"),
    ],
    [
      button("unordered", "list", toggleLines("- ")),
      button("ordered", "list-ordered", toggleLines("1. ")),
      button("quote", "quote", toggleLines("> ")),
      ...(hasPictures ? [image] : []),
    ],
    undoGroup(editor, depths, isPreview),
    [preview],
  ];
}

function jsonGroups({ editor, depths, isReadOnly }: CodeBarProps): BarButton[][] {
  if (isReadOnly) return [];
  const format = () => {
    const { state } = editor.view;
    const text = state.sliceDoc();
    if (!jsonProblem(text)) editor.edit(formatJson(text, state.lineBreak));
  };
  return [[{ ...named("format", "braces"), run: format }], undoGroup(editor, depths, false)];
}

const undoGroup = (editor: CodeView, { canUndo, canRedo }: Depths, isPreview: boolean): BarButton[] => [
  { ...named("undo", "undo-2"), keys: "Mod-z", isDisabled: isPreview || !canUndo, run: () => editor.run(undo) },
  { ...named("redo", "redo-2"), keys: "Mod-Shift-z", isDisabled: isPreview || !canRedo, run: () => editor.run(redo) },
];
