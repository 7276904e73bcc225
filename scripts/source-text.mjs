// Reads TypeScript and JavaScript as text: blanks what is no code, lists what a file imports. No parser, no dependency.

const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield))\s*$/;

/**
 * Replaces comments, template literals and regular expressions by spaces, so that what is left is code.
 * Line numbers stay as they were. Quoted strings stay too, unless `strings` is false; template literals do if `templates` is true.
 *
 * @param {string} text
 * @param {{ strings?: boolean, templates?: boolean }} [keep]
 */
export function codeOf(text, { strings = true, templates = false } = {}) {
  const kept = { code: true, string: strings, template: templates };
  let out = "";
  let at = 0;
  while (at < text.length) {
    const piece = pieceAt(text, at, out);
    const source = text.slice(at, piece.end);
    out += kept[piece.kind] ? source : source.replace(/[^\n]/g, " ");
    at = piece.end;
  }
  return out;
}

function pieceAt(text, at, before) {
  const char = text[at];
  const two = text.slice(at, at + 2);
  if (two === "//") return { kind: "comment", end: endOr(text.indexOf("\n", at), text) };
  if (two === "/*") return { kind: "comment", end: endOr(text.indexOf("*/", at + 2), text, 2) };
  if (char === '"' || char === "'") return { kind: "string", end: quotedEnd(text, at, char) };
  if (char === "`") return { kind: "template", end: templateEnd(text, at) };
  if (char === "/" && BEFORE_REGEX.test(before.slice(-40))) return { kind: "regex", end: regexEnd(text, at) };
  return { kind: "code", end: at + 1 };
}

const endOr = (found, text, extra = 0) => (found < 0 ? text.length : found + extra);

function quotedEnd(text, at, quote) {
  let end = at + 1;
  while (end < text.length && text[end] !== quote && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

function templateEnd(text, at) {
  let end = at + 1;
  while (end < text.length && text[end] !== "`") {
    if (text[end] === "\\") end += 2;
    else if (text.startsWith("${", end)) end = holeEnd(text, end + 2);
    else end += 1;
  }
  return end + 1;
}

function holeEnd(text, at) {
  let end = at;
  for (let depth = 1; end < text.length; ) {
    const char = text[end];
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    end = char === "{" || char === "}" ? end + 1 : pieceAt(text, end, text.slice(at, end)).end;
    if (depth === 0) break;
  }
  return end;
}

function regexEnd(text, at) {
  let isClass = false;
  let end = at + 1;
  for (; end < text.length && text[end] !== "\n"; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === "[") isClass = true;
    else if (text[end] === "]") isClass = false;
    else if (text[end] === "/" && !isClass) break;
  }
  return end + 1;
}

const IMPORTS = [
  /^\s*(?:import|export)\b[^"';]*?\bfrom\s*["']([^"'\n]+)["']/gm,
  /^\s*import\s*["']([^"'\n]+)["']/gm,
  /\bimport\s*\(\s*["']([^"'\n]+)["']/g,
];

/** The specifiers that a file names: imports, re-exports, dynamic imports and `import("x")` types, in no order. */
export function importsOf(text) {
  const code = codeOf(text);
  return [...new Set(IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1])))];
}
