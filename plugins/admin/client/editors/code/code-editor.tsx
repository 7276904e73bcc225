import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import bar from "../bar/bar.module.css";
import styles from "./code.module.css";
import { CodeBar } from "./code-bar.js";
import { type CodeProps, CodeView, type Depths } from "./code-view.js";
import { JsonStatus } from "./json-status.js";

const Preview = lazy(() => import("./preview.js"));

/** The editor of Markdown and of JSON. It is a chunk of its own: load it when it is shown. */
export default function CodeEditor(props: CodeProps) {
  const { id, labelId, isInvalid, isReadOnly, language, value, locale, pickImage } = props;
  const { place, editor, depths } = useCodeView(props);
  const [isPreview, setPreview] = useState(false);
  const isMarkdown = language === "markdown";
  return (
    <div className={bar.editor} data-invalid={isInvalid || undefined} data-readonly={isReadOnly || undefined}>
      {editor && (
        <CodeBar
          id={id}
          editor={editor}
          depths={depths}
          language={language}
          isReadOnly={isReadOnly}
          hasPictures={pickImage !== undefined}
          isPreview={isPreview}
          setPreview={setPreview}
        />
      )}
      <div ref={place} className={classNames(styles.code)} hidden={isPreview} />
      {isMarkdown && isPreview && (
        <Suspense fallback={<div className={styles.preview} />}>
          <Preview labelId={labelId} text={value} locale={locale} />
        </Suspense>
      )}
      {!isMarkdown && editor && <JsonStatus id={`${id}-problem`} editor={editor} text={value} />}
      <p id={`${id}-keys`} className="visually-hidden">
        {isReadOnly ? t("code.readOnly") : t("code.keys")}
      </p>
    </div>
  );
}

function useCodeView(props: CodeProps) {
  const place = useRef<HTMLDivElement>(null);
  const live = useRef(props);
  live.current = props;
  const [editor, setEditor] = useState<CodeView>();
  const [depths, setDepths] = useState<Depths>({ canUndo: false, canRedo: false });
  const { language, value, id, labelId, describedBy, isInvalid, isReadOnly, locale, placeholder } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is another editor
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const onDepths = (next: Depths) =>
      setDepths((old) => (old.canUndo === next.canUndo && old.canRedo === next.canRedo ? old : next));
    const made = new CodeView(place.current, { props: () => live.current, onDepths });
    setEditor(made);
    return () => made.view.destroy();
  }, [language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the view reads by `live`
  useLayoutEffect(
    () => editor?.showProps(),
    [editor, id, labelId, describedBy, isInvalid, isReadOnly, locale, placeholder],
  );
  useLayoutEffect(() => editor?.showValue(value), [editor, value]);
  useEffect(() => {
    const label = document.getElementById(labelId);
    const focus = () => editor?.view.focus();
    label?.addEventListener("click", focus);
    return () => label?.removeEventListener("click", focus);
  }, [labelId, editor]);
  return { place, editor, depths };
}
