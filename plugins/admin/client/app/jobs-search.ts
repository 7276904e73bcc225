import type { JobState } from "../../src/wire/operations.js";

/** What the address of the jobs says. */
export interface JobsSearch {
  readonly state?: JobState;
  /** Name of a queue. */
  readonly job?: string;
}

/** Reads the address of the jobs; what it does not understand is left out. */
export const parseJobsSearch = ({ state, job }: Record<string, unknown>): JobsSearch => ({
  ...(state === "waiting" || state === "running" || state === "dead" ? { state } : {}),
  ...(typeof job === "string" && job !== "" ? { job } : {}),
});
