// What a run of all tests of the admin page does about those that failed; used by scripts/test-browser.mjs.

/** How many files with a failed test a run of everything repeats; more than that are no accident. */
const MOST_REPEATED = 3;

/**
 * Runs the files of the tests that failed once more, without other tests beside them. On a busy machine a test of times
 * now and then takes longer than any limit; what passes alone is printed and no longer counted as a failure.
 *
 * @param result what `addUp` of scripts/mocha-process.mjs returns
 * @param run takes files, and returns such a result of them
 */
export async function repeatFailed(result, run) {
  const files = [...new Set(result.failures.map(({ file }) => file))];
  const isComplete = result.failures.length === result.failed && !files.includes(undefined);
  if (files.length === 0 || files.length > MOST_REPEATED || !isComplete) return result;
  for (const { title, why } of result.failures) console.log(`failed beside others: ${title}\n${indent(why)}`);
  console.log(`[plinth] once more, alone: ${files.join(" ")}`);
  const again = await run(files);
  const before = files.reduce((sum, file) => sum + (result.files[file]?.passed ?? 0), 0);
  return { ...again, passed: result.passed - before + again.passed, files: result.files };
}

const indent = (text) => text.replace(/^/gm, "  ");
