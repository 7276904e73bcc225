import { marked } from "marked";
import { useDeferredValue } from "react";
import { isRightToLeft, t } from "../../messages/text.js";
import styles from "./code.module.css";

interface PreviewProps {
  readonly labelId: string;
  readonly text: string;
  readonly locale: string;
}

/** What a text of Markdown looks like. Nothing in it runs: the frame allows no scripts, and neither does the policy of the page. */
export default function Preview({ labelId, text, locale }: PreviewProps) {
  const shown = useDeferredValue(text);
  const label = document.getElementById(labelId)?.textContent ?? "";
  return (
    <iframe title={t("code.preview", { label })} sandbox="" srcDoc={pageOf(shown, locale)} className={styles.preview} />
  );
}

const COLOURS = ["surface", "ink", "ink-soft", "accent", "line-soft", "line-strong", "sunken", "font", "font-code"];

/** A page in the colours of this one. Links lead nowhere, as they would leave the text. */
function pageOf(text: string, locale: string): string {
  const root = getComputedStyle(document.documentElement);
  const tokens = COLOURS.map((name) => `--${name}:${root.getPropertyValue(`--${name}`)}`).join(";");
  const scheme = document.documentElement.dataset["theme"] ?? "light dark";
  const html = marked.parse(text, { async: false, gfm: true });
  return `<!doctype html><html lang="${locale.replace(/[^\w-]/g, "")}" dir="${isRightToLeft(locale) ? "rtl" : "ltr"}"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><style>:root{color-scheme:${scheme};${tokens}}${LOOKS}</style></head><body>${html}</body></html>`;
}

const LOOKS = `body{margin:1rem;background:var(--surface);color:var(--ink);font:1rem/1.6 var(--font);overflow-wrap:anywhere}
:is(h1,h2,h3,h4,h5,h6){line-height:1.3;margin:1.2em 0 .5em}body>:first-child{margin-block-start:0}
a{color:var(--accent);pointer-events:none}img{max-inline-size:100%}
code{font-family:var(--font-code);font-size:.9em;background:var(--sunken);padding:.1em .3em;border-radius:.25em}
pre{background:var(--sunken);padding:.75rem;border-radius:.375rem;overflow:auto;direction:ltr}pre code{padding:0}
blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line-strong);color:var(--ink-soft)}
table{border-collapse:collapse}:is(th,td){border:1px solid var(--line-soft);padding:.3em .6em}
hr{border:0;border-block-start:1px solid var(--line-strong)}`;
