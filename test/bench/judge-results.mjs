// What is asked of the figures of a run.

/** The p99 of ours may be this many times the limit's. */
const P99 = 2;
/** With 100 connections every row keeps this much of its share with 10. */
const KEPT_AT_100 = 0.7;
/** A row that asks the same as another one, in another way, keeps this much of its share. */
export const KEPT_BESIDE = 0.9;
/** A short run may lose this much of what was recorded before: its ratios are rough. */
const DROP = 1 / 3;

/** The verdict on a full run. @returns {string[]} what is too slow; empty when all is well. */
export function judgeResults(results) {
  return results.flatMap((result) => {
    const label = `"${result.name}" with ${result.connections} connections`;
    const least = leastOf(result, results);
    const { ours, limit } = result.servers;
    const p99 = ours.median.p99 / limit.median.p99;
    return [
      ...(result.ratio < least
        ? [
            `${label} reaches ${result.ratio.toFixed(3)} of the limit's requests per second; ${least.toFixed(2)} is asked for`,
          ]
        : []),
      ...(result.connections <= 100 && p99 > P99
        ? [`${label} has a p99 of ${p99.toFixed(1)} times the limit's; at most ${P99} times is asked for`]
        : []),
      ...behindPostgraphile(result.servers, label),
    ];
  });
}

function behindPostgraphile({ ours, postgraphile }, label) {
  const times = postgraphile && ours.median.requestsPerSecond / postgraphile.median.requestsPerSecond;
  return times < 1 ? [`${label} has ${times.toFixed(2)} of the requests per second of PostGraphile`] : [];
}

/** With up to 10 connections the promise of the row, with up to 100 a share of what it reached with 10, beyond nothing. */
function leastOf({ name, connections, atLeast, sameAs, isAlike }, results) {
  const same = !isAlike && results.find((other) => other.name === sameAs && other.connections === connections);
  if (same) return same.ratio * KEPT_BESIDE;
  if (connections <= 10) return atLeast;
  if (connections > 100) return 0;
  const few = results.find((other) => other.name === name && other.connections <= 10);
  return few ? few.ratio * KEPT_AT_100 : 0;
}

/**
 * Of a short run.
 *
 * @param {object[]} results
 * @param {Record<string, number>} recorded - ratio by row.
 * @returns {object[]} the results that have become slower.
 */
export function slowerThanRecorded(results, recorded) {
  return results.filter(({ name, ratio }) => ratio < (recorded[name] ?? 0) * (1 - DROP));
}

/** The verdict on a short run. @returns {string[]} what has become slower, as {@link slowerThanRecorded}. */
export function judgeAgainstRecorded(results, recorded) {
  return slowerThanRecorded(results, recorded).map(
    ({ name, ratio }) => `"${name}" reaches ${ratio.toFixed(3)} of the limit; ${recorded[name].toFixed(3)} is recorded`,
  );
}
