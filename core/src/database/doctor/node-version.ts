import type { Finding } from "./finding.js";

/**
 * The last day with fixes, by major version of Node.
 *
 * @source https://github.com/nodejs/Release/blob/main/schedule.json
 */
const ENDS: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};

const DAY = 24 * 60 * 60 * 1000;
/** Days before the end from which on it is said. */
const SOON = 90;

/**
 * Whether the version of Node still gets fixes.
 *
 * @param version - `20.19.1`
 * @param now - milliseconds since 1970.
 */
export function examineNode(version: string, now: number): readonly Finding[] {
  const end = ENDS[Number.parseInt(version, 10)];
  if (end === undefined) return [];
  const days = Math.floor((Date.parse(end) - now) / DAY);
  if (days > SOON) return [];
  const what = days < 0 ? `has had no fixes since ${end}` : `gets fixes until ${end} only`;
  const advice = "Go on to a version with long-term support: https://nodejs.org/en/about/previous-releases.";
  return [{ weight: days < 0 ? "warning" : "hint", kind: "end of life", where: `Node ${version}`, what, advice }];
}
