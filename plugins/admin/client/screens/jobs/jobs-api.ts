import type { JobList, QueueList } from "../../../src/wire/operations.js";
import { api } from "../../app/api.js";
import type { JobsSearch } from "../../app/jobs-search.js";

/** The action of the routes of jobs. @source plugins/jobs/src/rest/jobs-routes.ts */
export const JOBS_ACTION = "plugin::jobs.manage";

/** Names what is read of jobs; a change of one may change all. */
export const JOBS_KEY = "jobs";

/** How often it is read again while the screen is shown, in milliseconds. */
export const FRESH = 5_000;

/** How many of each there are. @throws ApiError */
export const readQueues = (signal: AbortSignal): Promise<QueueList> => api("/jobs/queues", { signal });

/** The oldest of them. @throws ApiError */
export const listJobs = ({ state, job }: JobsSearch, signal: AbortSignal): Promise<JobList> =>
  api(`/jobs?${new URLSearchParams({ ...(state ? { state } : {}), ...(job ? { job } : {}) })}`, { signal });

/** What is done with jobs. */
export type JobVerb = "retry" | "drop";

/** One job, or all dead ones of a name. */
export type JobChoice = { readonly id: string } | { readonly job: string };

/** Has dead jobs run again, or deletes them. @returns how many @throws ApiError */
export const changeJobs = async (verb: JobVerb, body: JobChoice): Promise<number> =>
  (await api<{ readonly data: { readonly jobs: number } }>(`/jobs/${verb}`, { method: "POST", body })).data.jobs;
