import { jsonLanguage } from "@codemirror/lang-json";
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

/** What the editor knows to show. */
export type CodeLanguage = "markdown" | "json";

const markdownData = defineLanguageFacet();

/** Markdown of GitHub. The package for CodeMirror would bring the languages of code in it along, which are larger than all of the editor. */
const markdown = new Language(
  markdownData,
  parser.configure([GFM, { props: [languageDataProp.add((type) => (type.isTop ? markdownData : undefined))] }]),
  [],
  "markdown",
);

/** Colours are those of the page. */
const looks = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.link, color: "var(--accent)" },
  { tag: [tags.url, tags.propertyName, tags.labelName], color: "var(--accent)" },
  { tag: [tags.monospace, tags.string], color: "var(--good)" },
  { tag: tags.quote, color: "var(--ink-soft)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment], color: "var(--ink-soft)" },
]);

/** How a language is read and coloured. */
export const languageSupport = (language: CodeLanguage): Extension => [
  language === "json" ? jsonLanguage : markdown,
  syntaxHighlighting(looks),
];
