import { useEffect, useState } from "react";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import styles from "./code.module.css";
import type { CodeView } from "./code-view.js";
import { type JsonProblem, jsonProblem } from "./json-text.js";
import { setProblem } from "./problem-marks.js";

/** After the last key, in milliseconds: half a word is no mistake. */
const DELAY = 400;

interface JsonStatusProps {
  readonly id: string;
  readonly editor: CodeView;
  readonly text: string;
}

/** Says where a text is not JSON, and leads there. */
export function JsonStatus({ id, editor, text }: JsonStatusProps) {
  const [problem, setFound] = useState<JsonProblem>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again as the text changes
  useEffect(() => {
    const timer = setTimeout(() => {
      // By the editor's own positions, which count a line break as one.
      const found = jsonProblem(editor.view.state.doc.toString());
      setFound(found);
      editor.view.dispatch({ effects: setProblem.of(found) });
    }, DELAY);
    return () => clearTimeout(timer);
  }, [editor, text]);
  const goThere = () => {
    if (!problem) return;
    const anchor = Math.min(problem.from, editor.view.state.doc.length);
    editor.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    editor.view.focus();
  };
  return (
    <div id={id} role="status" className={styles.status}>
      {problem && (
        <button type="button" className={styles.problem} onClick={goThere}>
          <Icon name="circle-alert" size={0.9} />
          <span>{messageOf(problem)}</span>
        </button>
      )}
    </div>
  );
}

const messageOf = ({ line, column, found }: JsonProblem): string =>
  found === "" ? t("code.json.ends", { line }) : t("code.json.invalid", { line, column, found });
