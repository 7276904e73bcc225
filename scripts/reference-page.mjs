// What the generated references have in common: a page with a note at its top, and tables in Markdown.

const BY_HAND = "<!-- Written by `npm run docs` from the sources; changes by hand get lost. -->";

/** @param {string} title @param {readonly string[]} lines */
export const page = (title, lines) => `# ${title}\n\n${BY_HAND}\n\n${lines.join("\n")}\n`;

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
export function tableOf(head, rows) {
  const line = (cells) => `| ${cells.map(cellOf).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Bars would end the cell, and angle brackets outside of code would be markup. */
function cellOf(text) {
  const parts = text.replaceAll("|", "\\|").split(/(`[^`]*`)/);
  return parts.map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;"))).join("");
}

/** A value as code; nothing where there is none. */
export const asCode = (text) => (text === "" ? "" : `\`${text}\``);
