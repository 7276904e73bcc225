// Keeps wording plain: phrases that this project does not use, and what it says instead. `node scripts/check-words.mjs [folder]`
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { walk } from "./check-floors.mjs";

const CHECKED = /\.(?:ts|mts|mjs|js|md)$/;
/** This list itself, and the generated references of errors, whose texts stand in the sources. */
const LEFT_OUT = /^scripts\/check-words\.mjs$|^test\/scripts\/check-words\.test\.ts$/;

/**
 * Files whose comments and texts are not checked for `PROSE`: tests are sentences about behaviour, and the past is
 * past.
 */
const NOT_PROSE = /^test\/|(?:^|\/)CHANGELOG\.md$/;
const COMMENT = /^\s*(?:\/?\*|\/\/)|\s\/\/\s/;

/** Phrases, and the word that an engineer would search for. */
export const WORDS = [
  { phrase: /(?<![a-z])who asks\b/i, say: '"the caller"' },
  { phrase: /\b(?:must|has to|have to) be a text\b|\bis not a text\b/i, say: '"a string"' },
  { phrase: /\bmend(?:s|ed|ing)?\b/i, say: '"fix"' },
  { phrase: /\bnobody implements\b/i, say: '"has no implementation"' },
  { phrase: /\btime is over\b/i, say: '"has expired"' },
  { phrase: /\bstretch of time\b/i, say: '"a duration"' },
  { phrase: /\bcome after each other in a circle\b|\bneed each other in a circle\b/i, say: '"in a cycle"' },
  { phrase: /\bhas an? \w+ that is none\b/i, say: '"an invalid ..."' },
];

/** The same, for documents and comments outside of tests. */
export const PROSE = [
  { phrase: /\bwhoever\b|\bwhatever\b/i, say: 'the subject: "the caller", "any", "all that"' },
  { phrase: /\banew\b/i, say: '"again"' },
  { phrase: /\b(?:has|had|have) a say\b/i, say: "what it decides" },
  { phrase: /\bclients? (?:can |who )?mints?\b/i, say: '"sends"' },
  {
    phrase: /(?<!there )\bis no (?:object|string|number|boolean|function|list|uid|name|id|date|user|text|JSON)\b/i,
    say: '"is not a ..."',
  },
  { phrase: /\brequests? (?:of whom|that names? nobody)\b/i, say: '"without credentials"' },
];

/** The same, for comments outside of tests: in an example they may be a name. */
export const COMMENTS = [
  { phrase: /\bnobody\b|\banybody\b/i, say: 'the subject: "no caller", "no client"' },
  { phrase: /\b(?:is|are|was|were|be) told\b|\btells? of\b/i, say: '"gets", "is called with", "reports"' },
  { phrase: /\bhear(?:s|d|ing)?\b/i, say: '"receives", "listens"' },
  { phrase: /\bmakes? up\b|\bmade up\b/i, say: '"generates"' },
  { phrase: /\bexists? for the (?:caller|actor)\b/i, say: '"visible to"' },
];

/**
 * Lists every line below a folder that has one of the phrases: `path:line: what to say`.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkWords(root) {
  return walk(root)
    .map((path) => ({ path, name: relative(root, path).split(sep).join("/") }))
    .filter(({ name }) => CHECKED.test(name) && !LEFT_OUT.test(name))
    .flatMap(({ path, name }) => problemsIn(name, readFileSync(path, "utf8")));
}

function problemsIn(name, text) {
  return text.split("\n").flatMap((line, index) =>
    wordsFor(name, line)
      .filter(({ phrase }) => phrase.test(line))
      .map(({ phrase, say }) => `${name}:${index + 1}: "${phrase.exec(line)?.[0]}": say ${say}`),
  );
}

function wordsFor(name, line) {
  if (NOT_PROSE.test(name)) return WORDS;
  if (name.endsWith(".md")) return [...WORDS, ...PROSE];
  return COMMENT.test(line) ? [...WORDS, ...PROSE, ...COMMENTS] : WORDS;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = checkWords(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? "words: all plain" : `words: ${problems.length} to replace`);
  if (problems.length > 0) process.exitCode = 1;
}
