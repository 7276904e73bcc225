// Proves the house rules that no type checker sees: floors, cycles, entries, budgets, names. `node scripts/check-floors.mjs [folder]`
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { codeOf, importsOf } from "./source-text.mjs";
import { BUNDLED } from "./bundled-packages.mjs";

const FLOORS = ["base", "schema", "kernel", "database", "access", "documents", "http", "app", "cli"];
/** The uid of a plugin's thing: core asks what has registered instead. Docstrings may have one as an example. */
const PLUGIN_UID = /\bplugin::[a-z][\w-]*\.[\w.-]*/;
/** A server in production loads nothing of it. */
const COMMAND_LINE = "cli";
/** Floors that may touch what is outside of the process. */
const OUTER = ["app", COMMAND_LINE];
/** Folders of the floor `database`: each imports itself and those before it. */
const DATABASE = ["sql", "layout", "driver", "sync", "reads", "writes", "models", "doctor"];
/** What a floor above `database` may not do by itself: build SQL. */
const SQL_FOLDER = "core/src/database/sql/";
const SQL_TEXT = /["`](?:select .* from |insert into |delete from |update \S+ set |with \S+ as |lock table )/;
/** How a lock is taken by SQL; plugins have `db.lock` and `documents(uid).lock`. */
const SQL_LOCK = /\bpg_(?:try_)?advisory_|\block table \w|\bfor (?:no key )?update["`]/;
/** Members of a library that no documentation names: each library has one file for them, with a test. */
const UNDOCUMENTED = /\._[a-zA-Z]\w*|\b__knex__\w+|\bknex\.client\b|\bshouldKeepAlive\b/;
const INTERNALS = /-internals\.ts$/;
const NOT_NEEDED = { database: ["kernel"], http: ["documents"] };
const TOP_LEVEL =
  "core plugins app-template test scripts package.json package-lock.json tsconfig.json lerna.json README.md LICENSE CHANGELOG.md".split(
    " ",
  );
const EXPORTED_VALUE = /^export (?:abstract )?(?:async )?(?:const|function\*?|class) ([\w$]+)/gm;
/** The entries of core beside the main one, and the files of all. */
const CORE_PART = /^@plinth\/core\/(access|archive|http|options|reads|schema|telemetry|valibot)$/;
const CORE_ENTRY = /^core\/src\/(?:index|entry\/(?:access|archive|http|options|reads|schema|telemetry))\.ts$/;
/** The library that core packs: named by core itself too, so that there is one of it however core is bundled. */
const PACKED = "@plinth/core/valibot";
const NOT_OURS = new Set(["node_modules", "dist", "vendor", ".git", ".cache", ".plinth"]);
const EMPTY_NAMES = new Set(["util", "utils", "helper", "helpers", "common", "misc", "lib"]);
const CLIENT = /^plugins\/admin\/client\//;
/** What the client may import of the server: types of requests and answers. */
const WIRE = /^plugins\/admin\/src\/wire\//;
const MAX_LINES = 400;
const MAX_PLUGIN_ENTRY_LINES = 60;
const MAX_ANY_PER_1000_LINES = 5;
const ANY = /(?::|\bas|<|,|=|\||&)\s*any\b|\bany\[\]/g;
// An embedded database is a directory, which its driver makes and locks.
const EMBEDDED_DATABASE = new Set([
  "core/src/database/driver/pglite.ts",
  "core/src/database/driver/fresh-cluster.ts",
  "core/src/database/driver/owned-folder.ts",
  "core/src/database/driver/embedded-thread.ts",
  "core/src/database/driver/data-lock.ts",
]);
const OUTSIDE_WORLD = /^node:(fs|child_process|process|readline|os)\b/;
const PROCESS = /\bprocess\.(env|argv|exit|exitCode|cwd|chdir|stdin|stdout|stderr|on|once)\b/;
const LEFT_OVER = /\b(?:TO[D]O|FIX[M]E)\b/;
const SKIPPED = /\b(?:this|describe|it|context|suite|test)\.(?:skip|only)\(|\bx(?:it|describe)\(/;

/**
 * Reads the repository under a folder and lists every broken house rule, one line each: `path: what is wrong`.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkTree(root) {
  const files = walk(root).map((path) => readSource(root, path));
  const sources = files.filter((file) => file.isSource);
  return [
    ...checkTopLevel(root),
    ...files.flatMap(checkNames),
    ...files.flatMap(checkText),
    ...sources.flatMap((file) => checkImports(root, file)),
    ...sources.filter(isPackageSource).flatMap(checkPackageSource),
    ...sources.filter(isClientSource).flatMap(checkDocstrings),
    ...checkCycles(sources),
    ...checkExports(sources),
    ...checkAnyBudget(sources.filter(isPackageSource)),
  ];
}

/**
 * Every file below a folder, but for what is installed, built or kept.
 *
 * @param {string} dir
 * @returns {string[]}
 */
export function walk(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(dir, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

function readSource(root, path) {
  const name = relative(root, path).split(sep).join("/");
  const isSource = /\.(?:tsx?|mts|mjs|js)$/.test(name) && !name.endsWith(".d.ts");
  const text = isSource || /\.(?:json|md|ya?ml)$/.test(name) ? readFileSync(path, "utf8") : "";
  return { name, path, text, isSource, packageName: packageOf(name), imports: isSource ? importsOf(text) : [] };
}

/** The folder of the package that a file belongs to: `core`, `plugins/graphql`, `test`; the empty string at the top. */
function packageOf(name) {
  const [top, second] = name.split("/");
  if (!name.includes("/")) return "";
  return top === "plugins" ? `${top}/${second}` : top;
}

/** Sources that tests have names for: the `imports` of test/package.json. */
const SOURCES = /^(?:core\/src|plugins\/[^/]+\/(?:src|client))\//;
const isPackageSource = (file) => /^(?:core|plugins\/[^/]+)\/src\//.test(file.name);
/** What browsers run: built by itself, and typed for browsers. */
const isClientSource = (file) => CLIENT.test(file.name);
const lineCount = (text) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

function checkTopLevel(root) {
  const found = readdirSync(root).filter((name) => !name.startsWith(".") && !NOT_OURS.has(name));
  return [
    ...found.filter((name) => !TOP_LEVEL.includes(name)).map((name) => `${name}: does not belong at the top level`),
    ...TOP_LEVEL.filter((name) => !found.includes(name)).map((name) => `${name}: is missing at the top level`),
  ];
}

function checkNames(file) {
  const parts = file.name.split("/").map((part) => basename(part, extname(part)).replace(/\.test$/, ""));
  const empty = parts.find((part) => EMPTY_NAMES.has(part));
  return empty ? [`${file.name}: "${empty}" names nothing; name the file or folder after what is in it`] : [];
}

function checkText(file) {
  const problems = [];
  const lines = lineCount(file.text);
  if (file.isSource && lines > MAX_LINES) problems.push(`${file.name}: ${lines} lines, ${MAX_LINES} is the limit`);
  const leftOver = LEFT_OVER.exec(file.name.endsWith("package-lock.json") ? "" : file.text);
  if (leftOver) problems.push(`${file.name}: says ${leftOver[0]}; do it now or open an issue`);
  if (/^scripts\/[^/]+\.mjs$/.test(file.name) && !/^\/\/ .{15,}/.test(file.text))
    problems.push(`${file.name}: line 1 does not state the purpose of the script`);
  if (file.name.startsWith("test/") && SKIPPED.test(codeOf(file.text, { strings: false })))
    problems.push(`${file.name}: skips or singles out tests`);
  return problems;
}

function checkImports(root, file) {
  const declared = declaredPackages(root, file.packageName);
  return file.imports.flatMap((specifier) => {
    const reason = specifier.startsWith(".")
      ? wrongRelative(file, resolveImport(root, file, specifier))
      : wrongPackage(specifier, isPackageSource(file) ? declared : undefined);
    return reason ? [`${file.name}: imports ${specifier}: ${reason}`] : [];
  });
}

/** What a project brings for its development: a package that listed it would have npm install it on servers too. */
const BROUGHT_BY_PROJECT = ["tsx"];

function declaredPackages(root, packageName) {
  const path = join(root, packageName, "package.json");
  if (!existsSync(path)) return undefined;
  const {
    dependencies = {},
    peerDependencies = {},
    optionalDependencies = {},
  } = JSON.parse(readFileSync(path, "utf8"));
  return new Set([
    ...BROUGHT_BY_PROJECT,
    ...(BUNDLED[packageName] ?? []),
    ...Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }),
  ]);
}

function wrongPackage(specifier, declared) {
  const [scope, second] = specifier.split("/");
  const name = specifier.startsWith("@") ? `${scope}/${second}` : scope;
  if (name.startsWith("@plinth/") && specifier !== name && !CORE_PART.test(specifier))
    return "a package is entered by its name, core also by its other entries";
  if (!declared || specifier.startsWith("node:") || declared.has(name) || specifier === PACKED) return undefined;
  return `the package.json of this package does not list ${name}`;
}

function resolveImport(root, file, specifier) {
  const path = resolve(dirname(file.path), specifier.replace(/\.js$/, ".ts"));
  const found = existsSync(path) || !existsSync(`${path}x`) ? path : `${path}x`;
  return relative(root, found).split(sep).join("/");
}

function wrongRelative(file, target) {
  const isTestOrScript = ["test", "scripts"].includes(file.packageName);
  if (file.packageName === "test" && SOURCES.test(target))
    return "a test names a source by #core/... or #plugins/..., or enters its package, so that either can move";
  if (packageOf(target) !== file.packageName && !isTestOrScript) return "reaches into another package; use its name";
  if (isClientSource(file) !== CLIENT.test(target) && !WIRE.test(target) && !isTestOrScript)
    return "the client and the server of the admin page share src/wire only";
  if (/^plugins\/[^/]+\/src\/contract\.ts$/.test(file.name) && !target.endsWith("/src/errors.ts"))
    return "a contract stands on its own (only ./errors.js)";
  return wrongFloor(file.name, target);
}

const floorOf = (name) => (CORE_ENTRY.test(name) ? undefined : /^core\/src\/([^/]+)\//.exec(name)?.[1]);

function wrongFloor(from, to) {
  const [own, other] = [floorOf(from), floorOf(to)];
  if (!own && other === COMMAND_LINE && CORE_ENTRY.test(from)) return "the command line is no part of an entry";
  if (!own) return undefined;
  if (!other) return "a floor does not import the entry of its package";
  if (own === "documents" && to.startsWith(SQL_FOLDER)) return "SQL is built by database/reads and database/writes";
  if (own === "database" && other === own) return wrongFolder(from, to);
  if (FLOORS.indexOf(other) > FLOORS.indexOf(own)) return `floor ${own} may not see floor ${other} above it`;
  return NOT_NEEDED[own]?.includes(other) ? `floor ${own} does without floor ${other}` : undefined;
}

const databaseFolderOf = (name) => /^core\/src\/database\/([^/]+)\//.exec(name)?.[1];

function wrongFolder(from, to) {
  const [own, other] = [databaseFolderOf(from), databaseFolderOf(to)];
  if (!own || !other) return undefined;
  const unknown = [own, other].find((folder) => !DATABASE.includes(folder));
  if (unknown) return `"${unknown}" is not a folder of database; they are ${DATABASE.join(", ")}`;
  return DATABASE.indexOf(other) > DATABASE.indexOf(own)
    ? `folder ${own} may not see folder ${other} above it`
    : undefined;
}

function checkPackageSource(file) {
  const problems = [];
  const say = (what) => problems.push(`${file.name}: ${what}`);
  const code = codeOf(file.text, { strings: false });
  if (/\bthrow new (?:Type|Range|Syntax)?Error\(/.test(code)) say("throws a bare Error; use createError");
  const internal = INTERNALS.test(file.name) ? undefined : UNDOCUMENTED.exec(code)?.[0];
  if (internal) say(`uses ${internal}, which is not documented; reach it in the library's *-internals.ts`);
  problems.push(...checkDocstrings(file));
  if (file.name.startsWith("core/")) for (const what of wrongInCore(file, code)) say(what);
  else if (SQL_LOCK.test(file.text)) say("takes a lock by SQL; use db.lock or documents(uid).lock");
  if (/^plugins\/[^/]+\/src\/index\.ts$/.test(file.name) && lineCount(file.text) > MAX_PLUGIN_ENTRY_LINES)
    say(`the entry of a plugin has at most ${MAX_PLUGIN_ENTRY_LINES} lines`);
  return problems;
}

const checkDocstrings = (file) =>
  undocumentedExports(file.text).map((name) => `${file.name}: exports ${name} without a docstring`);

function wrongInCore(file, code) {
  const problems = [];
  const floor = floorOf(file.name);
  const isEntry = CORE_ENTRY.test(file.name);
  if (!floor && !isEntry) problems.push("is on no floor");
  if (floor === "documents" && SQL_TEXT.test(file.text))
    problems.push("holds SQL; its statements are made by database/writes");
  if (floor && !FLOORS.includes(floor)) problems.push(`"${floor}" is not a floor; they are ${FLOORS.join(", ")}`);
  if (isEntry && /^\s*(?:export\s+)?(?:default|const|let|function|async|class|interface|enum)\b/m.test(code))
    problems.push("an entry of core only re-exports");
  const uid = PLUGIN_UID.exec(codeOf(file.text, { templates: true }))?.[0];
  if (uid) problems.push(`names ${uid}; a plugin registers what core has to know of it`);
  if (OUTER.includes(floor) || !floor || EMBEDDED_DATABASE.has(file.name)) return problems;
  const reached = file.imports.find((name) => OUTSIDE_WORLD.test(name)) ?? PROCESS.exec(code)?.[0];
  if (reached) problems.push(`uses ${reached}; only the floors app and cli touch files, environment and process`);
  return problems;
}

/** Names of exported declarations that do not follow a docstring; an overload follows the one before it. */
function undocumentedExports(text) {
  const lines = text.split("\n");
  const documented = new Set();
  return lines.flatMap((line, index) => {
    const name =
      /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/.exec(
        line,
      )?.[1];
    if (!name || documented.has(name)) return [];
    documented.add(name);
    return isAfterDocstring(lines, index) ? [] : [name];
  });
}

function isAfterDocstring(lines, index) {
  let above = index - 1;
  while (/^\s*(?:@\w|\/\/)/.test(lines[above] ?? "")) above -= 1;
  return /\*\/\s*$/.test(lines[above] ?? "");
}

function checkCycles(sources) {
  const graph = new Map(sources.map((file) => [file.name, edgesOf(file, sources)]));
  const problems = [];
  const done = new Set();
  const visit = (name, path) => {
    const start = path.indexOf(name);
    if (start >= 0) problems.push(`${name}: is in an import cycle: ${[...path.slice(start), name].join(" -> ")}`);
    if (start >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return problems;
}

/** What a file imports of this repository: relative files, and the entry of each package it names. */
function edgesOf(file, sources) {
  const root = file.path.slice(0, -file.name.length);
  const known = (name) => sources.some((source) => source.name === name);
  return file.imports
    .map((specifier) => {
      if (specifier.startsWith(".")) return resolveImport(root, file, specifier);
      if (specifier === "@plinth/core") return "core/src/index.ts";
      if (CORE_PART.test(specifier)) return specifier.replace(CORE_PART, "core/src/entry/$1.ts");
      return specifier.replace(/^@plinth\/plugin-(.*)$/, "plugins/$1/src/index.ts");
    })
    .filter(known);
}

/** Entries are for users, errors for the references, and the hooks of a loader are called by Node. */
const EXPORTED_FOR_OTHERS = /\/(?:errors?|index)\.ts$|-hook\.ts$/;

/** Exported values that no other file names: the export, or the whole, is dead. */
function checkExports(sources) {
  const naming = new Map();
  for (const { text } of sources)
    for (const word of new Set(text.match(/[\w$]+/g))) naming.set(word, (naming.get(word) ?? 0) + 1);
  return sources
    .filter((file) => isPackageSource(file) && !EXPORTED_FOR_OTHERS.test(file.name))
    .flatMap(({ name, text }) =>
      [...codeOf(text, { strings: false }).matchAll(EXPORTED_VALUE)]
        .filter(([, value]) => naming.get(value) === 1)
        .map(([, value]) => `${name}: exports ${value}, which no other file uses`),
    );
}

function checkAnyBudget(sources) {
  const count = (pattern) => sources.reduce((sum, { text }) => sum + (codeOf(text).match(pattern)?.length ?? 0), 0);
  const lines = sources.reduce((sum, { text }) => sum + lineCount(text), 0);
  const found = count(ANY);
  const allowed = Math.floor((lines * MAX_ANY_PER_1000_LINES) / 1000);
  return found > allowed ? [`core and plugins: ${found} times "any" in ${lines} lines, ${allowed} is the budget`] : [];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const problems = checkTree(resolve(process.argv[2] ?? "."));
  for (const problem of problems) console.error(problem);
  console.error(problems.length === 0 ? "house rules: all kept" : `house rules: ${problems.length} broken`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
