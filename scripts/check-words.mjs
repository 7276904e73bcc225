// Keeps wording plain: phrases that this project does not use, and what it says instead. `node scripts/check-words.mjs [folder]`
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { walk } from "./check-floors.mjs";

const CHECKED = /\.(?:ts|mts|mjs|js|md)$/;
/** This list itself, and the generated references of errors, whose texts stand in the sources. */
const LEFT_OUT = /^scripts\/check-words\.mjs$|^test\/scripts\/check-words\.test\.ts$/;

/** Phrases, and the word that an engineer would search for. */
export const WORDS = [
  { phrase: /(?<![a-z])who asks\b/i, say: '"the caller"' },
  { phrase: /\b(?:must|has to|have to) be a text\b|\bis not a text\b/i, say: '"a string"' },
  { phrase: /\bmend(?:s|ed|ing)?\b/i, say: '"fix"' },
  { phrase: /\bnobody implements\b/i, say: '"has no implementation"' },
  { phrase: /\btime is over\b/i, say: '"has expired"' },
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
  return text
    .split("\n")
    .flatMap((line, index) =>
      WORDS.filter(({ phrase }) => phrase.test(line)).map(
        ({ phrase, say }) => `${name}:${index + 1}: "${phrase.exec(line)?.[0]}": say ${say}`,
      ),
    );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = checkWords(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? "words: all plain" : `words: ${problems.length} to replace`);
  if (problems.length > 0) process.exitCode = 1;
}
