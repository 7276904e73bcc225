import { type Candidate, changeCandidate, randomCandidate, requestOf } from "./candidates.js";
import type { Cost, Meter } from "./meter.js";
import { randomOf } from "./random.js";

/** What one anonymous request may cost at most, on the sample app with 2,000 articles. */
export const CEILING = { processor: 1, nodeMemory: 64, postgresMemory: 256 };

/** A request and what it cost. */
export interface Found {
  readonly candidate: Candidate;
  readonly cost: Cost;
  /** The largest part of a ceiling that it took: above 1 it is too much. */
  readonly score: number;
}

/** How the search runs. */
export interface SearchOptions {
  readonly seed: number;
  readonly seconds: number;
  /** Where it begins. */
  readonly known?: readonly Candidate[];
}

/** Candidates of each surface that are changed further. */
const BEST = 6;
/** What seems too much is measured so many times, and the least counts: other work on the machine only adds. */
const TIMES = 3;

const SURFACES = ["rest", "graphql"] as const;

/**
 * Searches for the most expensive request: random ones, and changes of the worst so far.
 *
 * @returns the worst, the first one the worst of all; and how many requests were sent.
 */
export async function searchWorst(
  meter: Meter,
  { seed, seconds, known = [] }: SearchOptions,
): Promise<{ readonly worst: readonly Found[]; readonly sent: number }> {
  const random = randomOf(seed);
  const end = performance.now() + seconds * 1000;
  const worst: Record<Candidate["surface"], readonly Found[]> = { rest: [], graphql: [] };
  let sent = 0;
  while (sent < known.length || performance.now() < end) {
    const base = random.once(3) ? undefined : random.pick(worst[random.pick(SURFACES)])?.candidate;
    const candidate = known[sent] ?? (base ? changeCandidate(base, random) : randomCandidate(random));
    sent += 1;
    const found = await judge(meter, candidate);
    const { surface } = candidate;
    worst[surface] = byScore([...worst[surface], found]).slice(0, BEST);
  }
  return { worst: byScore([...worst.rest, ...worst.graphql]), sent };
}

const byScore = (found: readonly Found[]) => found.toSorted((one, other) => other.score - one.score);

async function judge(meter: Meter, candidate: Candidate): Promise<Found> {
  let least: Found | undefined;
  for (let time = 0; time < TIMES; time += 1) {
    const cost = await meter.measure(requestOf(candidate));
    const score = scoreOf(cost);
    if (!least || score < least.score) least = { candidate, cost, score };
    if (least.score <= 1) break;
  }
  return least as Found;
}

const scoreOf = (cost: Cost): number =>
  Math.max(...(Object.keys(CEILING) as (keyof typeof CEILING)[]).map((what) => cost[what] / CEILING[what]));

/** A line for people. */
export function describeFound({ candidate, cost, score }: Found): string {
  const { path, init } = requestOf(candidate);
  const { processor, nodeMemory, postgresMemory, status, bytes } = cost;
  const figures = `${processor.toFixed(2)} s, node ${nodeMemory.toFixed(0)} MB, PostgreSQL ${postgresMemory.toFixed(0)} MB`;
  const request = `${decodeURIComponent(path)} ${String(init.body ?? "")}`;
  return `${score.toFixed(2)} of the ceiling: ${figures}, ${status}, ${bytes} bytes, request of ${request.length}: ${request.slice(0, 600)}`;
}
