// Which files of the repository name each other, and which tests reach a file by that: what is known of tests without a run.
import { readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { walk } from "./check-floors.mjs";

const CODE = /\.(?:tsx?|mts|mjs|cjs|js)$/;
/** A file, folder or package in quotes: what a file imports, and also what it reads or starts. */
const NAMED = /["'`]((?:\.{0,2}\/|[#@\w])[^"'`\n$]*)["'`]/g;
/** The same in parts: `join(ROOT, "core", "guides")`, `join(import.meta.dirname, "apps")`. */
const JOINED = /\bjoin\(([\w.]+),([^()]*)\)/g;

/** Whether a path is that of a file of tests that `npm test` runs. */
export const isTest = (name) => /^test\/.*\.test\.ts$/.test(name);

/** Reads the graph of all files below a folder. Files are named by their path from there: `core/src/base/error.ts`. */
export function readGraph(root) {
  const files = walk(root).map((path) => relative(root, path).split(sep).join("/"));
  const known = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  const entries = readEntries(root, files);
  const namedBy = new Map();
  for (const file of files.filter((one) => CODE.test(one))) {
    for (const name of namesIn(readFileSync(join(root, file), "utf8"))) {
      const target = resolveName(file, name, { known, entries });
      if (target && target !== file) namedBy.set(target, (namedBy.get(target) ?? new Set()).add(file));
    }
  }
  return { files: new Set(files), namedBy };
}

function namesIn(text) {
  const joined = [...text.matchAll(JOINED)].map(([, base, parts]) => {
    const names = [...parts.matchAll(NAMED)].map(([, name]) => name);
    return [base === "ROOT" ? "/" : ".", ...names].join("/");
  });
  return [...[...text.matchAll(NAMED)].map(([, name]) => name), ...joined];
}

/** The folders that a file is in, the nearest first; not those at the top, such as `core`. */
function foldersOf(file) {
  const parts = file.split("/");
  return parts.map((_, index) => parts.slice(0, -1 - index).join("/")).filter((folder) => folder.includes("/"));
}

/** By what is imported of each package of the repository, the source. */
function readEntries(root, files) {
  const manifests = files.filter((file) => /^(?:core|plugins\/[^/]+)\/package\.json$/.test(file));
  return new Map(
    manifests.flatMap((file) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), "utf8"));
      const sources = Object.entries(exports).filter(([, target]) => target["plinth-source"]);
      return sources.map(([path, target]) => [
        posix.join(name, path),
        posix.join(dirname(file), target["plinth-source"]),
      ]);
    }),
  );
}

/** @returns the path of what a name in a file means; undefined: not a file of the repository */
function resolveName(file, name, { known, entries }) {
  const fromRoot = entries.get(name) ?? name.replace(/^#core\//, "core/src/").replace(/^#plugins\//, "plugins/");
  // A single word is a file beside this one, as in `new URL("child.ts", import.meta.url)`, or not a file at all.
  const isBeside = name.startsWith(".") || /^[^/]+\.\w+$/.test(name);
  const path = posix.normalize(isBeside ? posix.join(posix.dirname(file), name) : fromRoot).replace(/^\/+|\/$/g, "");
  if (!isBeside && !name.includes("/")) return undefined;
  return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find((one) => known.has(one));
}

/**
 * The files of tests that reach a file by names.
 *
 * @returns {Map<string, number>} by the path of each the number of files between the two; the nearest first
 */
export function testsReaching({ namedBy }, file) {
  // Of a file that no code names, such as a schema.json of an app, the nearest folder that is named.
  const start = [file, ...foldersOf(file)].find((one) => namedBy.has(one));
  const distances = new Map(start === undefined ? [] : [[start, -1]]);
  // A map goes on with what is added while it is read.
  for (const [one, distance] of distances) {
    for (const by of namedBy.get(one) ?? []) if (!distances.has(by)) distances.set(by, distance + 1);
  }
  return new Map([...distances].filter(([one]) => isTest(one)));
}
