import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** The looks of CodeMirror, by the properties of the page: so one theme is light and dark. */
export const codeTheme: Extension = EditorView.theme({
  "&": {
    color: "var(--ink)",
    backgroundColor: "transparent",
    fontSize: "var(--text)",
    minBlockSize: "8rem",
    maxBlockSize: "70vh",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "var(--space-3) 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 var(--space-4)" },
  ".cm-placeholder": { color: "var(--ink-soft)" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-soft)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minInlineSize: "2.25rem", paddingInline: "var(--space-2) 0" },
  ".cm-problem": { textDecoration: "underline wavy var(--danger)", textUnderlineOffset: "0.2em" },
  ".cm-problemLine": { backgroundColor: "var(--danger-soft)" },
});
