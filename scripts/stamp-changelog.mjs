// Gives what CHANGELOG.md has under "(not released)" the version of lerna.json and the day. Run by `lerna version`, as the script "version".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HEADING = /^## .*\(not released\)$/m;

/**
 * Stamps the changelog in a folder.
 *
 * @param {string} root
 * @param {string} day - such as 2026-11-22
 * @throws when nothing is written about the release: no heading says "(not released)"
 */
export function stampChangelog(root, day) {
  const path = join(root, "CHANGELOG.md");
  const text = readFileSync(path, "utf8");
  const { version } = JSON.parse(readFileSync(join(root, "lerna.json"), "utf8"));
  if (!HEADING.test(text))
    throw new Error(`CHANGELOG.md says nothing about ${version}: write "## ${version} (not released)"`);
  writeFileSync(path, text.replace(HEADING, `## ${version} (${day})`));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  stampChangelog(fileURLToPath(new URL("..", import.meta.url)), new Date().toISOString().slice(0, 10));
