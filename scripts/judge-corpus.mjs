// Judges a replay of the conformance corpus: cases that the specification contradicts have to fail, and no other may.

/**
 * A case that the specification contradicts: how the answer differs from the recorded one, and the sentence that says so.
 * @typedef {{ topic: string, name: string, difference: string, sentence: string }} Contradiction
 *
 * What the corpus's runner writes with --json, as far as it is read here.
 * @typedef {{ topics: Record<string, unknown>, failures: { topic: string, name: string, quirk: boolean, diffs: string[] }[] }} Report
 */

/**
 * Compares a report with the list of contradicted cases.
 *
 * @param {Report} report
 * @param {readonly Contradiction[]} contradictions
 * @param {boolean} isPartial - whether cases were picked by name, so that a case that did not fail may not have run.
 * @returns {{ contradicted: Contradiction[], problems: string[] }} `contradicted` failed as they should; a problem is one
 * line about one case, and none means that the replay passes.
 */
export function judgeCorpus(report, contradictions, isPartial) {
  const isSame = (one) => (other) => one.topic === other.topic && one.name === other.name;
  const failures = report.failures.filter(({ quirk }) => !quirk);
  const contradicted = contradictions.filter((listed) => {
    const failure = failures.find(isSame(listed));
    return failure?.diffs.some((diff) => diff.includes(listed.difference));
  });
  const unexpected = failures.filter((failure) => !contradicted.some(isSame(failure)));
  const passed = contradictions.filter(
    (listed) => !isPartial && listed.topic in report.topics && !failures.some(isSame(listed)),
  );
  const problems = [
    ...unexpected.map(({ topic, name }) => `${topic} / ${name} failed`),
    ...passed.map(
      ({ topic, name }) => `${topic} / ${name} passes, but is listed in scripts/corpus-contradictions.json`,
    ),
  ];
  return { contradicted, problems };
}
