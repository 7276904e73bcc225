// Proves that documentation leads somewhere: links and paths of Markdown files, `@source` tags of code. `node scripts/check-references.mjs [folder]`
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { walk } from "./check-floors.mjs";

const SOURCE = /\.(?:ts|mts|mjs|cjs|js|tsx)$/;
const COMMENT = /^\s*(?:\*|\/\/|\/\*)|\/\*\*|\s\/\/ /;
const OUTSIDE = /^(?:[a-z][a-z+.-]*:|\/\/)/;
/** A path from the top of the repository, as prose names one: `core/src/index.ts`, `plugins/graphql`. */
const REPOSITORY_PATH = /^(?:core|plugins|app-template|test|scripts|\.ci|\.github)\/[\w.@/-]+$/;
/** A file as a README beside the code names one: `sync/counters.ts`; `src/` and `config/` are those of an app. */
const SOURCE_PATH = /^(?!src\/|config\/)[\w.-]+(?:\/[\w.-]+)*\.(?:ts|mjs|cjs|sql)$/;
/** Files that readers of a README create. */
const MADE_BY_READER = new Set(["app-template/src/api/book/content-types/book/schema.json"]);

/**
 * Reads the repository under a folder and lists every reference that leads nowhere, one line each: `path:line: what is wrong`.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkReferences(root) {
  const files = walk(root).map((path) => ({ path, name: relative(root, path).split(sep).join("/") }));
  const markdown = files.filter(({ name }) => name.endsWith(".md")).map(withText);
  const documents = new Set(markdown.map(({ name }) => basename(name)));
  return [
    ...markdown.flatMap((file) => [...checkLinks(file), ...checkPaths(root, files, file)]),
    ...files
      .filter(({ name }) => SOURCE.test(name))
      .map(withText)
      .flatMap((file) => [...checkTags(root, file), ...checkMentions(documents, file)]),
  ];
}

const withText = (file) => ({ ...file, text: readFileSync(file.path, "utf8") });

/** Reports what is wrong with the matches of a pattern, each at its line. `judge` returns a sentence or undefined. */
function report(file, text, pattern, judge) {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const problem = judge(match);
    return problem ? [`${file.name}:${text.slice(0, match.index).split("\n").length}: ${problem}`] : [];
  });
}

const FENCED = /^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm;
const INDENTED = /(?<=^|\n\n)(?: {4,}[^\n]*(?:\n|$)|\n(?= {4}))+/g;
const INLINE = /`+[^`\n]+`+/g;

/** Markdown without its code blocks; the letters of inline code are blanked unless `spans` is true. Lines stay where they were. */
function proseOf(text, { spans = false } = {}) {
  const blank = (part) => part.replace(/[^\n]/g, " ");
  const prose = [FENCED, INDENTED, /<!--[\s\S]*?-->/g].reduce((rest, code) => rest.replace(code, blank), text);
  return spans ? prose : prose.replace(INLINE, (part) => part.replace(/./g, "x"));
}

/** Inline links and images, and the targets of reference links. */
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s+"[^"]*")?\s*$/gm;
/** A reference link: `[text][name]`, `[name][]`. */
const LINK_BY_NAME = /\[([^\][]+)\]\[([^\][]*)\]/g;

function checkLinks(file) {
  const prose = proseOf(file.text);
  const named = new Set([...prose.matchAll(/^ {0,3}\[([^\]]+)\]:/gm)].map(([, name]) => name.toLowerCase()));
  return [
    ...report(file, prose, LINK, ([, inline, defined]) =>
      wrongTarget(dirname(file.path), inline ?? defined, file.path),
    ),
    ...report(file, prose, LINK_BY_NAME, ([, text, name]) =>
      named.has((name || text).toLowerCase()) ? undefined : `links to [${name || text}], which is not defined`,
    ),
  ];
}

/** What is wrong with a link target, seen from a folder; `own` is the file that `#anchor` alone means. */
function wrongTarget(folder, target, own) {
  if (OUTSIDE.test(target)) return undefined;
  const [path, anchor] = target.split("#");
  const file = path === "" ? own : join(folder, decodeURI(path));
  if (!existsSync(file)) return `${target} does not exist`;
  if (anchor === undefined || statSync(file).isDirectory()) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${target}: no heading has this name`;
}

const known = new Map();

/** The names that the headings of a Markdown file have in addresses; a second one of the same text gets `-1`. */
function anchorsOf(file) {
  const kept = known.get(file);
  if (kept) return kept;
  const anchors = new Set();
  for (const [, text] of proseOf(readFileSync(file, "utf8"), { spans: true }).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let free = name;
    for (let n = 1; anchors.has(free); n += 1) free = `${name}-${n}`;
    anchors.add(free);
  }
  known.set(file, anchors);
  return anchors;
}

/** Paths in inline code: those from the top of the repository anywhere, and source files beside the code of a package. */
function checkPaths(root, files, file) {
  const source = /^(?:core|plugins\/[^/]+)\/src\//.exec(file.name)?.[0];
  const isThere = (path) => existsSync(join(root, path)) || existsSync(join(dirname(file.path), path));
  const isInSource = (path) => files.some(({ name }) => name.startsWith(source) && name.endsWith(`/${path}`));
  return report(file, proseOf(file.text, { spans: true }), /(?<!`)`([^`\n]+)`(?!`)/g, ([, path]) => {
    const isChecked = REPOSITORY_PATH.test(path) || (source && SOURCE_PATH.test(path));
    if (!isChecked || MADE_BY_READER.has(path) || isThere(path) || (source && isInSource(path))) return undefined;
    return `\`${path}\` does not exist`;
  });
}

/** A tag in a comment, with its first word. */
const TAG = /(?<=^\s*\/?\*[^\n]*)(?<!`)@source\b(?!`)(?:[ \t]+(RFC \d+\b|[^\s,]+))?/gm;

/** What follows a tag: a path from the top of the repository, with or without an #anchor, an address, or an RFC; then, if need be, `, words`. */
function checkTags(root, file) {
  return report(file, file.text, TAG, ([, source = ""]) => {
    if (/^https:\/\/\S+\.\S+/.test(source) || source.startsWith("RFC ")) return undefined;
    if (!/^[\w.@-]+\/[\w.@/-]+(?:#.+)?$|^[\w.-]+\.md(?:#.+)?$/.test(source))
      return `@source ${source && `${source}: `}names no file of the repository, no address (https) and no RFC`;
    const problem = wrongTarget(root, source, root);
    return problem && `@source ${problem}`;
  });
}

/** Comments that name a document which this repository does not have. */
function checkMentions(documents, file) {
  const comments = file.text
    .split("\n")
    .map((line) => (COMMENT.test(line) ? line.replace(/@source\s+\S+/g, "") : ""))
    .join("\n");
  return report(file, comments, /\b[\w.-]+\.md\b/g, ([name]) =>
    documents.has(name) ? undefined : `mentions ${name}, which is not in the repository`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const problems = checkReferences(resolve(process.argv[2] ?? "."));
  for (const problem of problems) console.error(problem);
  console.error(problems.length === 0 ? "references: all resolve" : `references: ${problems.length} lead nowhere`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
