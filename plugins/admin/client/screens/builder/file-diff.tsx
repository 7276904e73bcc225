import { structuredPatch } from "diff";
import { useMemo } from "react";
import type { PlannedFile } from "../../../src/wire/builder.js";
import { t } from "../../messages/text.js";
import styles from "./builder.module.css";

interface Line {
  readonly key: number;
  readonly sign: string;
  readonly text: string;
}

/** Lines around what has changed. */
const CONTEXT = 3;

/** What is written into a file, line by line. */
export function FileDiff({ file }: { readonly file: PlannedFile }) {
  const { path, before, after } = file;
  const lines = useMemo(() => linesOf(before ?? "", after ?? ""), [before, after]);
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.filter(({ sign }) => sign === "-").length;
  const state = before === null ? "new" : after === null ? "removed" : undefined;
  return (
    <details className={styles.file} open>
      <summary>
        <code>{path}</code>
        {state && <span className={styles.mark}>{t(`builder.state.${state}`)}</span>}
        <span className={styles.soft}>{t("builder.lines", { added, removed })}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys */}
      <pre className={styles.diff} tabIndex={0} dir="ltr">
        {lines.map(({ key, sign, text }) => (
          <span key={key} data-sign={sign}>
            {sign}
            {text}
          </span>
        ))}
      </pre>
    </details>
  );
}

function linesOf(before: string, after: string): readonly Line[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: CONTEXT });
  const all = hunks.flatMap(({ lines }, index) => (index === 0 ? lines : ["@", ...lines]));
  return all.map((line, key) => ({
    key,
    sign: line === "@" ? "…" : line.charAt(0),
    text: line === "@" ? "" : line.slice(1),
  }));
}
