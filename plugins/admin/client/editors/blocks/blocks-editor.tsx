import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../messages/text.js";
import bar from "../bar/bar.module.css";
import styles from "./blocks.module.css";
import { BlocksBar } from "./blocks-bar.js";
import { type BlocksProps, BlocksView, type Look } from "./blocks-view.js";
import { LinkForm } from "./link-form.js";
import { entriesOf } from "./slash-entries.js";
import { SlashList } from "./slash-list.js";

/** The editor of an attribute of the kind `blocks`. It is a chunk of its own: load it when it is shown. */
export default function BlocksEditor(props: BlocksProps) {
  const { id, isInvalid, isReadOnly, pickImage } = props;
  const { place, editor, look, moved, isLinkOpen, setLinkOpen } = useBlocksView(props);
  const hasPictures = pickImage !== undefined;
  const entries = look?.slash ? entriesOf(look.slash.query, hasPictures) : [];
  return (
    <div className={bar.editor} data-invalid={isInvalid || undefined} data-readonly={isReadOnly || undefined}>
      {editor && look && !isReadOnly && (
        <BlocksBar id={id} editor={editor} look={look} hasPictures={hasPictures} openLink={() => setLinkOpen(true)} />
      )}
      <div ref={place} className={styles.content} />
      {editor && look?.slash && entries.length > 0 && (
        <SlashList
          id={`${id}-slash`}
          view={editor.view}
          menu={look.slash}
          entries={entries}
          choose={(index) => editor.choose(index)}
        />
      )}
      {editor && isLinkOpen && <LinkForm id={id} view={editor.view} onClose={() => setLinkOpen(false)} />}
      <p id={`${id}-keys`} className="visually-hidden">
        {isReadOnly ? t("blocks.readOnly") : t("blocks.keys")}
      </p>
      <p role="status" className="visually-hidden">
        {moved && t("blocks.moved", moved)}
      </p>
    </div>
  );
}

function useBlocksView(props: BlocksProps) {
  const place = useRef<HTMLDivElement>(null);
  const live = useRef(props);
  live.current = props;
  const [editor, setEditor] = useState<BlocksView>();
  const [look, setLook] = useState<Look>();
  const [moved, setMoved] = useState<{ readonly place: number; readonly count: number }>();
  const [isLinkOpen, setLinkOpen] = useState(false);
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const made = new BlocksView(place.current, {
      props: () => live.current,
      onLook: (next) => setLook((before) => (before && isSame(before, next) ? before : next)),
      openLink: () => setLinkOpen(!live.current.isReadOnly),
      onMoved: (at, count) => setMoved({ place: at, count }),
    });
    setEditor(made);
    return () => made.view.destroy();
  }, []);
  const { value, id, labelId, describedBy, isInvalid, isReadOnly, locale, placeholder } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the view reads by `live`
  useLayoutEffect(
    () => editor?.show(value),
    [editor, value, id, labelId, describedBy, isInvalid, isReadOnly, locale, placeholder, look?.slash],
  );
  useFocusByLabel(labelId, editor);
  return { place, editor, look, moved, isLinkOpen, setLinkOpen };
}

/** A label leads to inputs only. */
function useFocusByLabel(labelId: string, editor: BlocksView | undefined): void {
  useEffect(() => {
    const label = document.getElementById(labelId);
    const focus = () => editor?.view.focus();
    label?.addEventListener("click", focus);
    return () => label?.removeEventListener("click", focus);
  }, [labelId, editor]);
}

/** What the bar shows changes with few of the keys. */
function isSame(a: Look, b: Look): boolean {
  const keys = Object.keys(a) as (keyof Look)[];
  return keys.every((key) => key === "modifiers" || a[key] === b[key]) && a.modifiers.join() === b.modifiers.join();
}
