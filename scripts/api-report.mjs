// Keeps the report of what every package exports, so that a diff shows a changed name or signature. `node scripts/api-report.mjs [--write]`
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedFolders, readManifest } from "./check-packages.mjs";
import { ensureReady, ROOT } from "./ensure-ready.mjs";
import { Declarations, printDeclaration } from "./read-declarations.mjs";

// Not @microsoft/api-extractor: it brings an older compiler than ours, wants a configuration for every entry, and knows no
// exports maps. Our compiler has written the signatures already; they only have to be gathered.
const REPORT = "api-report.txt";
const MAX_NAMES = 200;

/**
 * The report of a built package: the names of each of its entries with their declarations, the declarations that these
 * mention without exporting them, and what the package adds to the types of others.
 *
 * @param {string} folder - of the package, absolute
 * @returns {{ text: string, problems: string[] }}
 */
export function reportOf(folder) {
  const { name, exports } = readManifest(folder);
  const declarations = new Declarations();
  const entries = Object.entries(exports)
    // What is packed of others has reports of its own.
    .filter(([, target]) => target.types && !target.types.includes("/vendor/"))
    .map(([path, { types }]) => ({ name: join(name, path), file: join(folder, types) }))
    .map((entry) => ({ ...entry, exported: declarations.exportsOf(entry.file) }));
  const mentioned = mentionedOnly(declarations, entries);
  const added = reachable(declarations, entries).flatMap((file) => declarations.augmentationsIn(file));
  const sections = [
    ...entries.map((entry) => [`${entry.name}: ${entry.exported.size} names`, [...entry.exported].map(describe)]),
    ["Mentioned by these, not exported", mentioned.map(printDeclaration)],
    ["Added to the types of other packages", [...new Set(added)]],
  ].filter(([, texts]) => texts.length > 0);
  const problems = entries
    .filter(({ exported }) => exported.size >= MAX_NAMES)
    .map((entry) => `${entry.name} exports ${entry.exported.size} names; fewer than ${MAX_NAMES} are allowed`);
  return { text: sections.map(([title, texts]) => `== ${title}\n\n${texts.join("\n\n")}\n`).join("\n"), problems };
}

function describe([name, declaration]) {
  if (typeof declaration === "string") return `export { ${name} } from "${declaration}"`;
  const renamed = declaration.name === name ? "" : `// exported as ${name}\n`;
  return `${renamed}${printDeclaration(declaration)}`;
}

/** Declarations that a user of the package meets in signatures only. */
function mentionedOnly(declarations, entries) {
  const waiting = entries.flatMap(({ exported }) => [...exported.values()]).filter((one) => typeof one !== "string");
  const known = new Set(waiting.map(keyOf));
  const found = [];
  for (const declaration of waiting)
    for (const next of declarations.mentionedBy(declaration)) {
      if (known.has(keyOf(next))) continue;
      known.add(keyOf(next));
      found.push(next);
      waiting.push(next);
    }
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ name, file }) => `${name} ${file}`;

function reachable(declarations, entries) {
  const files = new Set(entries.map(({ file }) => file));
  for (const file of files) for (const next of declarations.importsOf(file)) files.add(next);
  return [...files].sort();
}

/** Compares or writes the reports of all packages. @returns what is wrong, one line each */
function keepReports(isWriting) {
  return publishedFolders(ROOT).flatMap((folder) => {
    const path = join(ROOT, folder, REPORT);
    const { text, problems } = reportOf(join(ROOT, folder));
    if (isWriting) writeFileSync(path, text);
    const kept = existsSync(path) ? readFileSync(path, "utf8") : "";
    return kept === text
      ? problems
      : [...problems, `${folder}/${REPORT}: the public API has changed; \`npm run docs\` updates it`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureReady();
  const problems = keepReports(process.argv.includes("--write"));
  for (const problem of problems) console.error(problem);
  console.error(problems.length === 0 ? "public API: as reported" : `public API: ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
