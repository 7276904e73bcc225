// Proves that every published package says what a registry shows of it: licence, repository, keywords. `node scripts/check-packages.mjs [--write]`
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WRITTEN_BY_HAND = ["description", "keywords", "files", "exports"];
const MIN_KEYWORDS = 3;

/** Hosts below `.invalid` never exist: the project has no public repository yet. @source RFC 2606, section 2 */
const PLACEHOLDER = /^git\+https:\/\/[^/]+\.invalid\//;

/**
 * Folders of the packages that are published, in no order that matters.
 *
 * @param {string} root - folder of the repository
 * @returns {string[]} `core`, `plugins/graphql` ...
 */
export function publishedFolders(root) {
  const plugins = readdirSync(join(root, "plugins"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = ["core", ...plugins.map(({ name }) => `plugins/${name}`)];
  return folders.filter((folder) => readManifest(root, folder).private !== true);
}

/** The package.json of a folder of the repository; of the root without one. */
export function readManifest(root, folder = ".") {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** Whether the root's package.json still has no real address of the repository. */
export const isPlaceholder = (root) => PLACEHOLDER.test(readManifest(root).repository.url);

/**
 * What the root's package.json decides for every package.
 *
 * @returns {Record<string, unknown>} fields of the package's own package.json
 */
export function sharedFields(root, folder) {
  const { license, engines, repository } = readManifest(root);
  const { version, peerDependencies } = readManifest(root, folder);
  const page = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  return {
    license,
    homepage: `${page}/tree/main/${folder}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { ...repository, directory: folder },
    engines,
    ...(peerDependencies ? { peerDependencies: withOurRange(peerDependencies, `^${version}`) } : {}),
  };
}

/** All packages have one version. lerna changes it in dependencies, and leaves the ranges of peers as they are. */
const withOurRange = (peers, range) =>
  Object.fromEntries(Object.entries(peers).map(([name, other]) => [name, isOurs(name) ? range : other]));

const isOurs = (name) => name.startsWith("@plinth/");

/**
 * Lists what the published packages lack, one line each: `path: what is wrong`.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkPackages(root) {
  return publishedFolders(root).flatMap((folder) => [...wrongInManifest(root, folder), ...wrongLicence(root, folder)]);
}

function wrongInManifest(root, folder) {
  const manifest = readManifest(root, folder);
  const say = (what) => `${folder}/package.json: ${what}`;
  const shared = Object.entries(sharedFields(root, folder));
  const { keywords = [], dependencies = {} } = manifest;
  return [
    ...Object.keys(dependencies)
      .filter(isOurs)
      .map((name) => say(`${name} is a dependency; as a peer, an app has one of it`)),
    ...WRITTEN_BY_HAND.filter((field) => manifest[field] === undefined).map((field) => say(`has no ${field}`)),
    ...(keywords.length < MIN_KEYWORDS ? [say(`has fewer than ${MIN_KEYWORDS} keywords`)] : []),
    ...shared
      .filter(([field, value]) => !isDeepStrictEqual(manifest[field], value))
      .map(([field]) => say(`${field} is not what the root's package.json decides; \`npm run docs\` writes it`)),
  ];
}

function wrongLicence(root, folder) {
  const path = join(root, folder, "LICENSE");
  const isEqual = existsSync(path) && readFileSync(path, "utf8") === readFileSync(join(root, "LICENSE"), "utf8");
  return isEqual ? [] : [`${folder}/LICENSE: is not the LICENSE of the root; \`npm run docs\` writes it`];
}

/** Writes into every published package what the root decides: licence text and shared fields. */
export function writePackages(root) {
  for (const folder of publishedFolders(root)) {
    const manifest = Object.entries({ ...readManifest(root, folder), ...sharedFields(root, folder) });
    const ordered = manifest.sort(([a], [b]) => rank(a) - rank(b));
    writeFileSync(join(root, folder, "package.json"), `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`);
    writeFileSync(join(root, folder, "LICENSE"), readFileSync(join(root, "LICENSE"), "utf8"));
  }
}

const FIRST = "name version private description keywords license homepage bugs repository type engines".split(" ");

/** Fields that describe the package stand first; the others keep their order. */
const rank = (field) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--write")) writePackages(ROOT);
  const problems = checkPackages(ROOT);
  for (const problem of problems) console.error(problem);
  console.error(problems.length === 0 ? "packages: all complete" : `packages: ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
