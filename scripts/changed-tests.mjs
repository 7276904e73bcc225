// What `npm test -- --changed` runs: the tests of what differs from the main branch, as many of the closest as take a minute.
import { Clone } from "./changed-lines.mjs";
import { TESTS_OF_GUIDES, cutTo, takeTurns, testsOfChanges } from "./choose-tests.mjs";
import { HOW_TO_RECORD, readRecord } from "./coverage-record.mjs";
import { ROOT } from "./ensure-ready.mjs";
import { secondsOf } from "./file-costs.mjs";
import { readGraph } from "./import-graph.mjs";

const CHANGED = /^--changed(?:=(.+))?$/;
/** All tests of the changes, however long they take. */
const ALL = "--all";
const MINUTE = 60;
/** How many changed functions and files are printed. */
const MOST_PLACES = 20;

/**
 * Takes `--changed[=commit]` and `--all` out of the arguments of a run.
 *
 * @param {string[]} args
 * @returns {{ args: string[], changed?: { ref: string | undefined, isAll: boolean } }} the others; `changed`: only tests of changes are asked for
 */
export function readArguments(args) {
  const option = args.find((arg) => CHANGED.test(arg));
  if (!option) return { args };
  const others = args.filter((arg) => arg !== option && arg !== ALL);
  return { args: others, changed: { ref: CHANGED.exec(option)[1], isAll: args.includes(ALL) } };
}

/**
 * Chooses the tests, and prints which and why.
 *
 * @param {{ ref: string | undefined, isAll: boolean }} asked - from `readArguments`
 * @param {number} processes - that they are dealt to
 * @returns {{ files: string[], guides: string[] }} `guides`: pages, of whose tests only theirs are run
 */
export function chooseChanged({ ref, isAll }, processes) {
  const clone = new Clone(ROOT);
  const commit = clone.base(ref);
  const coverage = readRecord();
  const differing = clone.changedFiles(commit);
  const { changed, guides, places } = testsOfChanges(differing, {
    linesOf: (file, version) => clone.changedLines(file, commit, version),
    graph: readGraph(ROOT),
    coverage,
  });
  const all = [...new Set([...changed, ...takeTurns(places.map(({ tests }) => tests))])];
  const files = isAll ? all : cutTo(MINUTE * processes, all, secondsOf, changed.length);
  for (const line of describe({ commit, differing, guides, places, all, files, coverage }))
    console.error(`[plinth] ${line}`);
  return { files, guides: files.includes(TESTS_OF_GUIDES) ? [] : guides };
}

function describe({ commit, differing, guides, places, all, files, coverage }) {
  return [
    `${differing.length} files differ from ${commit.slice(0, 8)}; their tests are found ` +
      (coverage ? `by what ran on ${coverage.recordedAt}:` : `by imports only (${HOW_TO_RECORD}):`),
    ...places.slice(0, MOST_PLACES).map(({ place, tests }) => `  ${place}: ${countOf(tests)}`),
    ...(places.length > MOST_PLACES ? [`  and ${places.length - MOST_PLACES} more changes`] : []),
    `the closest ${countOf(files)}, of ${all.length}:`,
    ...files.map((file) => `  ${file}`),
    ...guides.map((guide) => `  ${TESTS_OF_GUIDES}, ${guide}`),
    ...(files.length < all.length ? [`${all.length - files.length} more: npm test -- --changed ${ALL}`] : []),
  ];
}

const countOf = ({ length }) => `${length} file${length === 1 ? "" : "s"} of tests`;
