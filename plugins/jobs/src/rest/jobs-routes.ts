import { type App, type ExtensionRef, extensionRef, type Route } from "@plinth/core";
import { onAct } from "@plinth/core/access";
import { type Endpoint, handlerOf, originOf, type RequestInfo, type RouteMethod } from "@plinth/core/http";
import { changeJobs, type JobState, selectJobs, type ShownJob, STATES } from "../select-jobs.js";
import { jobsService } from "../jobs-service.js";
import { InvalidRequestError } from "../errors.js";
import { descriptions } from "./describe-jobs.js";
import { shownData } from "./hide-secrets.js";
import { COUNTED, readQueues } from "./read-queues.js";

/** What administrators need for all of it. */
export const MANAGE = "plugin::jobs.manage";

/** The admin page, by its name alone, and as much of it as is used: it need not be installed, and is made of this plugin. */
export const admin: ExtensionRef<{ actions(actions: Readonly<Record<string, string>>): void }> =
  extensionRef("plugin::admin.extensions");

/** Jobs that one answer has. */
const PAGE = 50;

/** `/admin/api/jobs`: what waits, runs and is dead, for administrators with the action of the page. */
export function adminRoutes(app: App): readonly Route[] {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action: MANAGE } }];
  const config = { auth: false, prefix: "/admin/api", policies } as const;
  const route = (method: RouteMethod, path: string, name: keyof typeof descriptions, endpoint: Endpoint): Route => ({
    ...{ method, path: `/jobs${path}`, handler: handlerOf(endpoint), type: "root", config },
    description: descriptions[name],
  });
  return [
    route("GET", "", "list", async ({ query }) => ({ status: 200, body: await listJobs(app, query) })),
    route("GET", "/queues", "queues", async () => ({ status: 200, body: await overview(app) })),
    route("POST", "/retry", "retry", async (request) => ({ status: 200, body: await change(app, request, "retry") })),
    route("POST", "/drop", "drop", async (request) => ({ status: 200, body: await change(app, request, "drop") })),
  ];
}

async function overview(app: App): Promise<object> {
  const { config } = app.extension(jobsService);
  return { data: await readQueues(app), meta: { works: config.work, counted: COUNTED } };
}

/** @throws PLINTH_JOBS_REQUEST_INVALID (400) */
async function listJobs(app: App, query: RequestInfo["query"]): Promise<object> {
  const { state, job } = textsOf(query, ["state", "job"]);
  const known = STATES.find((each) => each === state);
  if (state !== undefined && !known) throw invalid("state", `must be ${STATES.join(", ")}`);
  const found = await selectJobs(app, { states: known ? [known] : STATES, job }, PAGE + 1);
  return { data: found.slice(0, PAGE).map(viewOf), meta: { isCut: found.length > PAGE } };
}

function viewOf({ createdAt, at, startedAt, endedAt, data, ...job }: ShownJob): object {
  return {
    ...job,
    ...{ createdAt: createdAt.toISOString(), at: at.toISOString() },
    ...{ startedAt: startedAt?.toISOString() ?? null, endedAt: endedAt?.toISOString() ?? null },
    data: shownData(data),
  };
}

/** @throws PLINTH_JOBS_REQUEST_INVALID (400), PLINTH_JOBS_NOT_FOUND (404) */
async function change(app: App, request: RequestInfo, verb: "retry" | "drop"): Promise<object> {
  const { id, job } = textsOf(Object(request.body) as object, ["id", "job"]);
  if ((id === undefined) === (job === undefined)) throw invalid("id", "or job is needed, and only one of them");
  const states: readonly JobState[] = verb === "drop" && id !== undefined ? ["dead", "waiting"] : ["dead"];
  const jobs = await changeJobs(app, { states, id, job }, verb);
  const details = { jobs, ...(id === undefined ? { job } : { id }) };
  await app.hooks.notify(onAct, { action: `job.${verb}`, result: "accepted", origin: originOf(request), details });
  return { data: { jobs } };
}

/** @throws PLINTH_JOBS_REQUEST_INVALID (400) for what is not known, or no text */
function textsOf<Name extends string>(given: object, known: readonly Name[]): { readonly [Key in Name]?: string } {
  for (const [key, value] of Object.entries(given)) {
    if (!known.some((name) => name === key)) throw invalid(key, `is none of ${known.join(", ")}`);
    if (typeof value !== "string" || value === "") throw invalid(key, "must be a string");
    // PostgreSQL has no place for it.
    if (value.includes("\0")) throw invalid(key, "has the character U+0000, which no job has");
  }
  return given as { readonly [Key in Name]?: string };
}

const invalid = (path: string, message: string) => new InvalidRequestError({ errors: [{ path, message }] });
