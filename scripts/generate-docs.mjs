// Writes the references of errors, hooks, configuration and commands from the sources: `npm run docs`. Needs tsx and the condition plinth-source.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { commandReference } from "./describe-commands.mjs";
import { configReferences } from "./describe-config.mjs";
import { page, tableOf } from "./reference-page.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const DECLARES_ERRORS = /\bcreateError[<(]/;

/**
 * Builds every reference that is kept in the repository.
 *
 * @returns {Promise<Map<string, string>>} its text, by path from the root, such as `core/ERRORS.md`
 */
export async function buildReferences() {
  const errors = await listErrors();
  const plugins = await listPlugins();
  const { coreCommands } = await import("../core/src/cli/core-commands.ts");
  const references = new Map([
    ["core/HOOKS.md", describeHooks(await listHooks())],
    ...plugins.flatMap(hookReference),
    ["core/CLI.md", await commandReference([coreCommands, ...plugins.map(({ plugin }) => plugin)])],
    ...(await configReferences(ROOT)),
  ]);
  for (const owner of new Set(errors.map((error) => error.owner)))
    references.set(
      `${owner}/ERRORS.md`,
      describeErrors(
        owner,
        errors.filter((error) => error.owner === owner),
      ),
    );
  return references;
}

/**
 * Imports every module of core and plugins that declares errors, and lists what they declare.
 *
 * @returns {Promise<{ owner: string, area: string, file: string, className: string, entry: import("@plinth/core").ErrorEntry }[]>}
 *   in order of owner, area and code; `owner` is a package's folder, `area` a folder of its sources or an empty text
 */
export async function listErrors() {
  const { errorCatalogue } = await import("@plinth/core");
  const files = packageSources().filter((file) => DECLARES_ERRORS.test(readFileSync(join(ROOT, file), "utf8")));
  const classes = (await Promise.all(files.map(classesOf))).flat();
  const entries = new Map(errorCatalogue().map((entry) => [entry.code, entry]));
  return classes
    .filter(({ code }) => entries.has(code))
    .map(({ code, ...place }) => ({ ...place, entry: entries.get(code) }))
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** Source files of core and plugins, by path from the root. */
export function packageSources() {
  const owners = ["core", ...readdirSync(join(ROOT, "plugins")).map((plugin) => `plugins/${plugin}`)];
  return owners.flatMap(sourcesOf).sort(compare);
}

function sourcesOf(owner) {
  const paths = readdirSync(join(ROOT, owner, "src"), { recursive: true });
  return paths.filter((path) => path.endsWith(".ts")).map((path) => `${owner}/src/${path.replaceAll("\\", "/")}`);
}

async function classesOf(file) {
  const exported = await import(pathToFileURL(join(ROOT, file)).href);
  const [, owner, area] = /^(core|plugins\/[^/]+)\/src\/(?:(.*)\/)?[^/]+$/.exec(file);
  return Object.entries(exported)
    .filter(([, value]) => typeof value === "function" && String(value.code).startsWith("PLINTH_"))
    .map(([className, { code }]) => ({ owner, area: area ?? "", file, className, code }));
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));
const keyOf = ({ owner, area, entry }) => [owner, area, entry.code].join("\n");

/** The plugins of the repository, by their folders; a package beside them may be none. */
async function listPlugins() {
  const folders = readdirSync(join(ROOT, "plugins")).map((name) => `plugins/${name}`);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const exported = await import(pathToFileURL(join(ROOT, folder, "src", "index.ts")).href);
      const plugin = Object.values(exported).find((value) => value?.definition !== undefined);
      return { folder, plugin };
    }),
  );
  return found.filter(({ plugin }) => plugin !== undefined);
}

function hookReference({ folder, plugin }) {
  const hooks = plugin.definition.hooks ?? [];
  if (hooks.length === 0) return [];
  const rows = hooks.map(({ name, kind, description }) => [`\`${name}\``, kind, description]);
  const text = "What a handler of each kind gets is in [the guide of hooks](../../core/guides/hooks.md).";
  return [[`${folder}/HOOKS.md`, page(`Hooks of ${folder}`, [text, "", tableOf(["hook", "kind", "when"], rows)])]];
}

/** The hooks of core; those of one content-type stand once, for all. */
async function listHooks() {
  const { documentHooks } = await import("../core/src/documents/hooks.ts");
  const { transformGrantProblems, transformPermissions } = await import("../core/src/app/permissions/permissions.ts");
  const { transformStartLines } = await import("../core/src/app/start-lines.ts");
  const { beforeSync } = await import("../core/src/app/collect-model.ts");
  const { afterBuild } = await import("../core/src/app/after-build.ts");
  const { beforeStop, onStart } = await import("../core/src/app/duty.ts");
  const { resolveActor } = await import("../core/src/access/resolve-actor.ts");
  const { onAct } = await import("../core/src/access/acts.ts");
  const { beforeGrant, transformGivenGrant } = await import("../core/src/access/assert-may-grant.ts");
  const granting = [beforeGrant, transformGivenGrant];
  const permissions = [transformPermissions, transformGrantProblems, resolveActor, onAct, ...granting];
  const life = [beforeSync, onStart, beforeStop, transformStartLines, afterBuild];
  return [...documentHooks(["<uid>"]), ...permissions, ...life];
}

function describeErrors(owner, errors) {
  const areas = [...new Set(errors.map(({ area }) => area))];
  const sections = areas.map((area) => {
    const rows = errors.filter((error) => error.area === area).map(({ entry }) => errorRow(entry));
    const table = tableOf(["code", "status", "name in answers", "cause", "remedy"], rows);
    return area === "" ? table : `## ${area}\n\n${table}`;
  });
  return page(`Errors of ${owner}`, [
    "Every error has a code that stays the same; compare `error.code`. An answer shows status, name, message, details and",
    "code. Faults of the server are shown less: 500 is `Internal Server Error`, and 503 and 507 are the code and a sentence;",
    "message and details are in the log then.",
    "",
    sections.join("\n\n"),
  ]);
}

const errorRow = ({ code, status, wireName, cause, remedy }) => [`\`${code}\``, `${status}`, wireName, cause, remedy];

function describeHooks(hooks) {
  const rows = hooks.map(({ name, kind, description }) => [`\`${name}\``, kind, description]);
  return page("Hooks of core", [
    "`plinth hooks` lists these and those of the plugins of an app, with who listens. What each handler gets is",
    "[in the guide](guides/hooks.md#which-there-are); what a handler of each kind may do is in [src/kernel/hook.ts](src/kernel/hook.ts); the events are typed in",
    "[src/documents/hooks.ts](src/documents/hooks.ts).",
    "",
    tableOf(["hook", "kind", "when"], rows),
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of await buildReferences()) {
    writeFileSync(join(ROOT, path), text);
    console.log(`${path} written`);
  }
}
