// Chooses the tests of what has changed: those that ran the changed functions, by the record of coverage, or that reach the file.
import { isTest, testsReaching } from "./import-graph.mjs";

/** A page that one file of tests follows, in a suite that has its path for a title. */
const GUIDE = /^(?:core|plugins\/[^/]+)\/guides\/[^/]+\.md$/;
/** That file. */
export const TESTS_OF_GUIDES = "test/docs/guides.test.ts";

/**
 * The functions on changed lines that tests ran; of lines in a function that none ran, those of the function around it.
 *
 * @param functions of a source, from `Coverage`
 * @param {{ from: number, to: number }} lines - of `Changes`
 * @returns empty for lines outside of functions
 */
export function functionsOn(functions, { from, to }) {
  const known = functions.filter(({ tests }) => tests.length > 0).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  // Between two lines it is what both are in.
  if (from === to) return known.filter(({ first, last }) => first < from && from < last).slice(0, 1);
  const lines = Array.from({ length: to - from }, (_, index) => from + 0.5 + index);
  const found = lines.flatMap((line) => {
    const around = known.filter(({ first, last }) => first <= line && line <= last);
    // On the first and the last line of a function there may also be code of the one around it.
    const innermost = around.findIndex(({ first, last }) => first < line && line < last);
    return innermost < 0 ? around : around.slice(0, innermost + 1);
  });
  return [...new Set(found)];
}

const sizeOf = ({ first, last }) => last - first;

/**
 * The tests of each changed place, the closest first: of a function, of the rest of a source, of a file that is not a source.
 *
 * @param {string[]} files - that have changed
 * @param {object} known - `linesOf`: the changed lines of a source in its recorded version; `graph` of names; `coverage`, undefined where no run
 *   was recorded
 * @returns {{ changed: string[], guides: string[], places: { place: string, tests: string[] }[] }} `changed`: tests that have
 *   changed themselves; `guides`: those that TESTS_OF_GUIDES has a suite of
 */
export function testsOfChanges(files, { linesOf, coverage, graph }) {
  const others = files.filter((file) => !isTest(file));
  const found = others.map((file) => ({ file, ...changedFunctions(file, linesOf, coverage) }));
  const changedIn = found.flatMap(({ functions }) => functions);
  const closest = coverage?.closest(changedIn).map(({ test }) => test) ?? [];
  const places = found.flatMap(({ file, functions, isMore }) => [
    ...functions.map(({ first, last, tests }) => ({
      place: `${file}:${first}-${last}`,
      tests: closest.filter((test) => tests.includes(test)),
    })),
    ...(isMore ? [{ place: file, tests: testsOf(file, coverage, graph) }] : []),
  ]);
  const known = places.map(({ place, tests }) => ({ place, tests: tests.filter((test) => graph.files.has(test)) }));
  const isThere = (file) => graph.files.has(file);
  return {
    changed: files.filter((file) => isTest(file) && isThere(file)),
    guides: files.filter((file) => GUIDE.test(file) && isThere(file)),
    places: known,
  };
}

/** @returns the functions, and whether code outside of functions, or of functions that no test ran, has changed too */
function changedFunctions(file, linesOf, coverage) {
  const all = coverage?.functionsOf(file) ?? [];
  const lines = all.length > 0 ? linesOf(file, coverage.versionOf(file)) : undefined;
  if (!lines) return { functions: [], isMore: true };
  const found = lines.map((one) => functionsOn(all, one));
  return { functions: [...new Set(found.flat())], isMore: found.some((functions) => functions.length === 0) };
}

/** The tests of a file as a whole: those that ran functions of it; where there are none, the nearest that reach it by names. */
function testsOf(file, coverage, graph) {
  const ran = coverage?.closest(coverage.functionsOf(file)) ?? [];
  if (ran.length > 0) return ran.map(({ test }) => test);
  const reaching = [...testsReaching(graph, file)];
  const near = (reaching[0]?.[1] ?? 0) + 1;
  return reaching.filter(([, distance]) => distance <= near).map(([test]) => test);
}

/** All tests of some lists, once each: the first of each list, then the second of each. */
export function takeTurns(lists) {
  const taken = new Set();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let turn = 0; turn < longest; turn += 1) for (const list of lists) if (turn < list.length) taken.add(list[turn]);
  return [...taken];
}

/** The tests that together take no more than some seconds; one that does not fit is passed over. The first `kept` always stay. */
export function cutTo(seconds, tests, secondsOf, kept) {
  let left = seconds;
  return tests.filter((test, index) => {
    if (index >= Math.max(1, kept) && secondsOf(test) > left) return false;
    left -= secondsOf(test);
    return true;
  });
}
